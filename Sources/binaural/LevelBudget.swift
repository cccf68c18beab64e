import Engine
import Foundation
import Patches

/// How loud the layers of a patch can be together: the sum of their gains, which is reached when all their waves meet at a crest.
package struct LevelBudget: Equatable, Sendable {
    /// dBFS; minus infinity when every layer is off.
    package let peak: Double
    /// Seconds from the start of the patch: where it is first reached.
    package let position: Double

    /// Looks where gains have their extremes: at the start, where moves begin and where they end.
    package init(of patch: Patch) {
        let gains = patch.layers.indices.compactMap { index in
            patch.automation(of: .gain, layer: index, edits: []).map { (gain: $0, crest: patch.layers[index].crest) }
        }
        let moves = gains.flatMap(\.gain.moves)
        let end = patch.duration ?? .infinity
        let positions = Set([0] + moves.map(\.start) + moves.map { $0.start + $0.over }).filter { $0 <= end }.sorted()
        var best = (sum: 0.0, position: 0.0)
        for position in positions {
            let sum = gains.reduce(0) { $0 + $1.crest * Self.ratio($1.gain.value(at: position)) }
            // What differs by rounding alone is the same level.
            if sum > best.sum * (1 + 1e-9) { best = (sum, position) }
        }
        peak = 20 * log10(best.sum)
        position = best.position
    }

    private static func ratio(_ decibels: Double) -> Double { decibels <= Parameter.off ? 0 : pow(10, decibels / 20) }
}
