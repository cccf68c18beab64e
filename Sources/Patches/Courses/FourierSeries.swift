/// A wave as the sum of its harmonics: `Σ cosines[n] cos(nθ) + sines[n] sin(nθ)`, n from 1 on.
package struct FourierSeries: Sendable {
    private let cosines: [Double]
    private let sines: [Double]

    /// The smoothest wave through equally spaced samples, without their mean; it has at most half as many harmonics as samples.
    package init(through samples: [Double]) {
        let count = samples.count
        let turns = (0..<count).map { PortableMath.sine(turns: Double($0) / Double(count)) }
        let quarter = (0..<count).map { PortableMath.sine(turns: 0.25 + Double($0) / Double(count)) }
        var cosines = [0.0]
        var sines = [0.0]
        for harmonic in stride(from: 1, through: count / 2, by: 1) {
            var (c, s, angle) = (0.0, 0.0, 0)
            for sample in samples {
                c += sample * quarter[angle]
                s += sample * turns[angle]
                angle += harmonic
                if angle >= count { angle -= count }
            }
            // At half as many harmonics as samples, only a cosine passes through them.
            let isLast = 2 * harmonic == count
            cosines.append(c * (isLast ? 1 : 2) / Double(count))
            sines.append(isLast ? 0 : s * 2 / Double(count))
        }
        self.cosines = cosines
        self.sines = sines
    }

    package var harmonicCount: Int { cosines.count - 1 }

    /// One cycle of the first harmonics in `1 << bits` samples, by the fast Fourier transform (radix two, decimation in time).
    package func cycle(harmonics: Int, bits: Int) -> [Double] {
        let size = 1 << bits
        var real = [Double](repeating: 0, count: size)
        var imaginary = real
        for n in 1...max(1, min(harmonics, harmonicCount)) where n < cosines.count {
            let place = (0..<bits).reduce(0) { $0 << 1 | (n >> $1) & 1 }
            // The real part of (c - is) e^(inθ).
            real[place] = cosines[n]
            imaginary[place] = -sines[n]
        }
        let turns = (0..<size).map { PortableMath.sine(turns: Double($0) / Double(size)) }
        var half = 1
        while half < size {
            let stride = size / 2 / half
            for low in 0..<size where low & half == 0 {
                let angle = (low & (half - 1)) * stride
                let (s, c) = (turns[angle], turns[(angle + size / 4) & (size - 1)])
                let high = low + half
                let re = real[high] * c - imaginary[high] * s
                let im = real[high] * s + imaginary[high] * c
                (real[high], imaginary[high]) = (real[low] - re, imaginary[low] - im)
                real[low] += re
                imaginary[low] += im
            }
            half *= 2
        }
        return real
    }
}
