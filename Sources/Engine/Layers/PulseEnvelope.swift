// Render thread: the pulses of a layer.

import Synthesis

/// The envelope of the pulses in a stretch of a layer, 0...1.
///
/// A moving duty would sweep an edge past the current frame too fast, and a moving edge would kink where its pulse begins to cut it short.
/// So the duty and edge of one step are crossfaded into those of the next one. Both are values at the start of a step that has begun, so
/// that a live edit that is still to come is not heard early. The rate moves freely.
struct PulseEnvelope {
    let stretch: LayerStretch
    let pieces: LayerPieces
    /// The frame at which the current step began.
    private let start: Int64
    /// The pulses, if neither their duty nor their edges have changed since the step before.
    private let steady: SteadyPulses?

    /// - Parameter phase: The phase of the pulses, or that of pulses at the same rate.
    @_noLocks @_noAllocation
    init(stretch: LayerStretch, pieces: LayerPieces, phase: PhaseDifferences) {
        self.stretch = stretch
        self.pieces = pieces
        let step = stretch.layer.pointee.pulses.step
        start = stretch.frame / step * step
        let since = max(start - step, 0)
        guard PulseEnvelope.isSteady(pieces.duty, since: since), PulseEnvelope.isSteady(pieces.edge, since: since),
            PulseEnvelope.isSteady(pieces.edgeScale, since: since)
        else {
            steady = nil
            return
        }
        let edge = pieces.edge.pointee.c0
        steady = SteadyPulses(
            PulseEnvelope.shape(duty: pieces.duty.pointee.c0, edge: edge, scale: pieces.edgeScale.pointee.c0), edge: edge, pulse: phase)
    }

    /// Returns `gain` times the envelope; a result with many values is in `out`, which may be the buffer of `gain`. With `scratch.values`,
    /// `scratch.first` and `scratch.second` as scratch space.
    ///
    /// - Parameter depth: How far the level falls between the pulses; `nil` is 1.
    @_noLocks @_noAllocation
    func product(
        _ gain: BlockGain, phase: PhaseDifferences, depth: UnsafePointer<ValuePiece>? = nil, in out: UnsafeMutablePointer<Float>
    ) -> BlockGain {
        let envelope = stretch.scratch.values
        let level = fill(envelope, phase: phase)
        guard let depth, !depth.pointee.isConstant || depth.pointee.c0 != 1 else {
            guard let level else { return stretch.product(gain, envelope, in: out) }
            return level == 0 ? BlockGain(0) : gain
        }
        if let level { Synthesis.fill(envelope, count: stretch.count, with: level) }
        EffectStretch.reduce(envelope, by: depth, in: stretch)
        return stretch.product(gain, envelope, in: out)
    }

    /// Fills `out`.
    ///
    /// - Returns: The level of all frames, if that is the same, 0 or 1; `out` may not be filled then.
    @_noLocks @_noAllocation
    private func fill(_ out: UnsafeMutablePointer<Float>, phase: PhaseDifferences) -> Float? {
        if let steady { return steady.fill(out, count: stretch.count, pulse: phase, kernel: stretch.kernel) }
        fill(out, phase: phase, lateness: nil)
        return nil
    }

    /// Fills `out`, with `scratch.first` and `scratch.second` as scratch space.
    ///
    /// - Parameter lateness: Frames by which the pulses are heard late; `nil` for none.
    @_noLocks @_noAllocation
    func fill(_ out: UnsafeMutablePointer<Float>, phase: PhaseDifferences, lateness: UnsafePointer<Float>?) {
        let (scratch, count, frame) = (stretch.scratch, stretch.count, stretch.frame)
        if let steady, let lateness { return steady.fill(out, count: count, pulse: phase, lateness: lateness) }
        if pieces.edge.pointee.isConstant {
            Synthesis.fill(scratch.second, count: count, with: pieces.edge.pointee.c0)
        } else {
            stretch.kernel.fill(scratch.second, count: count, piece: pieces.edge, frame: frame)
        }
        let step = stretch.layer.pointee.pulses.step
        var begin = start
        var done = 0
        while done < count {
            let at = frame + Int64(done)
            let length = Int(min(begin + step - at, Int64(count - done)))
            let here = phase.advanced(by: Int64(done))
            let (before, now, edges) = (shape(as: max(begin - step, 0)), shape(as: begin), scratch.second + done)
            if let lateness {
                before.fill(out + done, count: length, pulse: here, edges: edges, lateness: lateness + done)
                now.fill(scratch.first, count: length, pulse: here, edges: edges, lateness: lateness + done)
            } else {
                before.fill(out + done, count: length, pulse: here, edges: edges)
                now.fill(scratch.first, count: length, pulse: here, edges: edges)
            }
            crossfade(out + done, count: length, to: scratch.first, first: at - begin, length: step)
            done += length
            begin += step
        }
    }

    /// The duty and edge scale of one frame.
    @_noLocks @_noAllocation
    private func shape(as frame: Int64) -> PulseShape {
        let layer = stretch.layer
        return PulseEnvelope.shape(
            duty: layer.pointee.pulses.duty.value(at: frame), edge: layer.pointee.pulses.edge.value(at: frame),
            scale: layer.pointee.pulses.edgeScale.value(at: frame))
    }

    @_noLocks @_noAllocation
    @inline(__always)
    private static func shape(duty: Float, edge: Float, scale: Float) -> PulseShape {
        PulseShape(duty: duty, edgeScale: scale, isLongest: isLongest(edge: edge * scale, duty: duty))
    }

    @_noLocks @_noAllocation
    private static func isSteady(_ piece: UnsafePointer<ValuePiece>, since frame: Int64) -> Bool {
        piece.pointee.isConstant && piece.pointee.start <= frame
    }
}
