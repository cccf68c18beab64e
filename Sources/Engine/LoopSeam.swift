import Synthesis

/// How long a stretch of a plan has to be, so that it can be played over and over.
package struct LoopSeam: Equatable, Sendable {
    /// Length of the stretch.
    package let frames: Int64
    /// Layers whose every oscillator is, at the end, as far in its cycle as at the start, to ``bound``. The others move, are noise, or
    /// find no common length.
    package let meeting: Set<Int>
    /// By how much those that meet miss each other at most, in cycles.
    package let error: Double

    /// Cycles. What is crossfaded over such a difference loses less than 0.01 dB in the middle.
    package static let bound = 0.01
}

extension Plan {
    /// Looks for the length at which the phases of most layers meet best; of equal ones the longest.
    ///
    /// - Parameters:
    ///   - start: Plan frame.
    ///   - lengths: In frames; none that is shorter or longer.
    ///   - tail: Frames for which the layers have to go on beyond the end as they are at the start.
    package func seam(from start: Int64, lengths: ClosedRange<Int64>, tail: Int64) -> LoopSeam {
        let oscillators = layers.indices.reduce(into: [Int: [UInt64]]()) { result, index in
            result[index] = layers[index].steadyIncrements(in: start..<start + lengths.upperBound + tail)
        }
        let increments = Set(oscillators.values.joined()).sorted()
        var best = (frames: lengths.upperBound, error: 1.0)
        for frames in lengths.reversed() {
            let error = Self.largestMiss(increments, frames, limit: best.error)
            if error < best.error { best = (frames, error) }
            if best.error < Self.exact { break }
        }
        if best.error > LoopSeam.bound { best = (Self.mostMeeting(oscillators, lengths), 0) }
        let meeting = Set(oscillators.filter { Self.largestMiss($0.value, best.frames, limit: 1) <= LoopSeam.bound }.keys)
        let error = meeting.map { Self.largestMiss(oscillators[$0] ?? [], best.frames, limit: 1) }.max() ?? 0
        return LoopSeam(frames: best.frames, meeting: meeting, error: error)
    }

    /// Cycles; what no sample shows.
    private static let exact = 1e-7

    /// How far the worst of these oscillators is from its phase after so many frames, in cycles; not exact above the limit.
    private static func largestMiss(_ increments: [UInt64], _ frames: Int64, limit: Double) -> Double {
        var worst = 0.0
        for increment in increments {
            let phase = Int64(bitPattern: UInt64(bitPattern: frames) &* increment)
            worst = max(worst, Double(phase.magnitude) * 0x1p-64)
            if worst >= limit { break }
        }
        return worst
    }

    /// Where no length suits all, the one that suits the most layers; looked for on a grid, since it is for the ear only.
    private static func mostMeeting(_ oscillators: [Int: [UInt64]], _ lengths: ClosedRange<Int64>) -> Int64 {
        var best = (frames: lengths.upperBound, count: 0)
        let step = max(1, (lengths.upperBound - lengths.lowerBound) / 20_000)
        for frames in stride(from: lengths.upperBound, through: lengths.lowerBound, by: -Int(step)) {
            let count = oscillators.values.count { largestMiss($0, frames, limit: LoopSeam.bound) < LoopSeam.bound }
            if count > best.count { best = (frames, count) }
        }
        return best.frames
    }
}

extension CompiledLayer {
    /// What the phases of the layer's oscillators advance by at each frame, 2^-64 cycle; `nil` when one of them changes in these frames,
    /// and for what is no oscillator.
    fileprivate func steadyIncrements(in frames: Range<Int64>) -> [UInt64]? {
        guard !kind.hasColor, strikes == nil, !kind.isForeign else { return nil }
        var increments: [UInt64] = []
        for track in tracks.values where track.phases != nil {
            var limit = frames.upperBound
            let differences = track.phaseTrack.differences(at: frames.lowerBound, limit: &limit)
            guard limit == frames.upperBound, differences.d2 | differences.d3 | differences.d4 == 0 else { return nil }
            if differences.d1 != 0 { increments.append(differences.d1) }
        }
        return increments
    }
}
