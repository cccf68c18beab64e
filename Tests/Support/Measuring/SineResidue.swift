import Foundation

/// The residual of samples without the one sine that they should contain.
package struct SineResidue: Sendable {
    /// The largest line, dB relative to the sine: at least what it is, at most 0.9 dB more. The DC offset is a line too.
    package let spur: Double
    /// Its frequency in cycles per frame.
    package let spurFrequency: Double
    /// RMS of the whole residual, in dB relative to the RMS of the sine.
    package let rest: Double
    /// Phase of the sine at the first sample, 0..<1 cycles; 0 is a rising zero crossing.
    package let phase: Double

    /// Takes out the sine of `frequency` cycles a frame that fits best (least squares), whatever part of a cycle the samples end with, then looks for
    /// lines under a window of Blackman and Harris, whose sidelobes are 92 dB below each line: a line of the rest hides none of the others.
    ///
    /// - Parameter samples: a power of two, and many cycles of them.
    package init(of samples: [Float], frequency: Double) {
        let count = samples.count
        // cycles, whole ones dropped: what is rounded here is below 1e-11 for a million of them.
        func angle(_ frame: Int) -> Double {
            let cycles = frequency * Double(frame)
            return 2 * .pi * (cycles - cycles.rounded(.down))
        }
        var fit = SineFit()
        var sines = [Double](repeating: 0, count: count)
        var cosines = sines
        for frame in 0..<count {
            (sines[frame], cosines[frame]) = (sin(angle(frame)), cos(angle(frame)))
            fit.add(Double(samples[frame]), sine: sines[frame], cosine: cosines[frame])
        }
        let (a, b, amplitude) = (fit.sine, fit.cosine, fit.amplitude)
        var real = [Double](repeating: 0, count: count)
        var (power, windowSum) = (0.0, 0.0)
        for frame in 0..<count {
            let left = Double(samples[frame]) - a * sines[frame] - b * cosines[frame]
            power += left * left
            let t = 2 * Double.pi * Double(frame) / Double(count)
            let window = 0.35875 - 0.48829 * cos(t) + 0.14128 * cos(2 * t) - 0.01168 * cos(3 * t)
            windowSum += window
            real[frame] = left * window
        }
        var imaginary = [Double](repeating: 0, count: count)
        fourierTransform(real: &real, imaginary: &imaginary)
        var (largest, line) = (0.0, 0)
        for index in 0...count / 2 {
            // The DC offset and what is at half the sample rate have no twin at the negative frequency.
            let height = hypot(real[index], imaginary[index]) * (index == 0 || index == count / 2 ? 1 : 2) / windowSum
            if height > largest { (largest, line) = (height, index) }
        }
        // A line midway between two of the transform seems 0.83 dB lower.
        spur = decibels(largest / amplitude) + 0.83
        spurFrequency = Double(line) / Double(count)
        rest = decibels((2 * power / Double(count)).squareRoot() / amplitude)
        phase = fit.phase < 0 ? fit.phase + 1 : fit.phase
    }
}
