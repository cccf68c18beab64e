import Patches
import TestSupport
import Testing

@testable import Engine

@Suite("Rates that follow another layer")
struct RateLeaderTests {
    private static let sampleRate = 48_000.0
    private static let rates: [Parameter] = [.pulseRate, .amRate, .spinRate, .beat]

    /// A silent leader, and noise with every effect that has a rate; the rates in `followers` follow, or have the same numbers if `isLed` is false.
    private func patch(
        _ leader: Parameter, _ followers: [Parameter], isLed: Bool = true, start: Double = 4.5, moves: [(Chapter, Double)] = []
    ) -> Patch {
        let bed = Layer(
            name: "bed", kind: leader == .beat ? .binaural : .isochronic, values: [leader: start, .gain: Parameter.off])
        var rain = Layer(
            name: "rain", kind: .noise, values: [.amDepth: 0.9, .spinDepth: 0.8, .beat: 3, .gain: -12], color: .pink)
        rain.effects = Set(rain.kind.effects)
        for follower in followers { rain.values[follower] = start }
        if isLed { for follower in followers { rain.leaders[follower] = RateLeader(layer: "bed", parameter: leader) } }
        var patch = Patch(layers: [bed, rain])
        patch.cues = moves.map { cue, value in
            var cue = cue
            cue.settings = settings(leader, isLed ? [] : followers, value)
            return cue
        }
        return patch
    }

    private func settings(_ leader: Parameter, _ followers: [Parameter], _ value: Double) -> [Setting] {
        [Setting(layer: 0, parameter: leader, value: value)] + followers.map { Setting(layer: 1, parameter: $0, value: value) }
    }

    /// Leaders, and those that are cut into pieces like them without following.
    private static let families: [(leader: Parameter, followers: [Parameter])] = [
        (.pulseRate, [.pulseRate, .amRate, .spinRate]), (.beat, [.beat]),
    ]

    @Test("They follow chapters, cues and a seek in every bit as if they had the numbers themselves", arguments: [0, 1])
    func cues(family: Int) {
        let (leader, followers) = Self.families[family]
        let moves = [(Chapter(start: 0.5, over: 0.7, ease: .sineInOut, settings: []), 7.25), (Chapter(start: 1.6, settings: []), 4.5)]
        let plans = [true, false].map {
            PlanCompiler.compile(patch(leader, followers, isLed: $0, moves: moves), sampleRate: Self.sampleRate)
        }
        let sounds = plans.map { render($0, count: 120_000, blocks: [256, 31]) }
        #expect(sounds[0] == sounds[1])
        #expect(sounds[0].left.contains { abs($0) > 0.01 })
        #expect(render(plans[0], from: 50_000, count: 9000).left == Array(sounds[0].left[50_000..<59_000]))
    }

    @Test("A live edit of the rate moves them on the same frame in every bit; so do a hold and its release", arguments: [0, 1])
    func edits(family: Int) {
        let (leader, followers) = Self.families[family]
        let engines = [true, false].map { isLed in
            let patch = patch(leader, followers, isLed: isLed)
            let engine = TestEngine()
            func settings(_ value: Double) -> [Setting] { self.settings(leader, isLed ? [] : followers, value) }
            func follow(_ held: [Setting]) {
                engine.control.together {
                    for setting in settings(1) {
                        let course = PlanCompiler.course(
                            of: setting.parameter, layer: setting.layer, in: patch, edits: [], held: held, sampleRate: Self.sampleRate)
                        if let course { engine.control.follow(course, ramp: 0.1) }
                    }
                }
            }
            engine.control.start(engine.compile(patch))
            engine.run(12_000)
            engine.control.edit(settings(9), ramp: 0.2, easing: .quadOut)
            engine.run(20_000)
            engine.control.edit(settings(3.125))
            engine.run(9000)
            follow(settings(6))
            engine.run(12_000)
            follow([])
            engine.run(60_000)
            return engine
        }
        #expect(engines[0].left == engines[1].left && engines[0].right == engines[1].right)
        #expect(engines[0].left.contains { abs($0) > 0.01 })
    }

    @Test(
        "They have its phase to a thousandth of a cycle, along whichever curve it moves for up to half an hour",
        arguments: Easing.allCases)
    func phases(easing: Easing) {
        for (leader, sign) in [(Parameter.beat, 1.0), (.beat, -1), (.pulseRate, 1)] {
            let moves = [
                (Chapter(start: 1, over: 600, ease: easing, settings: []), sign * 5),
                (Chapter(start: 400, over: 3, ease: easing, settings: []), sign * 11),
                (Chapter(start: 700, over: 1800, ease: easing, settings: []), sign * 0.5),
            ]
            let plan = PlanCompiler.compile(
                patch(leader, Self.rates, start: sign * 8, moves: moves), sampleRate: Self.sampleRate
            ).applying([Setting(layer: 0, parameter: leader, value: sign * 6.5)], at: 12_000_000, ramp: 2.5, easing: easing)
            var worst = 0.0
            for frame in stride(from: Int64(0), to: 130_000_000, by: 999_983) {
                let leading = phase(plan, leader, layer: 0, at: frame)
                for rate in Self.rates {
                    let isMirrored = sign < 0 && [.pulseRate, .amRate].contains(rate)
                    let difference = phase(plan, rate, layer: 1, at: frame) - (isMirrored ? -leading : leading)
                    worst = max(worst, abs(difference - difference.rounded()))
                }
            }
            #expect(worst < 1e-3, "\(leader) \(sign): \(worst)")
        }
    }

    @Test("Rates have exactly the phase of a beat that they follow, after a straight move of 16 hours as well")
    func doubled() {
        let hours = 16.0 * 3600
        let moves = [
            (Chapter(start: 1, over: hours, settings: []), 0.7), (Chapter(start: hours + 10, over: 600, ease: .sineInOut, settings: []), 9),
        ]
        let plan = PlanCompiler.compile(patch(.beat, Self.rates, start: 8, moves: moves), sampleRate: Self.sampleRate)
        for frame in stride(from: Int64(0), to: 2_900_000_000, by: 9_999_991) {
            let leading = phase(plan, .beat, layer: 0, at: frame)
            for rate in Self.rates { #expect(phase(plan, rate, layer: 1, at: frame) == leading, "\(rate) at frame \(frame)") }
        }
    }

    /// In cycles from 0 up to 1.
    private func phase(_ plan: Plan, _ parameter: Parameter, layer: Int, at frame: Int64) -> Double {
        var limit = Int64.max
        guard let phase = plan.layers[layer].tracks[parameter]?.phaseTrack.differences(at: frame, limit: &limit).phase else { return .nan }
        return Double(parameter == .beat ? phase &* 2 : phase) * 0x1p-64
    }

    @Test("A rate beyond the range of what follows it is followed as far as that reaches")
    func ranges() throws {
        let patch = patch(.beat, [.amRate, .spinRate], start: 0, moves: [(Chapter(start: 0.5, over: 0.7, settings: []), 100)])
        let plan = PlanCompiler.compile(patch, sampleRate: Self.sampleRate)
        #expect(plan.value(of: .amRate, layer: 1, at: 0) == 0.01)
        #expect(plan.value(of: .spinRate, layer: 1, at: 0) == 0)
        #expect(plan.value(of: .amRate, layer: 1, at: 70_000) == 100)
        #expect(patch.value(of: .amRate, layer: 1, at: 0, edits: []) == 0.01)
        let edit = LiveEdit(setting: Setting(layer: 0, parameter: .beat, value: -8), position: 0)
        #expect(patch.value(of: .amRate, layer: 1, at: 0.1, edits: [edit]) == 8)
        #expect(patch.value(of: .spinRate, layer: 1, at: 0.1, edits: [edit]) == -8)
        let own = LiveEdit(setting: Setting(layer: 1, parameter: .amRate, value: 30), position: 0)
        #expect(patch.value(of: .amRate, layer: 1, at: 0.1, edits: [own]) == 0.01, "it has no edits of its own")
    }

    @Test("A layer whose beat follows one that brings it near half the sample rate is known to fade there")
    func fading() throws {
        let bed = Layer(name: "bed", kind: .binaural, values: [.beat: 4])
        var sway = Layer(name: "sway", kind: .phase, values: [.carrier: 10_000, .beat: 4])
        var patch = Patch(layers: [bed, sway], chapters: [Chapter(start: 1, settings: [Setting(layer: 0, parameter: .beat, value: 40)])])
        #expect(FadingLayer.all(in: patch, sampleRate: 22_050).isEmpty)
        sway.leaders[.beat] = RateLeader(layer: "bed", parameter: .beat)
        patch.layers[1] = sway
        let fading = FadingLayer.all(in: patch, sampleRate: 22_050)
        #expect(fading.map(\.layer) == [1])
        #expect(fading == PlanCompiler.compile(patch, sampleRate: 22_050).fadingLayers)
        #expect((fading.first?.start ?? 0) > 22_050)
    }
}
