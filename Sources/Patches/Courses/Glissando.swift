/// A move of a frequency whose ratio to the start is even: equal times give equal intervals.
package struct Glissando: Equatable, Sendable {
    /// Hz at the start, at least ``lowest``.
    package let start: Double
    /// Octaves from the start to the end.
    package let octaves: Double

    /// The lowest frequency in Hz that a move by ratio can begin or end at: a ratio needs frequencies above 0, and takeovers of other moves
    /// may lead a carrier below its range.
    private static let lowest = ParameterDescription.carrier.range.lowerBound

    package init(from source: Double, to target: Double) {
        start = max(source, Self.lowest)
        octaves = PortableMath.log2(max(target, Self.lowest) / start)
    }

    /// The frequency in Hz at a progress, which easings may lead beyond 0...1; relative error below 1e-14.
    package func value(at progress: Double) -> Double { start * PortableMath.exp2(octaves * progress) }
}
