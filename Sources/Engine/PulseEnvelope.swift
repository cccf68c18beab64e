// Render thread: the pulses of a layer.

import Synthesis

/// The envelope of the pulses in a stretch of a layer, 0...1.
///
/// A moving duty would sweep an edge past the current frame too fast, and a moving edge would kink where its pulse begins to cut it short.
/// So the duty and edge of one step are crossfaded into those of the next one. Both are values at the start of a step that has begun, so
/// that a live edit that is still to come is not heard early. The rate moves freely.
struct PulseEnvelope {
    let stretch: LayerStretch
    let pieces: LayerCursor.Pieces

    @_noLocks @_noAllocation
    init(stretch: LayerStretch, pieces: LayerCursor.Pieces) {
        self.stretch = stretch
        self.pieces = pieces
    }

    /// Fills `out`, which is neither `scratch.first` nor `scratch.second`.
    @_noLocks @_noAllocation
    func fill(_ out: UnsafeMutablePointer<Float>, phase: PhaseDifferences) {
        let scratch = stretch.scratch
        let count = stretch.count
        let frame = stretch.frame
        if pieces.second.pointee.isConstant {
            Synthesis.fill(scratch.second, count: count, with: pieces.second.pointee.c0)
        } else {
            stretch.kernel.fill(scratch.second, count: count, piece: pieces.second, frame: frame)
        }
        let step = stretch.layer.pointee.pulseStep
        var start = frame / step * step
        let since = max(start - step, 0)
        if isSteady(pieces.first, since: since), isSteady(pieces.second, since: since), isSteady(pieces.third, since: since) {
            fill(out, from: 0, count: count, phase: phase, as: frame)
            return
        }
        var done = 0
        while done < count {
            let at = frame + Int64(done)
            let length = Int(min(start + step - at, Int64(count - done)))
            let here = phase.advanced(by: Int64(done))
            fill(out + done, from: done, count: length, phase: here, as: max(start - step, 0))
            fill(scratch.first, from: done, count: length, phase: here, as: start)
            crossfade(out + done, count: length, to: scratch.first, first: at - start, length: step)
            done += length
            start += step
        }
    }

    /// Fills in pulses with the duty and edge scale of one frame, and edge lengths by the rate, from index `from` of the stretch on.
    @_noLocks @_noAllocation
    private func fill(_ out: UnsafeMutablePointer<Float>, from: Int, count: Int, phase: PhaseDifferences, as frame: Int64) {
        let layer = stretch.layer
        let duty = layer.pointee.duty.value(at: frame)
        let scale = layer.pointee.third.value(at: frame)
        fillPulses(
            out, count: count, pulse: phase, duty: duty, edge: stretch.scratch.second + from, edgeScale: scale,
            isLongest: isLongest(edge: layer.pointee.edge.value(at: frame) * scale, duty: duty))
    }

    @_noLocks @_noAllocation
    private func isSteady(_ piece: UnsafePointer<ValuePiece>, since frame: Int64) -> Bool {
        piece.pointee.isConstant && piece.pointee.start <= frame
    }
}
