import Patches
import Testing

@testable import Engine

@Suite("Live edits")
struct EditTests {
    @Test("No edit changes a sample before its frame, whatever it edits")
    func before() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<25 {
            let patch = Patch.random(using: &generator)
            let plan = PlanCompiler.compile(patch, sampleRate: 48_000)
            let frame = Int.random(in: 0..<40_000, using: &generator)
            let easing = Bool.random(using: &generator) ? nil : Easing.allCases.randomElement(using: &generator)!
            let edited = plan.applying(
                [patch.randomSetting(using: &generator), patch.randomSetting(using: &generator)], at: Int64(frame),
                ramp: .random(in: 0...0.5, using: &generator), easing: easing)
            let a = render(plan, count: 48_000)
            let b = render(edited, count: 48_000)
            let isSame = a.left[..<frame].elementsEqual(b.left[..<frame]) && a.right[..<frame].elementsEqual(b.right[..<frame])
            #expect(isSame)
            let c = render(edited, from: Int64(frame), count: 48_000 - frame, blocks: [64, 5])
            let isSameFromThere = c == b.from(frame)
            #expect(isSameFromThere)
        }
    }

    @Test("A ramp continues with value, slope and curvature of the running one, and ends at rest on its value")
    func takeOver() {
        let plan = PlanCompiler.compile(.single(.tone, [.carrier: 200]), sampleRate: 48_000)
        func carrier(_ value: Double) -> [Setting] { [Setting(layer: 0, parameter: .carrier, value: value)] }
        let first = plan.applying(carrier(400), at: 10_000, ramp: 0.1)
        let second = first.applying(carrier(250), at: 12_000, ramp: 0.1)
        func value(_ plan: Plan, _ frame: Int64) -> Double { plan.value(of: .carrier, layer: 0, at: frame)! }
        #expect(value(first, 12_000) > 230)
        for frame in Int64(11_990)...12_000 { #expect(value(first, frame) == value(second, frame)) }
        // Third differences of neighbouring frames stay as small as the two polynomials make them: no jump in value, slope or curvature.
        let limit = 200.0 * 120 / (4800.0 * 4800 * 4800)
        for frame in Int64(11_990)...12_010 {
            let v = (0..<4).map { value(second, frame + $0) }
            let third: Double = v[3] - 3 * v[2] + 3 * v[1] - v[0]
            #expect(abs(third) < limit)
        }
        #expect(value(second, 16_800) == 250)
        #expect(value(second, 1_000_000) == 250)
    }

    @Test("A named easing goes from the current value to the new one")
    func namedEasing() {
        let plan = PlanCompiler.compile(.single(.tone, [.carrier: 200]), sampleRate: 48_000)
        let edited = plan.applying([Setting(layer: 0, parameter: .carrier, value: 300)], at: 48_000, ramp: 2, easing: .quadIn)
        for (seconds, expected) in [(1.0, 200.0), (1.5, 206.25), (2, 225), (2.5, 256.25), (3, 300), (4, 300)] {
            #expect(abs(edited.value(of: .carrier, layer: 0, at: Int64(seconds * 48_000))! - expected) < 1e-9)
        }
    }

    @Test("An edit holds until the next chapter that sets its parameter, whose move starts from the held value")
    func untilNextChapter() {
        let patch = Patch.single(
            .tone, [.carrier: 200],
            chapters: [
                Chapter(start: 1, over: 1, settings: [Setting(layer: 0, parameter: .gain, value: -30)]),
                Chapter(start: 2, over: 1, settings: [Setting(layer: 0, parameter: .carrier, value: 300)]),
            ])
        let edit = Setting(layer: 0, parameter: .carrier, value: 250)
        let live = PlanCompiler.compile(patch, sampleRate: 48_000).applying([edit], at: 24_000)
        let fresh = PlanCompiler.compile(patch, edits: [LiveEdit(setting: edit, position: 0.5)], sampleRate: 48_000)
        for (plan, start) in [(live, 0.6), (fresh, 0)] {
            func value(_ seconds: Double) -> Double { plan.value(of: .carrier, layer: 0, at: Int64(seconds * 48_000))! }
            #expect(value(start) == 250)
            #expect(value(2) == 250)
            #expect(abs(value(2.5) - 275) < 1e-9)
            #expect(value(3) == 300)
        }
    }

    @Test("Later chapters sound as in a plan that was compiled with the edit from the start")
    func laterChapters() {
        var patch = Patch.single(.tone, [.carrier: 200])
        patch.chapters = (1...6).map { index in
            Chapter(
                start: Double(index) / 4, over: 0.2, ease: .sineInOut,
                settings: [
                    Setting(layer: 0, parameter: .carrier, value: 200 + Double(index) * 10),
                    Setting(layer: 0, parameter: .gain, value: -20 - Double(index)),
                ])
        }
        let edits = [
            Setting(layer: 0, parameter: .carrier, value: 333), Setting(layer: 0, parameter: .gain, value: -40),
        ]
        let live = PlanCompiler.compile(patch, sampleRate: 48_000).applying(edits, at: 30_000)
        let fresh = PlanCompiler.compile(
            patch, edits: edits.map { LiveEdit(setting: $0, position: 0.625) }, sampleRate: 48_000)
        // From the next chapter on both have the same values; the phase depends on when the edit was made.
        for frame in stride(from: Int64(36_000), to: 96_000, by: 777) {
            for parameter in [Parameter.carrier, .gain] {
                #expect(live.value(of: parameter, layer: 0, at: frame) == fresh.value(of: parameter, layer: 0, at: frame))
            }
        }
        func turns(_ plan: Plan, _ frame: Int64) -> UInt64 {
            var limit = Int64.max
            return plan.layers[0].tracks[.carrier]!.phaseTrack.differences(at: frame, limit: &limit).phase
        }
        func advance(_ plan: Plan, from: Int64, to: Int64) -> UInt64 { turns(plan, to) &- turns(plan, from) }
        for frame in stride(from: Int64(36_001), to: 96_000, by: 1234) {
            let difference = Int64(bitPattern: advance(live, from: 36_000, to: frame) &- advance(fresh, from: 36_000, to: frame))
            // A hundredth of a thousandth of a turn, out of some two hundred.
            #expect(abs(difference) < 1 << 47)
        }
    }

    @Test("An edit made for a later frame stays when another one is made for an earlier frame")
    func scheduledEditStays() {
        let plan = PlanCompiler.compile(.single(.tone), sampleRate: 48_000)
            .applying([Setting(layer: 0, parameter: .gain, value: -30)], at: 48_000)
            .applying([Setting(layer: 0, parameter: .gain, value: -20)], at: 24_000)
        #expect(plan.value(of: .gain, layer: 0, at: 40_000) == -20)
        #expect(plan.value(of: .gain, layer: 0, at: 60_000) == -30)
    }

    @Test("Values outside a parameter's range and NaN are clamped to it")
    func clamping() {
        let plan = PlanCompiler.compile(.single(.tone), sampleRate: 48_000)
        for (value, expected) in [(99_999.0, 20_000.0), (-5, 1), (.infinity, 20_000), (.nan, 200)] {
            let edited = plan.applying([Setting(layer: 0, parameter: .carrier, value: value)], at: 0)
            #expect(edited.value(of: .carrier, layer: 0, at: 48_000) == expected)
        }
    }

    @Test("A fader that moves for hours does not make the plan grow if past moves are forgotten")
    func forgetting() {
        var plan = PlanCompiler.compile(.single(.binaural), sampleRate: 48_000)
        for step in 0..<2000 {
            let frame = Int64(step) * 480
            plan = plan.applying(
                [Setting(layer: 0, parameter: .carrier, value: step % 2 == 0 ? 200 : 210)], at: frame, forgettingBefore: frame - 4800)
        }
        #expect(plan.pieceCount < 500)
        let end = Int64(1999 * 480)
        let whole = render(plan, from: end, count: 4800)
        #expect(whole.left.contains { $0 != 0 })
    }
}

extension Plan {
    /// Pieces of all tracks.
    fileprivate var pieceCount: Int {
        layers.flatMap { $0.tracks.values }.reduce(0) { sum, track in
            sum + (track.phases?.count ?? 0) + track.values.reduce(0) { $0 + $1.count }
        }
    }
}
