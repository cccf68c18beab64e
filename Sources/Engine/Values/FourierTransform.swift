// Control and decoding threads.

import Patches

/// A discrete Fourier transform of a length that is a power of two (Cooley and Tukey 1965, radix two, in place), in double precision and with
/// the same bits on every machine.
struct FourierTransform: Sendable {
    let length: Int
    /// Cosines and sines of the multiples of a cycle's `length`-th part, half a cycle of them.
    private let cosines: [Double]
    private let sines: [Double]

    init(length: Int) {
        precondition(length > 1 && length & (length - 1) == 0, "A transform needs a power of two.")
        self.length = length
        cosines = (0..<length / 2).map { PortableMath.sine(turns: Double($0) / Double(length) + 0.25) }
        sines = (0..<length / 2).map { PortableMath.sine(turns: Double($0) / Double(length)) }
    }

    /// Transforms `length` complex numbers, with the sign -1 in the exponent.
    func transform(real: UnsafeMutablePointer<Double>, imaginary: UnsafeMutablePointer<Double>) {
        var other = 0
        for index in 0..<length {
            if index < other {
                swap(&real[index], &real[other])
                swap(&imaginary[index], &imaginary[other])
            }
            var bit = length / 2
            while bit > 0, other & bit != 0 {
                other ^= bit
                bit /= 2
            }
            other |= bit
        }
        var half = 1
        while half < length {
            let step = length / (2 * half)
            for start in stride(from: 0, to: length, by: 2 * half) {
                for offset in 0..<half {
                    let (c, s) = (cosines[offset * step], sines[offset * step])
                    let (low, high) = (start + offset, start + offset + half)
                    let x = real[high] * c + imaginary[high] * s
                    let y = imaginary[high] * c - real[high] * s
                    (real[high], imaginary[high]) = (real[low] - x, imaginary[low] - y)
                    (real[low], imaginary[low]) = (real[low] + x, imaginary[low] + y)
                }
            }
            half *= 2
        }
    }
}
