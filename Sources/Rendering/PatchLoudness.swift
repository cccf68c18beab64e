import AudioFiles
import Engine
import Patches

/// The loudness of a patch, measured on what is rendered: the whole of a short one, stretches of a long one that are spread evenly over it.
package struct PatchLoudness: Equatable, Sendable {
    /// Integrated loudness in LUFS; `nil` if the patch is silent, or shorter than 0.4 s.
    package let loudness: Double?
    /// The true peak of what was measured, in dB relative to full scale (dBTP).
    package let peak: Double
    /// Seconds that were measured.
    package let measured: Double
    /// Seconds of the patch; of an endless one until a minute after its last move.
    package let whole: Double
    /// Whether the patch never ends.
    package let isEndless: Bool
    /// Whether it has layers that are played live and are silent here.
    package let lacksLayers: Bool

    /// The longest patch that is measured as a whole, in seconds, and the stretches of a longer one.
    private static let (longest, stretchCount, stretch) = (120.0, 24, 5.0)
    private static let (sampleRate, blockSize) = (48_000, 4800)
    /// Frames in which a stretch rises: an abrupt beginning would have a higher true peak than the patch.
    private static let fadeIn = 480
    /// Seconds of an endless patch after its last move.
    private static let rest = 60.0

    /// Measures a patch at 48 kHz under a ceiling in dBFS.
    ///
    /// - Throws: `RenderError` if a sound file cannot be read.
    package init(of patch: Patch, ceiling: Double) throws {
        let plan = PlanCompiler.compile(patch, sampleRate: Double(Self.sampleRate))
        let lastMove = (patch.chapters + patch.cues).map { $0.start + ($0.over ?? 0) }.max() ?? 0
        let whole = patch.duration ?? lastMove + Self.rest
        let isWhole = whole <= Self.longest
        let count = isWhole ? 1 : Self.stretchCount
        let length = isWhole ? whole : Self.stretch
        var (meters, peak): ([LoudnessMeter], Double) = ([], 0)
        for index in 0..<count {
            let start = count > 1 ? (whole - length) * Double(index) / Double(count - 1) : 0
            let range = plan.frame(atPosition: start)..<max(plan.frame(atPosition: start + length), plan.frame(atPosition: start) + 1)
            let meter = LoudnessMeter(sampleRate: Self.sampleRate, frameCount: Int64(range.count), measuresTruePeak: true)
            let source = PlainSource(plan, range, kernel: .best, masterGain: 0, ceiling: ceiling)
            try Self.measure(source, fadeIn: start > 0 ? Self.fadeIn : 0, with: meter)
            peak = max(peak, meter.truePeak)
            meters.append(meter)
        }
        let margin = isWhole ? 0 : Self.margin(of: meters.compactMap(\.loudness))
        (loudness, self.peak) = (LoudnessMeter.loudness(of: meters).map { $0 + margin }, Amplitude.decibels(peak))
        (self.whole, measured, isEndless) = (whole, Double(count) * length, patch.duration == nil)
        lacksLayers = patch.layers.contains { $0.kind == .keys || $0.kind == .input }
    }

    /// The standard error of the mean of stretches, in LU above it: what was not measured may be louder than what was.
    ///
    /// - Parameter levels: The loudness of each stretch in LUFS.
    private static func margin(of levels: [Double]) -> Double {
        guard levels.count > 1 else { return 0 }
        let energies = levels.map { Amplitude.ratio($0) * Amplitude.ratio($0) }
        let (count, mean) = (Double(levels.count), energies.reduce(0, +) / Double(levels.count))
        let variance = energies.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        return Amplitude.decibels((1 + (variance / count).squareRoot() / mean).squareRoot())
    }

    private static func measure(_ source: PlainSource, fadeIn: Int, with meter: LoudnessMeter) throws {
        var buffers = (left: [Float](repeating: 0, count: blockSize), right: [Float](repeating: 0, count: blockSize))
        var rest = source.frameCount
        while rest > 0 {
            let count = Int(min(Int64(blockSize), rest))
            buffers.left.withUnsafeMutableBufferPointer { left in
                buffers.right.withUnsafeMutableBufferPointer { right in
                    let (left, right) = (
                        UnsafeMutableBufferPointer(rebasing: left[..<count]), UnsafeMutableBufferPointer(rebasing: right[..<count])
                    )
                    source.fill(left: left, right: right)
                    if rest == source.frameCount {
                        for frame in 0..<min(fadeIn, count) {
                            let gain = Float(frame) / Float(fadeIn)
                            (left[frame], right[frame]) = (left[frame] * gain, right[frame] * gain)
                        }
                    }
                    meter.add(left: UnsafeBufferPointer(left), right: UnsafeBufferPointer(right))
                }
            }
            if let failure = source.takeSoundFailure() { throw RenderError(.badFile, failure.sentence) }
            rest -= Int64(count)
        }
    }
}

extension PatchLoudness {
    /// The figures, such as `-23.0 LUFS, -14.2 dBTP`. Those of a patch that was not measured as a whole are about so, and are rounded up.
    package var figures: String {
        guard let loudness else { return "silent" }
        let isSampled = measured < whole
        func text(_ level: Double) -> String {
            // A hundredth of a decibel is lost in the measuring.
            LevelBudget.text(isSampled ? (level * 10 - 0.1).rounded(.up) / 10 : level)
        }
        return "\(isSampled ? "about " : "")\(text(loudness)) LUFS, \(text(peak)) dBTP"
    }

    /// The part of the patch that was measured, in words; empty for a whole patch.
    package var basis: String {
        var words: [String] = []
        if measured < whole {
            let part = DurationText.string(from: measured.rounded())
            words.append("measured on \(part) of \(isEndless ? "its first " : "")\(DurationText.string(from: whole.rounded()))")
        } else if isEndless {
            words.append("measured on its first \(DurationText.string(from: whole.rounded()))")
        }
        if lacksLayers { words.append("without its keys and inputs") }
        return words.joined(separator: ", ")
    }
}
