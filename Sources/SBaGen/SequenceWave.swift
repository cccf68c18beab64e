import Patches

/// A wave of a sequence (`waveNN`) as the table of a layer: the samples scaled to 0...1, followed by the same samples negated. The
/// smoothest curve through them has a peak of 1.
enum SequenceWave {
    /// - Parameter samples: At least two, and at most half of ``Layer/tableSizes``.
    static func table(_ samples: [Double]) -> [Double] {
        // Their difference may be too large for a number.
        let scale = samples.reduce(0) { max($0, abs($1)) }
        let scaled = scale > 0 ? samples.map { $0 / scale } : samples
        guard let low = scaled.min(), let high = scaled.max() else { return [] }
        let half = scaled.map { high > low ? ($0 - low) / (high - low) : 1 }
        let cycle = half + half.map { -$0 }
        // Sixteen points between two samples: the peak is found to 0.01 dB.
        var bits = 4
        while 1 << bits < 16 * cycle.count { bits += 1 }
        let series = FourierSeries(through: cycle)
        let peak = series.cycle(harmonics: series.harmonicCount, bits: bits).reduce(0) { max($0, abs($1)) }
        return peak > 0 ? cycle.map { min(max($0 / peak, -1), 1) } : cycle
    }
}
