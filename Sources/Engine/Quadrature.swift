// The thread that decodes.

import Patches

/// Makes the Hilbert transform of what both channels of a sound have in common: every component a quarter of a cycle later.
///
/// The filter is an ideal Hilbert transformer, 2/(pi n) for odd n, under a Kaiser window as wide as 80 dB of attenuation from 20 Hz on need
/// (Oppenheim and Schafer, Discrete-Time Signal Processing, 7.6), so its gain is 1 to 1e-4 from there on. It is symmetrical about its frame and adds no
/// delay, since a file can be read ahead.
final class Quadrature {
    private let reach: Int
    private let transform: FourierTransform
    /// The filter's transform is `i` times these.
    private let response: [Double]
    /// The chunks read last, by number: the left channel, then the right one.
    private var chunks: [Int64: [Float]] = [:]

    /// The lowest frequency in Hz that is shifted without an image.
    private static let lowest = 20.0
    private static let beta = 7.857

    /// - Parameter sampleRate: In Hz.
    init(sampleRate: Double) {
        // Kaiser's estimate of the length for 80 dB and a transition from -20 to 20 Hz.
        reach = Int((80 - 7.95) / (2.285 * 2 * .pi * 2 * Self.lowest / sampleRate) / 2) + 1
        var length = 2
        while length < SoundStream.chunkLength + 2 * reach { length *= 2 }
        let transform = FourierTransform(length: length)
        self.transform = transform
        var real = [Double](repeating: 0, count: length)
        var imaginary = real
        for n in stride(from: 1, through: reach, by: 2) {
            let x = Double(n) / Double(reach + 1)
            let tap = 2 / (.pi * Double(n)) * bessel((1 - x * x).squareRoot() * Self.beta) / bessel(Self.beta)
            real[n] = tap
            real[length - n] = -tap
        }
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { transform.transform(real: real.baseAddress!, imaginary: $0.baseAddress!) }
        }
        response = imaginary
    }

    /// Fills in the quadrature of a chunk.
    func fill(_ out: UnsafeMutablePointer<Float>, ofChunk number: Int64, _ reader: any SoundReader) throws(SoundFailure) {
        let (chunk, length) = (SoundStream.chunkLength, transform.length)
        let around = Int64((reach + chunk - 1) / chunk)
        var real = [Double](repeating: 0, count: length)
        for other in max(number - around, 0)...number + around {
            let both = try both(other, reader)
            // The chunk's own frames begin at `reach`; what is before them or behind them needs room for the reach only.
            let start = reach + Int(other - number) * chunk
            for index in max(0, -start)..<max(0, -start, min(chunk, length - start)) {
                real[start + index] = 0.5 * Double(both[index]) + 0.5 * Double(both[chunk + index])
            }
        }
        chunks = chunks.filter { abs($0.key - number) <= around }
        var imaginary = [Double](repeating: 0, count: length)
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                let (real, imaginary) = (real.baseAddress!, imaginary.baseAddress!)
                transform.transform(real: real, imaginary: imaginary)
                // The inverse transform is the transform of the conjugate's conjugate.
                for line in 0..<length { (real[line], imaginary[line]) = (-imaginary[line] * response[line], -real[line] * response[line]) }
                transform.transform(real: real, imaginary: imaginary)
                for index in 0..<chunk {
                    let sample = Float(real[reach + index] / Double(length))
                    out[index] = sample.isFinite ? sample : 0
                }
            }
        }
    }

    /// Copies the two channels of a chunk.
    func copy(chunk number: Int64, to out: UnsafeMutablePointer<Float>, _ reader: any SoundReader) throws(SoundFailure) {
        let both = try both(number, reader)
        for index in both.indices { out[index] = both[index] }
    }

    private func both(_ number: Int64, _ reader: any SoundReader) throws(SoundFailure) -> [Float] {
        if let known = chunks[number] { return known }
        let chunk = SoundStream.chunkLength
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * chunk)
        defer { memory.deallocate() }
        try reader.read(from: number * Int64(chunk), left: memory, right: memory + chunk, count: chunk)
        let both = Array(UnsafeBufferPointer(start: memory, count: 2 * chunk))
        chunks[number] = both
        return both
    }
}
