// Control makes them; the render thread reads their memory.

import Synthesis

/// The taps of the filters of an input with bands. An input cannot be read ahead, so they delay it; the edges of its bands are less steep than a
/// file's, which makes the delay shorter.
final class BandTables: Sendable {
    private let taps: PieceMemory<Float>
    private let quadratureTaps: PieceMemory<Float>?

    private struct Key: Hashable {
        let bands: [ClosedRange<Double>]
        let hasQuadrature: Bool
        let sampleRate: Double
    }

    private static let known = SharedTables<Key, BandTables>()

    static func tables(_ bands: [ClosedRange<Double>], hasQuadrature: Bool, sampleRate: Double) -> BandTables {
        let key = Key(bands: bands, hasQuadrature: hasQuadrature, sampleRate: sampleRate)
        return known.tables(key) { BandTables(key) }
    }

    /// The width in Hz of the transition at an end of a band.
    private static let transition = 100.0

    private init(_ key: Key) {
        let design = BandTaps(key.bands, transition: Self.transition, sampleRate: key.sampleRate)
        latency = design.reach
        taps = PieceMemory((design.passing.dropFirst().reversed() + design.passing).map { Float($0) })
        // Tap n belongs to the sound n frames ago.
        quadratureTaps =
            key.hasQuadrature
            ? PieceMemory((design.quadrature.dropFirst().reversed() + design.quadrature.map { -$0 }).map { Float($0) }) : nil
    }

    /// In frames.
    let latency: Int

    var shape: BandShape { BandShape(latency: latency, taps: taps.base, quadratureTaps: quadratureTaps?.base) }

    var memoryCount: Int { shape.memoryCount }
}
