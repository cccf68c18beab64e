import Patches

/// A wave of a sequence (`waveNN`) as the table of a layer: the samples scaled to 0...1, followed by the same samples negated. The
/// smoothest curve through them has a peak of 1.
struct SequenceWave: Equatable {
    let table: [Double]
    /// Whether it sounds the same backwards, from some sample on.
    let isSymmetric: Bool

    /// - Parameter samples: At least two, and at most half of ``Layer/tableSizes``.
    init(_ samples: [Double]) {
        guard let low = samples.min(), let high = samples.max() else {
            (table, isSymmetric) = ([], true)
            return
        }
        let half = samples.map { high > low ? ($0 - low) / (high - low) : 1 }
        let cycle = half + half.map { -$0 }
        // Sixteen points between two samples: the peak is found to 0.01 dB.
        var bits = 4
        while 1 << bits < 16 * cycle.count { bits += 1 }
        let series = FourierSeries(through: cycle)
        let peak = series.cycle(harmonics: series.harmonicCount, bits: bits).reduce(0) { max($0, abs($1)) }
        table = peak > 0 ? cycle.map { min(max($0 / peak, -1), 1) } : cycle
        let count = table.count
        isSymmetric = cycle.indices.contains { shift in
            cycle.indices.allSatisfy { cycle[$0] == cycle[(2 * count - $0 + shift) % count] }
        }
    }

    /// The table played backwards, from the same sample on.
    var reversed: [Double] { table.indices.map { table[(table.count - $0) % table.count] } }
}
