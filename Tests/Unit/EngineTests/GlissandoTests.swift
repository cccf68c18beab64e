import Foundation
import Patches
import TestSupport
import Testing

@testable import Engine

@Suite("Moves by ratio")
struct GlissandoTests {
    private static let rate = 48_000.0
    /// Frames of a sweep's lead at either end.
    private static let lead: Int64 = 960

    private static func sweep(from low: Double = 20, to high: Double = 20_000, over: Double = 60, ease: Easing = .linear) -> Patch {
        let chapter = Chapter(start: 0, over: over, ease: ease, settings: [Setting(layer: 0, parameter: .carrier, value: high)])
        var patch = Patch.single(.tone, [.carrier: low, .gain: -20], chapters: [chapter])
        patch.pitchLaw = .ratio
        return patch
    }

    /// The phase in cycles, whole cycles dropped, at a frame.
    private func phase(_ plan: Plan, at frame: Int64) -> Double {
        var limit = Int64.max
        return Double(plan.data.pointee.layers[0].carrier.differences(at: frame, limit: &limit).phase) * 0x1p-64
    }

    @Test(
        "The phase of a minute's sweep is within a millionth of a cycle of the closed form, at every frame between its leads",
        arguments: [(20.0, 20_000.0), (20_000, 20), (440, 441), (1, 20_000)])
    func closedForm(low: Double, high: Double) {
        let plan = PlanCompiler.compile(Self.sweep(from: low, to: high), sampleRate: Self.rate)
        let frames = 60 * Self.rate
        // f = f0 exp(a k): the phase is f0/a exp(a k), in cycles per frame.
        let a = log(high / low) / frames
        func exact(_ frame: Int64) -> Double { low / Self.rate / a * exp(a * Double(frame)) }
        let first = Self.lead
        let offset = phase(plan, at: first) - exact(first)
        var worst = 0.0
        for frame in stride(from: first, through: Int64(frames) - Self.lead, by: 7) {
            let error = phase(plan, at: frame) - exact(frame) - offset
            worst = max(worst, abs(error - error.rounded()))
        }
        print("figure: sweep of \(low) to \(high) Hz in 60 s: phase off by at most \(worst) cycles")
        #expect(worst < 1e-6)
    }

    @Test("The errors of an hour's glide do not add up", arguments: [Easing.linear, .sineInOut, .expoIn])
    func longGlide(ease: Easing) {
        let plan = PlanCompiler.compile(Self.sweep(from: 400, to: 100, over: 3600, ease: ease), sampleRate: Self.rate)
        let frames = Int64(3600 * Self.rate)
        // Simpson's rule over steps of 500 frames, on the curve itself.
        func frequency(_ frame: Double) -> Double { 400 * PortableMath.exp2(-2 * ease.value(at: frame / Double(frames))) / Self.rate }
        var (sum, worst) = (phase(plan, at: Self.lead), 0.0)
        for frame in stride(from: Self.lead, to: frames - Self.lead - 1000, by: 1000) {
            for step in stride(from: Double(frame), to: Double(frame + 1000), by: 500) {
                sum += (frequency(step) + 4 * frequency(step + 250) + frequency(step + 500)) * 500 / 6
            }
            sum -= sum.rounded(.down)
            let error = phase(plan, at: frame + 1000) - sum
            worst = max(worst, abs(error - error.rounded()))
        }
        print("figure: \(ease) of 400 to 100 Hz in an hour: phase off by at most \(worst) cycles")
        #expect(worst < 1e-5)
    }

    @Test("The samples of a sweep follow the closed form", arguments: Kernel.available)
    func samples(kernel: Kernel) {
        let plan = PlanCompiler.compile(Self.sweep(over: 10), sampleRate: Self.rate)
        let samples = render(plan, count: 480_000, kernel: kernel).left
        let a = log(1000.0) / 480_000
        func exact(_ frame: Int) -> Double { 20 / Self.rate / a * exp(a * Double(frame)) }
        let offset = phase(plan, at: Self.lead) - exact(Int(Self.lead))
        let worst = stride(from: 2000, to: 470_000, by: 11).reduce(0.0) { worst, frame in
            max(worst, abs(Double(samples[frame]) - 0.1 * sin(2 * Double.pi * (exact(frame) + offset))))
        }
        #expect(worst < 1e-6, "\(worst)")
    }

    @Test("Halfway through a move by ratio a tone is at the geometric mean, as the player shows it and as it sounds")
    func middle() throws {
        let patch = Self.sweep(from: 100, to: 400, over: 10)
        #expect(abs(try #require(patch.value(of: .carrier, layer: 0, at: 5, edits: [])) - 200) < 1e-9)
        let plan = PlanCompiler.compile(patch, sampleRate: Self.rate)
        #expect(abs(try #require(plan.value(of: .carrier, layer: 0, at: 240_000)) - 200) < 1e-9)
        #expect(plan.value(of: .carrier, layer: 0, at: 480_000) == 400)
        #expect(patch.value(of: .carrier, layer: 0, at: 10, edits: []) == 400)
    }

    @Test("Any blocks and any start give the samples of the whole sweep, with any easing and edits within it", arguments: Easing.allCases)
    func oneSound(ease: Easing) {
        var generator = SeededGenerator(seed: 7)
        var plan = PlanCompiler.compile(Self.sweep(over: 0.7, ease: ease), sampleRate: Self.rate)
        plan = plan.applying([Setting(layer: 0, parameter: .carrier, value: 3)], at: 17_000, ramp: 0.3, easing: ease)
        let count = 40_000
        let whole = render(plan, count: count, kernel: .best)
        let isFinite = whole.left.allSatisfy { $0.isFinite && abs($0) <= 0.2 }
        #expect(isFinite)
        let blocks = (0..<40).map { _ in Int.random(in: 1...1500, using: &generator) }
        let isSame = render(plan, count: count, blocks: blocks, kernel: .best) == whole
        #expect(isSame)
        for _ in 0..<4 {
            let start = Int.random(in: 1..<count - 3000, using: &generator)
            let isSameFromThere =
                render(plan, from: Int64(start), count: 3000, blocks: blocks, kernel: .best).left == Array(whole.left[start..<start + 3000])
            #expect(isSameFromThere, "from \(start)")
        }
    }

    @Test("A beat and a pulse rate still move in Hz")
    func others() {
        let chapter = Chapter(
            start: 0, over: 10,
            settings: [Setting(layer: 0, parameter: .beat, value: -6), Setting(layer: 1, parameter: .pulseRate, value: 16)])
        var patch = Patch(
            layers: [
                Layer(name: "a", kind: .binaural, values: [.beat: 10]), Layer(name: "b", kind: .isochronic, values: [.pulseRate: 4]),
            ], chapters: [chapter])
        patch.pitchLaw = .ratio
        #expect(patch.value(of: .beat, layer: 0, at: 5, edits: []) == 2)
        #expect(patch.value(of: .pulseRate, layer: 1, at: 5, edits: []) == 10)
    }
}
