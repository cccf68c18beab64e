// The thread that decodes.

import Patches

/// Filters a sound for its effects: makes the bands that they are confined to, and the Hilbert transform of what both channels have in common there.
///
/// The filters are those of ``BandTaps``. They add no delay, since a file can be read ahead.
final class SoundFilter {
    private let parts: SoundParts
    private let reach: Int
    /// The chunks that the filter reaches into on either side.
    private let around: Int
    private let transform: FourierTransform
    /// The transform of the bands' filter, which is real.
    private let bandResponse: [Double]
    /// The transform of the quadrature's filter is `i` times these.
    private let quadratureResponse: [Double]
    private var chunks: RecentChunks

    /// The width in Hz of the transition at an end of a band. So the lowest frequency that is shifted without an image is half of it.
    private static let transition = 40.0

    /// `nil` if there is nothing to filter.
    ///
    /// - Parameter sampleRate: In Hz.
    init?(_ parts: SoundParts, sampleRate: Double) {
        guard !parts.bands.isEmpty || parts.hasQuadrature else { return nil }
        let taps = BandTaps(parts.bands, transition: Self.transition, sampleRate: sampleRate)
        var length = 2
        while length < SoundStream.chunkLength + 2 * taps.reach { length *= 2 }
        self.parts = parts
        reach = taps.reach
        around = (reach + SoundStream.chunkLength - 1) / SoundStream.chunkLength
        // Enough for two layers that are read in turn.
        chunks = RecentChunks(capacity: 2 * (2 * around + 1))
        transform = FourierTransform(length: length)
        bandResponse = parts.bands.isEmpty ? [] : transform.response(taps.passing, sign: 1).real
        quadratureResponse = parts.hasQuadrature ? transform.response(taps.quadrature, sign: -1).imaginary : []
    }

    /// Fills in all channels of a chunk, see ``SoundParts/channels``.
    func fill(_ out: UnsafeMutablePointer<Float>, chunk number: Int64, _ reader: any SoundReader) throws(SoundFailure) {
        let length = SoundStream.chunkLength
        let both = try chunks.chunk(number, of: reader)
        for index in both.indices { out[index] = both[index] }
        var next = out + 2 * length
        if !parts.bands.isEmpty {
            // Both at once, one as the real and one as the imaginary part.
            try filter(number, reader, next, next + length) { left, right in
                (left, right)
            } multiply: { line, real, imaginary in
                (real * self.bandResponse[line], imaginary * self.bandResponse[line])
            }
            next += 2 * length
        }
        if parts.hasQuadrature {
            try filter(number, reader, next, nil) { left, right in
                (0.5 * left + 0.5 * right, 0)
            } multiply: { line, real, imaginary in
                (-imaginary * self.quadratureResponse[line], real * self.quadratureResponse[line])
            }
        }
    }

    /// Transforms a chunk and what the filter reaches, multiplies its lines, and transforms it back.
    ///
    /// - Parameters:
    ///   - mix: The complex signal of two channels.
    ///   - multiply: The product of a line.
    private func filter(
        _ number: Int64, _ reader: any SoundReader, _ realOut: UnsafeMutablePointer<Float>, _ imaginaryOut: UnsafeMutablePointer<Float>?,
        mix: (_ left: Double, _ right: Double) -> (Double, Double),
        multiply: (_ line: Int, _ real: Double, _ imaginary: Double) -> (Double, Double)
    ) throws(SoundFailure) {
        let (chunk, length) = (SoundStream.chunkLength, transform.length)
        var real = [Double](repeating: 0, count: length)
        var imaginary = real
        for other in max(number - Int64(around), 0)...number + Int64(around) {
            let both = try chunks.chunk(other, of: reader)
            // The chunk's own frames begin at `reach`; what is before them or behind them needs room for the reach only.
            let start = reach + Int(other - number) * chunk
            for index in max(0, -start)..<max(0, -start, min(chunk, length - start)) {
                (real[start + index], imaginary[start + index]) = mix(Double(both[index]), Double(both[chunk + index]))
            }
        }
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                let (real, imaginary) = (real.baseAddress!, imaginary.baseAddress!)
                transform.transform(real: real, imaginary: imaginary)
                // The inverse transform is the transform of the conjugate's conjugate.
                for line in 0..<length {
                    let product = multiply(line, real[line], imaginary[line])
                    (real[line], imaginary[line]) = (product.0, -product.1)
                }
                transform.transform(real: real, imaginary: imaginary)
                for index in 0..<chunk {
                    realOut[index] = SoundFilter.finite(real[reach + index] / Double(length))
                    if let imaginaryOut { imaginaryOut[index] = SoundFilter.finite(-imaginary[reach + index] / Double(length)) }
                }
            }
        }
    }

    private static func finite(_ value: Double) -> Float {
        let sample = Float(value)
        return sample.isFinite ? sample : 0
    }
}

extension FourierTransform {
    /// The transform of a filter with taps at 0 and on, and the same at negative times, with a sign.
    fileprivate func response(_ taps: [Double], sign: Double) -> (real: [Double], imaginary: [Double]) {
        var real = [Double](repeating: 0, count: length)
        var imaginary = real
        real[0] = taps[0]
        for n in 1..<taps.count {
            real[n] = taps[n]
            real[length - n] = sign * taps[n]
        }
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { transform(real: real.baseAddress!, imaginary: $0.baseAddress!) }
        }
        return (real, imaginary)
    }
}
