import PatchFiles
import Patches

/// A wave of a sequence (`waveNN`) as the table of a layer: the samples scaled to 0...1, followed by the same samples negated. The
/// smoothest curve through them has a peak of 1.
enum SequenceWave {
    /// The samples that a line defines; faults are reported.
    static func samples(_ line: SequenceText.Line, in source: SequenceText) -> [Double] {
        var samples: [Double] = []
        for word in line.words.dropFirst() {
            guard let sample = NumberText.parse(word.text), sample.isFinite else {
                // One is enough: each fault has a copy of its line.
                source.report(.badWave(word.text), at: word.place)
                break
            }
            samples.append(sample)
        }
        // Each sample is used twice.
        let limit = Layer.tableSizes.upperBound / 2
        if line.words.count - 1 < 2 { source.report(.waveTooShort(line.words.count - 1), at: line.start) }
        if samples.count > limit { source.report(.waveTooLong(limit: limit), at: line.words[limit + 1].place) }
        return Array(samples.prefix(limit))
    }

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
