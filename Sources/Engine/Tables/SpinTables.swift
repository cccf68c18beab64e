import Patches
import Synthesis

/// The taps with which a spin interpolates its noise: a sinc with Kaiser's window (beta 5.65: aliases are 60 dB down, and the response is
/// flat up to 0.38 of the sample rate).
final class SpinTables: Sendable {
    private let taps: PieceMemory<Float>
    private let reach: Int

    init(sampleRate: Double) {
        reach = Self.reach(sampleRate: sampleRate)
        taps = SpinTables.taps
    }

    /// The largest delay in frames, plus room for the taps.
    static func reach(sampleRate: Double) -> Int {
        Int((ParameterDescription.delay.range.upperBound * 1e-6 * sampleRate).rounded(.up)) + SpinShape.tapCount
    }

    var shape: SpinShape { SpinShape(taps: taps.base, reach: reach) }

    // Constants, made when the first plan with a spin is compiled.
    private static let taps = PieceMemory(
        (0...SpinShape.phases).flatMap { row -> [Float] in
            let part = Double(row) / Double(SpinShape.phases)
            let weights = (0..<SpinShape.tapCount).map { tap in weight(at: Double(tap - SpinShape.tapCount / 2 + 1) - part) }
            // Normalized to a gain of 1 at 0 Hz.
            let sum = weights.reduce(0, +)
            return weights.map { Float($0 / sum) }
        })

    private static func weight(at x: Double) -> Double {
        let half = Double(SpinShape.tapCount / 2)
        guard abs(x) < half else { return 0 }
        let sinc = x == 0 ? 1 : PortableMath.sine(turns: x / 2) / (.pi * x)
        return sinc * bessel(5.65 * (1 - x * x / (half * half)).squareRoot()) / bessel(5.65)
    }
}

/// The modified Bessel function of the first kind and order 0, by its series; for Kaiser's window.
func bessel(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    for n in 1...30 {
        term *= (x / 2 / Double(n)) * (x / 2 / Double(n))
        sum += term
    }
    return sum
}
