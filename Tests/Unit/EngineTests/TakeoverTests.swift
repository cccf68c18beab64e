import Patches
import Testing

@testable import Engine

/// Moves that take over from others that are in progress.
@Suite struct TakeoverTests {
    private static let second: Int64 = 48_000

    private func value(_ plan: Plan, _ parameter: Parameter, _ frame: Int64) -> Double {
        plan.value(of: parameter, layer: 0, at: frame) ?? .nan
    }

    @Test("A long move that takes over from a short one does not overshoot because of its slope", arguments: [0.1, 1, 10, 3600])
    func longAfterShort(seconds: Double) {
        let start = PlanCompiler.compile(.single(.tone, [.gain: -60, .carrier: 200]), sampleRate: 48_000)
        for delay in stride(from: Int64(60), to: 960, by: 60) {
            let jumped = start.applying([Setting(layer: 0, parameter: .gain, value: -20)], at: Self.second)
            let plan = jumped.applying([Setting(layer: 0, parameter: .gain, value: -30)], at: Self.second + delay, ramp: seconds)
            let end = Self.second + delay + Int64(seconds * 48_000)
            for frame in stride(from: Self.second, through: end + 10, by: Int(max(1, (end - Self.second) / 100_000))) {
                let value = value(plan, .gain, frame)
                guard value >= -60, value <= -10 else {
                    Issue.record("\(value) dB at frame \(frame), \(delay) frames after the first move")
                    return
                }
            }
            #expect(value(plan, .gain, end) == -30)
            let half = value(plan, .gain, (Self.second + delay + end) / 2)
            #expect(half > -46)
            #expect(half < -24)
        }
    }

    @Test("A move that takes over continues with value, slope and curvature, and so does the one after it")
    func smooth() {
        let start = PlanCompiler.compile(.single(.tone, [.carrier: 200]), sampleRate: 48_000)
        let jumped = start.applying([Setting(layer: 0, parameter: .carrier, value: 300)], at: 10_000, ramp: 0.05)
        let plan = jumped.applying([Setting(layer: 0, parameter: .carrier, value: 250)], at: 11_000, ramp: 20)
        // Third differences of 100 Hz in 20 ms, 60 times that over the third power of the frames.
        let limit = 100.0 * 120 / (960.0 * 960 * 960)
        for frame in Int64(9_990)...20_000 {
            let v = (0..<4).map { value(plan, .carrier, frame + $0) }
            let third: Double = v[3] - 3 * v[2] + 3 * v[1] - v[0]
            #expect(abs(third) < limit, "frame \(frame)")
        }
    }

    @Test(
        "Any parameter of any kind that is moved to its end and called back on the way moves without a step or a kink",
        arguments: LayerKind.allCases)
    func everyParameter(kind: LayerKind) {
        for description in kind.parameters {
            let (low, high) = (description.range.lowerBound, description.range.upperBound)
            let parameter = description.parameter
            let start = PlanCompiler.compile(.single(kind, [parameter: low]), sampleRate: 48_000)
            let thrown = start.applying([Setting(layer: 0, parameter: parameter, value: high)], at: 1000)
            let plan = thrown.applying([Setting(layer: 0, parameter: parameter, value: low)], at: 1400)
            // As above, twice: it turns back.
            let limit = (high - low) * 2 * 120 / (960.0 * 960 * 960)
            for frame in Int64(990)...5000 {
                let v = (0..<4).map { value(plan, parameter, frame + $0) }
                let third: Double = v[3] - 3 * v[2] + 3 * v[1] - v[0]
                guard abs(third) < limit else {
                    Issue.record("\(parameter) at frame \(frame): \(third), \(limit) at most")
                    break
                }
            }
            #expect(value(plan, parameter, 5000) == low, "\(parameter)")
        }
    }

    @Test("A chapter that starts just where a bounce touches the ground is neither loud nor endless")
    func kink() {
        let chapter = Chapter(start: 0.5, over: 0.2, ease: .elasticInOut, settings: [Setting(layer: 0, parameter: .gain, value: -30)])
        for offset in Int64(-1)...1 {
            let compiled = PlanCompiler.compile(.single(.tone, [.gain: -30], chapters: [chapter]), sampleRate: 48_000)
            // The first of its kinks is at 1 / 2.75 of its time: 1000 frames.
            let plan = compiled.applying(
                [Setting(layer: 0, parameter: .gain, value: -60)], at: 23_000 + offset, ramp: 2750 / 48_000.0, easing: .bounceOut)
            let (renderer, sound) = rendered(plan, from: 22_000, count: 12_000)
            #expect(renderer.guardActions.nonFinite == 0)
            #expect(renderer.guardActions.ceiling == 0)
            #expect(sound.left.allSatisfy { abs($0) < 0.1 })
        }
    }

    @Test("A bounce that is as long as its lead takes to the first touch does not run away", arguments: [Easing.bounceIn, .bounceOut])
    func kinkAtLead(easing: Easing) {
        for (from, to) in [(-30.0, -60.0), (-60, -30)] {
            let compiled = PlanCompiler.compile(.single(.tone, [.gain: from]), sampleRate: 48_000)
            // 55 ms are 2640 frames, and 1 / 2.75 of them the 960 of the lead.
            let plan = compiled.applying(
                [Setting(layer: 0, parameter: .gain, value: to)], at: 10_000, ramp: 0.055, easing: easing)
            let (renderer, sound) = rendered(plan, from: 9000, count: 5000)
            #expect(renderer.guardActions.nonFinite == 0)
            #expect(renderer.guardActions.ceiling == 0)
            #expect(sound.left.allSatisfy { abs($0) < 0.1 })
        }
    }

    @Test("Where a lead meets a vertical curve, it does not overshoot far", arguments: Easing.allCases)
    func uprightAtLead(easing: Easing) {
        let plan = PlanCompiler.compile(.single(.tone, [.gain: -60]), sampleRate: 48_000)
        for frames in stride(from: 1921.0, to: 2400, by: 23) {
            let moved = plan.applying([Setting(layer: 0, parameter: .gain, value: -30)], at: 1000, ramp: frames / 48_000, easing: easing)
            let values = stride(from: Int64(1000), to: 3400, by: 4).map { value(moved, .gain, $0) }
            // An elastic easing overshoots by 0.37 of the way itself.
            let beyond = max(values.max()! + 30, -60 - values.min()!)
            #expect(beyond < 1.37 * 30, "\(frames) frames")
        }
    }

    @Test("Values stay near their range, however often steep easings take over from each other", arguments: LayerKind.allCases)
    func streams(kind: LayerKind) {
        var generator = SeededGenerator(seed: 9)
        let easings: [Easing?] = [.elasticIn, .elasticOut, .elasticInOut, .bounceOut, .backInOut, .circInOut, nil]
        for interval in [Int64(48), 240, 700, 1500] {
            var plan = PlanCompiler.compile(.single(kind), sampleRate: 48_000)
            for step in Int64(0)..<60 {
                let settings = kind.parameters.map { description in
                    Setting(
                        layer: 0, parameter: description.parameter,
                        value: Bool.random(using: &generator) ? description.range.lowerBound : description.range.upperBound)
                }
                plan = plan.applying(
                    settings, at: step * interval, ramp: 0.045, easing: easings.randomElement(using: &generator)!,
                    forgettingBefore: step * interval - 4800)
                for description in kind.parameters where plan.value(of: description.parameter, layer: 0, at: step * interval + 40) != nil {
                    let span = description.range.upperBound - description.range.lowerBound
                    let distance = value(plan, description.parameter, step * interval + 40) - description.range.lowerBound
                    #expect(abs(distance) < 20 * span, "\(description.parameter), step \(step)")
                }
            }
            let (renderer, _) = rendered(plan, from: 60 * interval - 100, count: 3000)
            #expect(renderer.guardActions.nonFinite == 0)
        }
    }

    @Test("Levels rise straight up to 0 dB, and no easing exceeds that by more than 6 dB")
    func levels() {
        for value in stride(from: -120.0, through: 0, by: 0.5) where value >= -119 {
            #expect(ValueLaw.decibels(value) == Amplitude.ratio(value))
            #expect(ValueLaw.amplitude(Amplitude.ratio(value)) == Amplitude.ratio(value))
        }
        for value in stride(from: 0.5, to: 2000, by: 0.5) {
            #expect(ValueLaw.decibels(value) >= ValueLaw.decibels(value - 0.5))
            #expect(ValueLaw.decibels(value) < 1.9954)
            #expect(ValueLaw.amplitude(value) >= ValueLaw.amplitude(value - 0.5))
            #expect(abs(ValueLaw.amplitude(-value)) <= 2)
        }
    }

    private func rendered(_ plan: Plan, from frame: Int64, count: Int) -> (OfflineRenderer, Samples) {
        let renderer = OfflineRenderer(plan, from: frame)
        var left = [Float](repeating: .nan, count: count)
        var right = left
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
        }
        return (renderer, Samples(left: left, right: right))
    }
}
