import Engine
import Foundation
import Patches
import Synthesis
import TestSupport
import Testing

@Suite("Spins")
struct SpinTests {
    private func spin(_ values: [Parameter: Double], color: NoiseColor = .pink, from: Int64, count: Int, sampleRate: Double = 48_000)
        -> Samples
    {
        let patch = Patch.single(.spin, values.merging([.gain: -20]) { a, _ in a }, color: color)
        return render(PlanCompiler.compile(patch, sampleRate: sampleRate), from: from, count: count)
    }

    private func likeness(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
        let (aa, bb) = (a.reduce(0.0) { $0 + Double($1) * Double($1) }, b.reduce(0.0) { $0 + Double($1) * Double($1) })
        return zip(a, b).reduce(0.0) { $0 + Double($1.0) * Double($1.1) } / (aa * bb).squareRoot()
    }

    /// The delay in frames of the left ear behind the right one.
    private func lateness(_ samples: Samples) -> Int {
        let middle = 300..<samples.left.count - 300
        let likenesses = (-300...300).map { lateness in
            (lateness, likeness(samples.left[middle], samples.right[middle.lowerBound - lateness..<middle.upperBound - lateness]))
        }
        return likenesses.max { $0.1 < $1.1 }!.0
    }

    @Test(
        "An ear is late by W sin(2πBt) and the other early by as much", arguments: NoiseColor.allCases.filter { $0 != .brown },
        [0.05, -0.05])
    func turns(color: NoiseColor, beat: Double) {
        for (seconds, part) in [(5.0, 1.0), (10, 0), (15, -1), (10 / 6.0, 0.5)] {
            let samples = spin([.beat: beat, .delay: 1000], color: color, from: Int64(seconds * 48_000) - 1024, count: 2048)
            let expected = Int((2 * 48 * part * (beat < 0 ? -1 : 1)).rounded())
            #expect(abs(lateness(samples) - expected) <= 1, "after \(seconds) s")
        }
    }

    @Test("Without a delay both ears hear the same noise, at the level of its gain")
    func still() {
        let samples = spin([.delay: 0], from: 48_000, count: 1 << 18)
        let isSame = samples.left == samples.right
        #expect(isSame)
        let power = samples.left.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(1 << 18)
        #expect(abs(10 * log10(power / 0.005)) < 0.1)
    }

    @Test("Between frames the noise keeps its spectrum: spinning removes nothing below 0.38 of the sample rate")
    func response() {
        // Lateness of a whole number of frames, and half a frame more.
        let whole = spin([.beat: 0.0001, .delay: 0], color: .white, from: 48_000, count: 1 << 16).left
        let half = spin([.beat: 25, .delay: 500], color: .white, from: 48_000, count: 1 << 16).left
        func bands(_ samples: [Float]) -> [Double] {
            var sums = [Double](repeating: 0, count: 19)
            for start in stride(from: 0, to: samples.count, by: 2048) {
                var real = samples[start..<start + 2048].map(Double.init)
                var imaginary = [Double](repeating: 0, count: 2048)
                fourierTransform(real: &real, imaginary: &imaginary)
                for bin in 1...777 { sums[bin / 41] += real[bin] * real[bin] + imaginary[bin] * imaginary[bin] }
            }
            return sums
        }
        // The bound covers the random deviation of a sum of 41 x 32 values, and the compression of a noise that comes nearer.
        for (a, b) in zip(bands(whole), bands(half)) { #expect(abs(10 * log10(a / b)) < 0.6) }
    }

    @Test(
        "The sound is the same from any starting point, at the largest delay and at other sample rates",
        arguments: [8000.0, 44_100, 192_000])
    func anyStart(sampleRate: Double) {
        let values: [Parameter: Double] = [.beat: 3, .delay: 5000]
        let whole = spin(values, from: 960, count: 40_000, sampleRate: sampleRate)
        let part = spin(values, from: 17_321, count: 10_000, sampleRate: sampleRate)
        let isSame = Array(whole.left[16_361..<26_361]) == part.left && Array(whole.right[16_361..<26_361]) == part.right
        #expect(isSame)
        #expect(whole.left.contains { $0 != 0 })
        #expect(whole.left.allSatisfy { $0.isFinite })
    }

    @Test("A spin with a tiny delay reads the last row of the taps and nothing beyond it")
    func nextToNothing() {
        // Each row takes the sample in the middle; beyond the table there is NaN.
        let row = (0..<SpinShape.tapCount).map { $0 == SpinShape.tapCount / 2 - 1 ? Float(1) : 0 }
        let taps = (0...SpinShape.phases).flatMap { _ in row } + [Float](repeating: .nan, count: SpinShape.tapCount)
        var samples = [Float](repeating: 0.5, count: 1024 + SpinShape.tapCount)
        var (left, right) = ([Float](repeating: 0, count: 8), [Float](repeating: 0, count: 8))
        var scratch = [Float](repeating: 0, count: 256)
        taps.withUnsafeBufferPointer { taps in
            samples.withUnsafeMutableBufferPointer { samples in
                fillSpin(
                    &left, &right, count: 5, ring: samples.baseAddress!, capacity: 1024, taps: taps.baseAddress!, phases: SpinShape.phases,
                    reach: 64, lateness: [1e-30, -1e-30, 1e-9, .leastNonzeroMagnitude, 0], middle: 164, scratch: &scratch)
            }
        }
        #expect(Array(left[..<5]) == [Float](repeating: 0.5, count: 5))
        #expect(right[..<5] == left[..<5])
    }
}
