import Engine
import Patches
import TestSupport
import Testing

/// Rates that follow a rate of another layer, against a patch in which each has the numbers itself.
@Suite("Rates that follow another layer")
struct RateLeaderTests {
    private static let sampleRate = 48_000.0

    /// A silent leader, and noise with every effect that has a rate.
    private func patch(_ leader: RateLeader?, beat: Double = 4.5, moved: Double = 7.25, sign: Double = 1) -> Patch {
        let bed = Layer(name: "bed", kind: .binaural, values: [.beat: beat, .gain: Parameter.off])
        let rate = sign * beat
        var rain = Layer(
            name: "rain", kind: .noise,
            values: [.pulseRate: rate, .amRate: rate, .amDepth: 0.9, .spinRate: beat, .spinDepth: 0.8, .beat: beat, .gain: -12],
            color: .pink)
        rain.effects = Set(LayerEffect.allCases)
        let rates: [Parameter] = [.pulseRate, .amRate, .spinRate, .beat]
        if let leader { rain.leaders = Dictionary(uniqueKeysWithValues: rates.map { ($0, leader) }) }
        let own = rates.map {
            Setting(layer: 1, parameter: $0, value: [.pulseRate, .amRate].contains($0) ? sign * moved : moved)
        }
        var patch = Patch(layers: [bed, rain])
        patch.chapters = [
            Chapter(
                start: 0.5, over: 0.7, ease: .sineInOut,
                settings: [Setting(layer: 0, parameter: .beat, value: moved)] + (leader == nil ? own : []))
        ]
        patch.cues = [
            Chapter(
                start: 1.6,
                settings: [Setting(layer: 0, parameter: .beat, value: beat)]
                    + (leader == nil
                        ? own.map { setting in
                            Setting(layer: 1, parameter: setting.parameter, value: setting.value / moved * beat)
                        } : []))
        ]
        return patch
    }

    private let leader = RateLeader(layer: "bed", parameter: .beat)

    @Test(
        "All of them follow chapters, cues and a seek in every bit; those without a sign follow a negative beat's magnitude",
        arguments: [1.0, -1])
    func chapters(sign: Double) {
        let plans = [leader, nil].map { patch($0, beat: sign * 4.5, moved: sign * 7.25, sign: sign) }.map {
            PlanCompiler.compile($0, sampleRate: Self.sampleRate)
        }
        let sounds = plans.map { render($0, count: 120_000, blocks: [256, 31]) }
        #expect(sounds[0] == sounds[1])
        #expect(sounds[0].left.contains { abs($0) > 0.01 })
        #expect(render(plans[0], from: 50_000, count: 9000).left == Array(sounds[0].left[50_000..<59_000]))
    }

    @Test("A live edit of the rate moves them on the same frame, so that they stay in step; so do a hold and its release")
    func edits() {
        let sounds = [leader, nil].map { leader in
            let patch = patch(leader)
            let engine = TestEngine()
            engine.control.start(engine.compile(patch))
            engine.run(12_000)
            func settings(_ value: Double) -> [Setting] {
                let own = [Parameter.pulseRate, .amRate, .spinRate, .beat].map { Setting(layer: 1, parameter: $0, value: value) }
                return [Setting(layer: 0, parameter: .beat, value: value)] + (leader == nil ? own : [])
            }
            engine.control.edit(settings(9), ramp: 0.2, easing: .quadOut)
            engine.run(20_000)
            engine.control.edit(settings(3.125))
            engine.run(9000)
            func follow(_ held: [Setting]) {
                engine.control.together {
                    for setting in settings(1) {
                        let course = PlanCompiler.course(
                            of: setting.parameter, layer: setting.layer, in: patch, edits: [], held: held, sampleRate: Self.sampleRate)
                        if let course { engine.control.follow(course, ramp: 0.1) }
                    }
                }
            }
            follow(settings(6))
            engine.run(12_000)
            follow([])
            engine.run(60_000)
            return engine
        }
        #expect(sounds[0].left == sounds[1].left && sounds[0].right == sounds[1].right)
        #expect(sounds[0].left.contains { abs($0) > 0.01 })
    }

    @Test("A rate beyond the range of what follows it is followed as far as that reaches")
    func ranges() throws {
        let patch = patch(leader, beat: 0, moved: 100)
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
}
