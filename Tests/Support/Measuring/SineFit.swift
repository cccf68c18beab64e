import Foundation

/// The sine and the cosine that, added up, come nearest to samples (least squares), whatever part of a cycle these end with.
package struct SineFit {
    private var (ss, sc, cc, sx, cx) = (0.0, 0.0, 0.0, 0.0, 0.0)

    package init() {}

    /// Takes one more sample, at which the sine and the cosine of the phase are these.
    package mutating func add(_ sample: Double, sine: Double, cosine: Double) {
        ss += sine * sine
        sc += sine * cosine
        cc += cosine * cosine
        sx += sine * sample
        cx += cosine * sample
    }

    private var determinant: Double { ss * cc - sc * sc }

    /// The amplitude of the sine.
    package var sine: Double { (sx * cc - cx * sc) / determinant }

    /// The amplitude of the cosine.
    package var cosine: Double { (ss * cx - sc * sx) / determinant }

    package var amplitude: Double { hypot(sine, cosine) }

    /// The phase of the samples relative to the sine, -0.5...0.5 cycles.
    package var phase: Double { atan2(cosine, sine) / (2 * .pi) }
}
