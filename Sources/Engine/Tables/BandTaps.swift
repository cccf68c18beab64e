// Control and decoding threads.

import Patches

/// The taps of two filters that pass some bands of a spectrum: one leaves them as they are, the other makes their Hilbert transform, every
/// component a quarter of a cycle later. The first is symmetrical about its frame, the second antisymmetrical, so neither shifts a phase.
///
/// They are ideal filters, (sin(bn) - sin(an))/(pi n) and (cos(an) - cos(bn))/(pi n) for a band from a to b radians per frame, under a Kaiser window
/// for 80 dB (Oppenheim and Schafer, Discrete-Time Signal Processing, 7.6). At the end of a band the gain is 1/2; half the width of the transition
/// away it is 1 or 0, to 1e-4.
struct BandTaps {
    /// The frames from the middle tap to the last one.
    let reach: Int
    /// Taps 0 to ``reach`` of the first filter.
    let passing: [Double]
    /// The same of the second one.
    let quadrature: [Double]

    private static let beta = 7.857

    /// - Parameters:
    ///   - bands: In Hz; empty for everything.
    ///   - transition: The width in Hz of the transition at an end of a band.
    ///   - sampleRate: In Hz.
    init(_ bands: [ClosedRange<Double>], transition: Double, sampleRate: Double) {
        // Kaiser's estimate of the length for 80 dB.
        reach = Int((80 - 7.95) / (2.285 * 2 * .pi * transition / sampleRate) / 2) + 1
        /// Cycles per frame, up to half a cycle.
        let ends = bands.isEmpty ? [(0, 0.5)] : bands.map { (min($0.lowerBound / sampleRate, 0.5), min($0.upperBound / sampleRate, 0.5)) }
        var passing = [ends.reduce(0) { $0 + 2 * ($1.1 - $1.0) }]
        var quadrature = [0.0]
        for n in 1...reach {
            let x = Double(n) / Double(reach + 1)
            let (window, peak) = (bessel((1 - x * x).squareRoot() * Self.beta), bessel(Self.beta))
            var (sine, cosine) = (0.0, 0.0)
            for (low, high) in ends {
                sine += PortableMath.sine(turns: high * Double(n)) - PortableMath.sine(turns: low * Double(n))
                cosine += PortableMath.sine(turns: low * Double(n) + 0.25) - PortableMath.sine(turns: high * Double(n) + 0.25)
            }
            passing.append(sine / (.pi * Double(n)) * window / peak)
            quadrature.append(cosine / (.pi * Double(n)) * window / peak)
        }
        self.passing = passing
        self.quadrature = quadrature
    }
}
