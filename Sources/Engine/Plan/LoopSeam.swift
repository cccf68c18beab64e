import Patches
import Synthesis

/// The length that a stretch of a plan needs for seamless looping.
package struct LoopSeam: Equatable, Sendable {
    /// Length of the stretch, in frames.
    package let frames: Int64
    /// Layers whose oscillators all have the same phase at the end as at the start, to ``bound``. The others move, are noise, or find no
    /// common length.
    package let meeting: Set<Int>
    /// Largest phase difference of the layers that meet, in cycles.
    package let error: Double

    /// Largest phase difference allowed, in cycles. A crossfade over it loses less than 0.01 dB in the middle.
    package static let bound = 0.01
}

extension Plan {
    /// Finds the length at which the phases of most layers meet best; among equally good lengths, the longest. It is one at which the
    /// rates of effects on noises, files and inputs meet as well, if there is one within ``LoopSeam/bound``: those layers are crossfaded, and
    /// their pulses stay in time.
    ///
    /// - Parameters:
    ///   - start: Plan frame.
    ///   - lengths: Allowed lengths, in frames.
    ///   - tail: Frames beyond the end for which the layers have to stay steady.
    package func seam(from start: Int64, lengths: ClosedRange<Int64>, tail: Int64) -> LoopSeam {
        let frames = start..<start + lengths.upperBound + tail
        let oscillators = layers.indices.reduce(into: [Int: [UInt64]]()) { result, index in
            result[index] = layers[index].steadyIncrements(in: frames)
        }
        let (increments, rates) = (Set(oscillators.values.joined()), Set(layers.flatMap { $0.steadyRates(in: frames) }))
        var best = Self.bestMeeting(increments.union(rates), lengths)
        if best.error > LoopSeam.bound, !rates.isSubset(of: increments) { best = Self.bestMeeting(increments, lengths) }
        if best.error > LoopSeam.bound { best = (Self.mostMeeting(oscillators, lengths), 0) }
        let meeting = Set(oscillators.filter { Self.largestMiss($0.value, best.frames, limit: 1) <= LoopSeam.bound }.keys)
        let error = meeting.map { Self.largestMiss(oscillators[$0] ?? [], best.frames, limit: 1) }.max() ?? 0
        return LoopSeam(frames: best.frames, meeting: meeting, error: error)
    }

    /// The length at which all of these phase increments meet best.
    private static func bestMeeting(_ increments: Set<UInt64>, _ lengths: ClosedRange<Int64>) -> (frames: Int64, error: Double) {
        let increments = increments.sorted()
        var best = (frames: lengths.upperBound, error: 1.0)
        for frames in lengths.reversed() {
            let error = largestMiss(increments, frames, limit: best.error)
            if error < best.error { best = (frames, error) }
            if best.error < exact { break }
        }
        return best
    }

    /// Phase difference in cycles that changes no sample.
    private static let exact = 1e-7

    /// The largest phase difference of these oscillators after this many frames, in cycles; not exact above the limit.
    private static func largestMiss(_ increments: [UInt64], _ frames: Int64, limit: Double) -> Double {
        var worst = 0.0
        for increment in increments {
            let phase = Int64(bitPattern: UInt64(bitPattern: frames) &* increment)
            worst = max(worst, Double(phase.magnitude) * 0x1p-64)
            if worst >= limit { break }
        }
        return worst
    }

    /// The length that suits the most layers, if none suits all; searched on a grid, since the ear needs no more.
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
    /// Phase increments of the layer's oscillators, in units of 2^-64 cycle per frame; `nil` if one of them changes in these frames, and
    /// for layers without oscillators.
    fileprivate func steadyIncrements(in frames: Range<Int64>) -> [UInt64]? {
        guard !kind.isNoise, strikes == nil, !kind.isForeign, hasSteadyDistance(in: frames) else { return nil }
        var increments: [UInt64] = []
        for track in tracks.values where track.phases != nil {
            guard let increment = track.steadyIncrement(in: frames) else { return nil }
            if increment != 0 { increments.append(increment) }
        }
        return increments
    }

    /// Whether the distance of an orbit, which delays the tone, stays the same in these frames.
    private func hasSteadyDistance(in frames: Range<Int64>) -> Bool {
        guard effects?.effects.contains(.orbit) == true, let distance = tracks[.distance]?.valueTrack() else { return true }
        var limit = frames.upperBound
        return distance.piece(at: frames.lowerBound, limit: &limit).pointee.isConstant && limit == frames.upperBound
    }

    /// Phase increments of the effects on a noise, a file or an input, and of a spin, as far as they are steady in these frames.
    fileprivate func steadyRates(in frames: Range<Int64>) -> [UInt64] {
        guard kind.isNoise || kind.isForeign else { return [] }
        var rates = kind == .spin ? [Parameter.beat] : []
        if effects?.effects.contains(.pulses) == true { rates.append(.pulseRate) }
        if effects?.effects.contains(.modulation) == true { rates.append(.amRate) }
        if effects?.effects.isDisjoint(with: [.spin, .spinDelay]) == false { rates.append(.spinRate) }
        return rates.compactMap { tracks[$0]?.steadyIncrement(in: frames) }.filter { $0 != 0 }
    }
}

extension ParameterTrack {
    /// The phase increment in units of 2^-64 cycle per frame; `nil` if it changes in these frames.
    fileprivate func steadyIncrement(in frames: Range<Int64>) -> UInt64? {
        var limit = frames.upperBound
        let differences = phaseTrack.differences(at: frames.lowerBound, limit: &limit)
        guard limit == frames.upperBound, differences.d2 | differences.d3 | differences.d4 == 0 else { return nil }
        return differences.d1
    }
}
