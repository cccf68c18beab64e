// Control makes them; the render thread reads their memory.

import Patches
import Synthesis

/// The levels and delays of a sound around the head, as SBaGenX's `orbitbeat` has them.
final class OrbitTables: Sendable {
    private let delays: PieceMemory<Float>
    private let delay: Float

    /// Seconds between the ears at distance 1.
    private static let interauralDelay = 650e-6
    /// Between the ears at distance 1, in dB; each moves by half of it.
    private static let interauralLevel = 14.0

    private static let known = SharedTables<Double, OrbitTables>()

    /// - Parameter sampleRate: In Hz.
    static func tables(sampleRate: Double) -> OrbitTables { known.tables(sampleRate) { OrbitTables(sampleRate: sampleRate) } }

    private init(sampleRate: Double) {
        let cutoffs = Int((OrbitShape.highest - OrbitShape.lowest) / OrbitShape.step) + 2
        delays = PieceMemory(
            (0...cutoffs).map { place in
                // y += (1 - r) (x - y) with r = exp(-2 pi f / rate) delays low frequencies by r / (1 - r) frames.
                let cutoff = Double(OrbitShape.lowest) + Double(place) * Double(OrbitShape.step)
                let rest = PortableMath.exp2(-2 * .pi * 1.442_695_040_888_963_4 * cutoff / sampleRate)
                return Float(rest / (1 - rest))
            })
        delay = Float(Self.interauralDelay * sampleRate)
    }

    // Constants, made when the first plan with an orbit is compiled.
    private static let levels = PieceMemory(
        (0...Int(2 * OrbitShape.widest * OrbitShape.steps) + 2).map { place in
            Float(level(at: Double(place) / Double(OrbitShape.steps) - Double(OrbitShape.widest)))
        })

    var shape: OrbitShape { OrbitShape(levels: Self.levels.base, delays: delays.base, delay: delay) }

    /// The level of an ear for a place from the other side of the head, below 0, to its own; the mean square of both ears is 1.
    private static func level(at place: Double) -> Double {
        let ratio = PortableMath.exp2(-place * interauralLevel / 10 * 3.321_928_094_887_362_3)
        return (2 / (1 + ratio)).squareRoot()
    }
}
