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

    /// The width in Hz of the transition at an end of a band, and of those of a shift that begins in the bass, where a component and its image
    /// are near each other.
    private static let (transition, transitionOfBass) = (100.0, 40.0)
    /// The sample rate in Hz up to which that holds. Beyond it the transitions are wider, since the taps would take too long.
    private static let fullRate = 96_000.0

    private init(_ key: Key) {
        let isInBass = key.hasQuadrature && key.bands.contains { $0.lowerBound < Self.transition / 2 }
        let design = BandTaps(
            key.bands, transition: (isInBass ? Self.transitionOfBass : Self.transition) * max(1, key.sampleRate / Self.fullRate),
            sampleRate: key.sampleRate)
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
