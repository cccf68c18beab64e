import Foundation

/// The frequency, in hertz, at which a stretch of samples has most energy, by the highest bin of a Hann-windowed transform and the parabola through
/// its neighbours. nil for silence.
package func strongestFrequency(_ samples: [Double], sampleRate: Double) -> Double? {
    let count = 1 << (Int.bitWidth - 1 - min(samples.count, 1 << 17).leadingZeroBitCount)
    let mean = samples.prefix(count).reduce(0, +) / Double(count)
    var real = (0..<count).map { (samples[$0] - mean) * (0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(count))) }
    var imaginary = [Double](repeating: 0, count: count)
    fourierTransform(real: &real, imaginary: &imaginary)
    let magnitudes = (0..<(count / 2)).map { hypot(real[$0], imaginary[$0]) }
    guard let peak = magnitudes.indices.dropFirst().max(by: { magnitudes[$0] < magnitudes[$1] }), magnitudes[peak] > 0 else { return nil }
    guard peak + 1 < magnitudes.count, magnitudes[peak - 1] > 0, magnitudes[peak + 1] > 0 else {
        return Double(peak) * sampleRate / Double(count)
    }
    let (left, middle, right) = (log(magnitudes[peak - 1]), log(magnitudes[peak]), log(magnitudes[peak + 1]))
    let offset = (left - right) / (2 * (left - 2 * middle + right))
    return (Double(peak) + (offset.isFinite ? offset : 0)) * sampleRate / Double(count)
}

/// The peak of what lies above `frequency` relative to the peak of the whole, in dB: the click in a tone. A brick wall over the whole slice, which should
/// therefore begin and end in silence: an edge that cuts through a tone is a click of its own. -infinity for silence.
package func peakAbove(_ frequency: Double, in samples: ArraySlice<Double>, sampleRate: Double) -> Double {
    let peak = samples.reduce(0) { max($0, abs($1)) }
    guard peak > 0 else { return -.infinity }
    var count = 1
    while count < samples.count { count *= 2 }
    var real = Array(samples) + [Double](repeating: 0, count: count - samples.count)
    var imaginary = [Double](repeating: 0, count: count)
    fourierTransform(real: &real, imaginary: &imaginary)
    let first = Int((frequency * Double(count) / sampleRate).rounded(.up))
    for bin in 0..<count where min(bin, count - bin) < first {
        (real[bin], imaginary[bin]) = (0, 0)
    }
    fourierTransform(real: &real, imaginary: &imaginary, inverse: true)
    let rest = real.prefix(samples.count).reduce(0) { max($0, abs($1)) } / Double(count)
    return decibels(rest / peak)
}

/// The peak above a frequency in both ears in one pass, relative to the louder one's peak; the slices are equally long.
package func peakAbove(_ frequency: Double, left: [Float], right: [Float], sampleRate: Double) -> Double {
    precondition(left.count == right.count, "both ears have the same number of frames")
    let peak = Double(zip(left, right).reduce(0) { max($0, abs($1.0), abs($1.1)) })
    guard peak > 0 else { return -.infinity }
    var count = 1
    while count < left.count { count *= 2 }
    // A filter that treats a frequency and its negative alike leaves real and imaginary part to themselves.
    let silence = [Double](repeating: 0, count: count - left.count)
    var real = left.map(Double.init) + silence
    var imaginary = right.map(Double.init) + silence
    fourierTransform(real: &real, imaginary: &imaginary)
    let first = Int((frequency * Double(count) / sampleRate).rounded(.up))
    for bin in 0..<count where min(bin, count - bin) < first {
        (real[bin], imaginary[bin]) = (0, 0)
    }
    fourierTransform(real: &real, imaginary: &imaginary, inverse: true)
    let rest = zip(real, imaginary).prefix(left.count).reduce(0) { max($0, abs($1.0), abs($1.1)) } / Double(count)
    return decibels(rest / peak)
}

/// The click in what sounds at that moment: each sample of what lies above `frequency`, relative to the highest sample of both ears within 21 ms at
/// 48 kHz, in dB; the worst of them, and where it is. So a loud moment does not hide a click in a soft one. Sound below
/// -50 dB of full scale counts as -50 dB: 100 dB below that is less than a converter of 24 bits has.
///
/// The band begins over a tenth of the frequency, for a brick wall rings from loud moments into soft ones.
package func clickAbove(_ frequency: Double, left: [Float], right: [Float], sampleRate: Double)
    -> (level: Double, frame: Int, near: Float)
{
    precondition(left.count == right.count, "both ears have the same number of frames")
    var count = 1
    while count < left.count { count *= 2 }
    let silence = [Double](repeating: 0, count: count - left.count)
    var real = left.map(Double.init) + silence
    var imaginary = right.map(Double.init) + silence
    fourierTransform(real: &real, imaginary: &imaginary)
    for bin in 0..<count {
        let t = min(max((Double(min(bin, count - bin)) * sampleRate / Double(count) / frequency - 0.9) / 0.1, 0), 1)
        let gain = t * t * t * (t * (6 * t - 15) + 10) / Double(count)
        real[bin] *= gain
        imaginary[bin] *= gain
    }
    fourierTransform(real: &real, imaginary: &imaginary, inverse: true)
    var worst = (level: 0.0, frame: 0, near: Float(0))
    let block = 256
    let blocks = (left.count + block - 1) / block
    let peaks = (0..<blocks).map { index in
        let frames = index * block..<min((index + 1) * block, left.count)
        return frames.reduce(Float(0)) { max($0, abs(left[$1]), abs(right[$1])) }
    }
    for rest in [real, imaginary] {
        for index in 0..<blocks {
            let near = peaks[max(index - 4, 0)...min(index + 4, blocks - 1)].reduce(0.003_16, max)
            for frame in index * block..<min((index + 1) * block, left.count) where abs(rest[frame]) > worst.level * Double(near) {
                worst = (abs(rest[frame]) / Double(near), frame, near)
            }
        }
    }
    return (decibels(worst.level), worst.frame, worst.near)
}
