import Foundation

/// 20 log10 of a ratio of amplitudes.
package func decibels(_ ratio: Double) -> Double {
    20 * log10(ratio)
}

/// A sine found in samples.
package struct SineMeasurement: Sendable {
    /// In hertz.
    package let frequency: Double
    /// Peak value.
    package let amplitude: Double
    /// In cycles at the first sample, 0..<1; 0 is a rising zero crossing.
    package let phase: Double
    /// RMS of the residual without the sine and the mean, relative to the RMS of the sine.
    package let residualInDecibels: Double
}

/// Measures the one sine that a steady stretch of samples holds: its frequency by the slope of the phase over blocks, repeated around the frequency found
/// until it no longer moves; the residual by a least-squares fit of sine, cosine and mean over the whole. Of clean float samples, 10 s
/// give the frequency to 1e-10 Hz. nil where there is no sine above the noise, or fewer than four cycles.
package func measureSine(_ samples: ArraySlice<Double>, sampleRate: Double, near guess: Double? = nil) -> SineMeasurement? {
    let samples = Array(samples)
    guard samples.count >= 64, var frequency = guess ?? strongestFrequency(samples, sampleRate: sampleRate), frequency > 0,
        Double(samples.count) * frequency / sampleRate >= 4
    else { return nil }
    // Few blocks first, since a wrong guess turns the phase between two blocks by more than half a cycle; then more of them.
    for blockCount in [3, 4, 8, 8, 16, 16, 16] {
        let cyclesInBlock = Double(samples.count / blockCount) * frequency / sampleRate
        guard cyclesInBlock >= 1.5 || blockCount == 3 else { continue }
        frequency += phaseSlope(samples, frequency: frequency, sampleRate: sampleRate, blockCount: blockCount)
    }
    let fit = fitSine(samples[...], firstFrame: 0, frequency: frequency, sampleRate: sampleRate)
    let amplitude = hypot(fit.sine, fit.cosine)
    guard amplitude > 0, frequency > 0 else { return nil }
    let step = 2 * Double.pi * frequency / sampleRate
    let rest = samples.indices.reduce(0.0) { sum, index in
        let difference = samples[index] - fit.sine * sin(step * Double(index)) - fit.cosine * cos(step * Double(index)) - fit.mean
        return sum + difference * difference
    }
    let residual = (rest / Double(samples.count)).squareRoot() / (amplitude / 2.0.squareRoot())
    let phase = atan2(fit.cosine, fit.sine) / (2 * Double.pi)
    return SineMeasurement(
        frequency: frequency, amplitude: amplitude, phase: phase < 0 ? phase + 1 : phase, residualInDecibels: decibels(residual))
}

/// How far the sine is from `frequency`, in hertz: linear regression over the phases of the blocks.
private func phaseSlope(_ samples: [Double], frequency: Double, sampleRate: Double, blockCount: Int) -> Double {
    let length = samples.count / blockCount
    var phases: [Double] = []
    for block in 0..<blockCount {
        let start = block * length
        let fit = fitSine(samples[start..<(start + length)], firstFrame: start, frequency: frequency, sampleRate: sampleRate)
        var phase = atan2(fit.cosine, fit.sine) / (2 * Double.pi)
        if let last = phases.last { phase -= (phase - last).rounded() }
        phases.append(phase)
    }
    let middle = Double(blockCount - 1) / 2
    let meanPhase = phases.reduce(0, +) / Double(blockCount)
    var (covariance, variance) = (0.0, 0.0)
    for (block, phase) in phases.enumerated() {
        covariance += (Double(block) - middle) * (phase - meanPhase)
        variance += (Double(block) - middle) * (Double(block) - middle)
    }
    return covariance / variance / (Double(length) / sampleRate)
}

/// Least squares of `sine` sin + `cosine` cos + `mean`, the angle being that of the frame counted from 0: three normal equations.
private func fitSine(
    _ samples: ArraySlice<Double>, firstFrame: Int, frequency: Double, sampleRate: Double
) -> (sine: Double, cosine: Double, mean: Double) {
    let step = 2 * Double.pi * frequency / sampleRate
    var (ss, sc, cc, s1, c1, sx, cx, x1) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var frame = firstFrame
    for x in samples {
        let (s, c) = (sin(step * Double(frame)), cos(step * Double(frame)))
        ss += s * s
        sc += s * c
        cc += c * c
        s1 += s
        c1 += c
        sx += s * x
        cx += c * x
        x1 += x
        frame += 1
    }
    let n = Double(samples.count)
    // Without the mean, then Cramer's rule for the two that remain.
    let (a, b, d) = (ss - s1 * s1 / n, sc - s1 * c1 / n, cc - c1 * c1 / n)
    let (p, q) = (sx - s1 * x1 / n, cx - c1 * x1 / n)
    let determinant = a * d - b * b
    guard abs(determinant) > 1e-30 else { return (0, 0, x1 / n) }
    let (sine, cosine) = ((p * d - q * b) / determinant, (a * q - b * p) / determinant)
    return (sine, cosine, (x1 - sine * s1 - cosine * c1) / n)
}
