// Control makes them; the render thread reads their memory.

import Patches
import Synthesis

/// The coefficients of two chains of all-pass sections with outputs a quarter of a cycle apart: those of an elliptic half-band filter (Valenzuela and
/// Constantinides, Digital signal processing schemes for efficient interpolation and decimation, IEE Proceedings 130 G, 1983), turned by
/// a quarter of the sample rate. The image of a shift is at -80 dB or below from 20 Hz up to 20 Hz below half the sample rate.
///
/// They add no latency, but shift phases, which a symmetrical filter would do without at a latency of 63 ms.
final class HilbertTables: Sendable {
    private let coefficients: PieceMemory<Double>

    private static let known = SharedTables<Double, HilbertTables>()

    static func tables(sampleRate: Double) -> HilbertTables { known.tables(sampleRate) { HilbertTables(sampleRate: sampleRate) } }

    private init(sampleRate: Double) {
        let turns = (1 - 2 * Self.lowest / sampleRate) / 8
        let tangent = PortableMath.sine(turns: turns) / PortableMath.sine(turns: turns + 0.25)
        let k = tangent * tangent
        // The nome as a power of two, by arithmetic-geometric means of the two quarter periods.
        let nome = -.pi * Self.mean(1, (1 - k * k).squareRoot()) / Self.mean(1, k) * 1.442_695_040_888_963_4
        let ripple = PortableMath.exp2(-Self.attenuation / 10 / 0.301_029_995_663_981_2)
        let a = ripple / (1 - ripple)
        let order = Int((PortableMath.log2(a * a / 16) / nome).rounded(.up)) | 1
        let all = (1...order / 2).map { Self.coefficient($0, order: order, k: k, nome: nome) }
        let even = stride(from: 0, to: all.count, by: 2).map { all[$0] }
        let odd = stride(from: 1, to: all.count, by: 2).map { all[$0] }
        coefficients = PieceMemory(even + odd)
        counts = (even.count, odd.count)
    }

    private let counts: (first: Int, second: Int)
    private static let lowest = 20.0
    private static let attenuation = 86.0

    var shape: HilbertShape { HilbertShape(coefficients: coefficients.base, firstCount: counts.first, secondCount: counts.second) }

    /// The numbers that the chains of one layer remember.
    var memoryCount: Int { HilbertShape.capacity(sections: max(counts.first, counts.second)) }

    private static func mean(_ a: Double, _ b: Double) -> Double {
        var (a, b) = (a, b)
        for _ in 0..<40 { (a, b) = ((a + b) / 2, (a * b).squareRoot()) }
        return a
    }

    /// A coefficient by series of theta functions.
    ///
    /// - Parameter nome: Its binary logarithm.
    private static func coefficient(_ number: Int, order: Int, k: Double, nome: Double) -> Double {
        let turns = Double(number) / Double(2 * order)
        var (numerator, denominator) = (PortableMath.sine(turns: turns), 0.5)
        for i in 1...40 {
            let sign: Double = i % 2 == 0 ? 1 : -1
            numerator +=
                sign * PortableMath.exp2(nome * Double(i * (i + 1))) * PortableMath.sine(turns: Double(2 * i + 1) * turns)
            denominator += sign * PortableMath.exp2(nome * Double(i * i)) * PortableMath.sine(turns: Double(2 * i) * turns + 0.25)
        }
        let w = numerator * numerator * PortableMath.exp2(nome / 2) / (denominator * denominator)
        let x = ((1 - w * k) * (1 - w / k)).squareRoot() / (1 + w)
        return (1 - x) / (1 + x)
    }
}
