// Render thread: tones that differ between the ears.

import Synthesis

extension LayerStretch {
    /// Adds pulses of the tone, in the left ear and half a period later in the right one.
    @_noLocks @_noAllocation
    func addBilateral(
        _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerCursor.Pieces, left: UnsafeMutablePointer<Float>, gainLeft: BlockGain,
        right: UnsafeMutablePointer<Float>, gainRight: BlockGain
    ) {
        var phase = cursor.pointee.pulse
        fillPulses(scratch.values, phase: phase, pieces)
        let gainLeft = product(gainLeft, scratch.values, in: scratch.gainLeft)
        phase.phase &+= 1 << 63
        fillPulses(scratch.values, phase: phase, pieces)
        let gainRight = product(gainRight, scratch.values, in: scratch.gainRight)
        fillWave(scratch.first, cursor.pointee.left)
        add(scratch.first, to: left, gain: gainLeft)
        add(scratch.first, to: right, gain: gainRight)
    }

    /// Adds the tone, its phase advanced in one ear as far as it is delayed in the other one.
    @_noLocks @_noAllocation
    func addPhase(
        _ cursor: UnsafePointer<LayerCursor>, depth: UnsafePointer<ValuePiece>, left: UnsafeMutablePointer<Float>, gainLeft: BlockGain,
        right: UnsafeMutablePointer<Float>, gainRight: BlockGain
    ) {
        // Every engine uses the baseline kernel here; otherwise engines would differ by more than their sines do.
        Kernel.baseline.fillSine(scratch.values, count: count, phase: cursor.pointee.pulse)
        if depth.pointee.isConstant {
            scale(scratch.values, count: count, source: scratch.values, by: depth.pointee.c0)
        } else {
            Kernel.baseline.fill(scratch.first, count: count, piece: depth, frame: frame)
            multiply(scratch.values, count: count, scratch.values, scratch.first)
        }
        fillShiftedWave(
            scratch.first, scratch.second, count: count, shape: layer.pointee.wave, phase: cursor.pointee.left, sway: cursor.pointee.pulse,
            shift: scratch.values)
        add(scratch.first, to: left, gain: gainLeft)
        add(scratch.second, to: right, gain: gainRight)
    }

    /// Adds two binaural tones, the lower one with its beat reversed. With h half the beat, left: carrier + h and carrier - 5h, right:
    /// carrier - h and carrier - 3h.
    @_noLocks @_noAllocation
    func addHarmonicBox(
        _ cursor: UnsafePointer<LayerCursor>, _ fades: LayerCursor.Fades?, left: UnsafeMutablePointer<Float>, gainLeft: BlockGain,
        right: UnsafeMutablePointer<Float>, gainRight: BlockGain
    ) {
        let h = cursor.pointee.pulse
        let beat = h + h
        fillPair(cursor.pointee.left + h, cursor.pointee.left - beat - beat - h, fades)
        addHalves()
        add(scratch.first, to: left, gain: gainLeft)
        fillPair(cursor.pointee.right - h, cursor.pointee.right - beat - h, fades, from: 2)
        addHalves()
        add(scratch.first, to: right, gain: gainRight)
    }

    /// Mixes both tones of a pair, each at half its level, into `scratch.first`.
    @_noLocks @_noAllocation
    private func addHalves() {
        Synthesis.add(to: scratch.first, count: count, source: scratch.second)
        scale(scratch.first, count: count, source: scratch.first, by: 0.5)
    }
}

extension LayerStretch {
    /// Fills `out` with the envelope of the pulses, 0...1.
    ///
    /// A moving duty would sweep an edge past the current frame too fast, and a moving edge would kink where its pulse begins to cut it
    /// short. So the duty and edge of one step are crossfaded into those of the next one. Both are values at the start of a step that has
    /// begun, so that a live edit that is still to come is not heard early. The rate moves freely.
    @_noLocks @_noAllocation
    func fillPulses(_ out: UnsafeMutablePointer<Float>, phase: PhaseDifferences, _ pieces: LayerCursor.Pieces) {
        if pieces.second.pointee.isConstant {
            fill(scratch.second, count: count, with: pieces.second.pointee.c0)
        } else {
            kernel.fill(scratch.second, count: count, piece: pieces.second, frame: frame)
        }
        let step = layer.pointee.pulseStep
        var start = frame / step * step
        let since = max(start - step, 0)
        if isSteady(pieces.first, since: since), isSteady(pieces.second, since: since), isSteady(pieces.third, since: since) {
            fillPulses(out, from: 0, count: count, phase: phase, as: frame)
            return
        }
        var done = 0
        while done < count {
            let at = frame + Int64(done)
            let length = Int(min(start + step - at, Int64(count - done)))
            let here = phase.advanced(by: Int64(done))
            fillPulses(out + done, from: done, count: length, phase: here, as: max(start - step, 0))
            fillPulses(scratch.first, from: done, count: length, phase: here, as: start)
            crossfade(out + done, count: length, to: scratch.first, first: at - start, length: step)
            done += length
            start += step
        }
    }

    /// Fills in pulses with the duty and edge scale of one frame, and edge lengths by the rate, from index `from` of the stretch on.
    @_noLocks @_noAllocation
    private func fillPulses(_ out: UnsafeMutablePointer<Float>, from: Int, count: Int, phase: PhaseDifferences, as frame: Int64) {
        let duty = layer.pointee.duty.value(at: frame)
        let scale = layer.pointee.third.value(at: frame)
        Synthesis.fillPulses(
            out, count: count, pulse: phase, duty: duty, edge: scratch.second + from, edgeScale: scale,
            isLongest: isLongest(edge: layer.pointee.edge.value(at: frame) * scale, duty: duty))
    }

    @_noLocks @_noAllocation
    private func isSteady(_ piece: UnsafePointer<ValuePiece>, since frame: Int64) -> Bool {
        piece.pointee.isConstant && piece.pointee.start <= frame
    }

    /// `gain` times one factor per frame, in `out`.
    @_noLocks @_noAllocation
    func product(_ gain: BlockGain, _ factors: UnsafeMutablePointer<Float>, in out: UnsafeMutablePointer<Float>) -> BlockGain {
        if let values = gain.values {
            multiply(out, count: count, values, factors)
        } else {
            scale(out, count: count, source: factors, by: gain.constant)
        }
        return BlockGain(1, values: out)
    }
}
