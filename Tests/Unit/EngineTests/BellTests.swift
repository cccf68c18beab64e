import Engine
import Foundation
import Patches
import Testing

@Suite("Bells")
struct BellTests {
    private static let rate = 48_000.0

    private func rendered(_ values: [Parameter: Double] = [:], chapters: [Chapter] = [], from: Int64 = 960, count: Int) -> [Float] {
        let patch = Patch.single(.bell, values.merging([.gain: -20, .carrier: 1000]) { a, _ in a }, chapters: chapters)
        return render(PlanCompiler.compile(patch, sampleRate: Self.rate), from: from, count: count).left
    }

    /// The level around a frame, 1 at the strike: over whole cycles of 1000 Hz.
    private func level(_ samples: [Float], at frame: Int) -> Double {
        10 * samples[frame..<frame + 480].reduce(0.0) { $0 + 2 * Double($1) * Double($1) / 480 }.squareRoot()
    }

    private func strike(_ at: Double, gain: Double = -20) -> Chapter {
        Chapter(start: at, settings: [Setting(layer: 0, parameter: .gain, value: gain)])
    }

    @Test("A bell decays by 60 dB in its decay time, evenly: by default 8.3 % in every 50 ms", arguments: [0.5, 4, 20])
    func decay(decay: Double) {
        let samples = rendered([.decay: decay], count: 96_000)
        let error = samples.enumerated().map { k, sample -> Double in
            let t = Double(k + 960) / Self.rate
            let exact: Double = 0.1 * pow(10, -3 * t / decay) * sin(2 * Double.pi * 1000 * t)
            return abs(Double(sample) - exact)
        }.max()!
        // The roundings of a Float at 0.1.
        #expect(error < 3e-8)
        let lost = 1 - level(rendered(count: 96_000), at: 48_000 + 2400) / level(rendered(count: 96_000), at: 48_000)
        #expect(abs(lost - 0.0827) < 1e-4)
    }

    @Test("A bell is struck at the start and by each chapter that sets its gain, but not by one that turns it off, nor by other parameters")
    func strikes() {
        let chapters = [
            strike(1), Chapter(start: 2, settings: [Setting(layer: 0, parameter: .carrier, value: 1000)]), strike(3, gain: -26),
            strike(4, gain: Parameter.off),
        ]
        let samples = rendered([.decay: 2], chapters: chapters, from: 0, count: 5 * 48_000)
        #expect(abs(level(samples, at: 48_000 - 480) - pow(10, -1.5)) < 0.001)
        #expect(level(samples, at: 48_000 + 960) > 0.9)
        #expect(abs(level(samples, at: 2 * 48_000 + 960) - pow(10, -1.53)) < 0.001)
        #expect(abs(level(samples, at: 3 * 48_000 + 1920) - 0.5 * pow(10, -0.06)) < 0.01)
        #expect(samples[(4 * 48_000 + 960)...].allSatisfy { $0 == 0 })
    }

    @Test("A bell struck while ringing rises from its current level: no step is larger than a rise in 5 ms makes")
    func risesFromWhatRings() {
        let samples = rendered([.carrier: 20, .decay: 60], chapters: [strike(0.5), strike(0.6)], from: 960, count: 48_000)
        let largest = zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max()!
        // 20 Hz in full, and the steepest slope of the rise, 1.875 times its mean, of the part that had died away.
        let (tone, rise): (Float, Float) = (2 * .pi * 20 / 48_000, 1.875 / 240 * 0.15)
        #expect(largest < 0.1 * (tone + rise))
    }

    @Test("Strikes within 5 ms of each other are one strike, and the sound is the same from any starting point")
    func together() {
        let chapters = (0..<40).map { strike(0.2 + 0.001 * Double($0)) }
        let whole = rendered([.decay: 1], chapters: chapters, from: 0, count: 48_000)
        let part = rendered([.decay: 1], chapters: chapters, from: 9_700, count: 4800)
        let isSame = Array(whole[9_700..<14_500]) == part
        #expect(isSame)
        #expect(whole.allSatisfy { $0.isFinite })
    }

    @Test("A decay set by hand applies from the next strike on; a ringing bell is not changed")
    func decayByHand() {
        let patch = Patch.single(.bell, [.gain: -20, .carrier: 1000, .decay: 2], chapters: [strike(1)])
        let plan = PlanCompiler.compile(patch, sampleRate: Self.rate)
        let edited = plan.applying([Setting(layer: 0, parameter: .decay, value: 0.5)], at: 24_000)
        let (before, after) = (render(plan, count: 96_000).left, render(edited, count: 96_000).left)
        #expect(before[..<48_000] == after[..<48_000])
        #expect(abs(level(after, at: 72_000) - pow(10, -3.03)) < 1e-4)
    }
}
