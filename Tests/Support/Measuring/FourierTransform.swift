import Foundation

/// Discrete Fourier transform in place, radix 2 (Cooley and Tukey 1965); the length is a power of two. The inverse is not scaled.
package func fourierTransform(real: inout [Double], imaginary: inout [Double], inverse: Bool = false) {
    let count = real.count
    precondition(count == imaginary.count && count.nonzeroBitCount == 1, "the length has to be a power of two")
    var reversed = 0
    for index in 1..<max(count, 1) {
        var bit = count >> 1
        while reversed & bit != 0 {
            reversed ^= bit
            bit >>= 1
        }
        reversed |= bit
        if index < reversed {
            real.swapAt(index, reversed)
            imaginary.swapAt(index, reversed)
        }
    }
    // Every factor straight from sin and cos: a recurrence would lose digits over half a million steps.
    let factors = (0..<max(count / 2, 1)).map { index in
        let angle = (inverse ? 2 : -2) * Double.pi * Double(index) / Double(count)
        return (cos(angle), sin(angle))
    }
    var half = 1
    while half < count {
        let stride = count / (2 * half)
        for start in Swift.stride(from: 0, to: count, by: 2 * half) {
            for offset in 0..<half {
                let (c, s) = factors[offset * stride]
                let (upper, lower) = (start + offset, start + offset + half)
                let r = real[lower] * c - imaginary[lower] * s
                let i = real[lower] * s + imaginary[lower] * c
                (real[lower], imaginary[lower]) = (real[upper] - r, imaginary[upper] - i)
                (real[upper], imaginary[upper]) = (real[upper] + r, imaginary[upper] + i)
            }
        }
        half *= 2
    }
}
