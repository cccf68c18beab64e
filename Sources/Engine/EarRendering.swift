// Render thread: tones that are not the same in both ears.

import Synthesis

extension LayerStretch {
    /// Pulses of the tone, in the left ear and half a period later in the right one.
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

    /// The tone, its phase shifted forth in one ear as far as back in the other one.
    @_noLocks @_noAllocation
    func addPhase(
        _ cursor: UnsafePointer<LayerCursor>, depth: UnsafePointer<ValuePiece>, left: UnsafeMutablePointer<Float>, gainLeft: BlockGain,
        right: UnsafeMutablePointer<Float>, gainRight: BlockGain
    ) {
        // The same with each kernel, or they would differ by more than their sines do.
        Kernel.baseline.fillSine(scratch.values, count: count, phase: cursor.pointee.pulse)
        if depth.pointee.isConstant {
            scale(scratch.values, count: count, source: scratch.values, by: depth.pointee.c0)
        } else {
            Kernel.baseline.fill(scratch.first, count: count, piece: depth, frame: frame)
            multiply(scratch.values, count: count, scratch.values, scratch.first)
        }
        fillShiftedWave(
            scratch.first, scratch.second, count: count, shape: layer.pointee.wave, phase: cursor.pointee.left, shift: scratch.values)
        add(scratch.first, to: left, gain: gainLeft)
        add(scratch.second, to: right, gain: gainRight)
    }

    /// Two binaural tones, the lower one with the beat turned round: h being half the beat, left carrier + h and carrier - 5h, right
    /// carrier - h and carrier - 3h.
    @_noLocks @_noAllocation
    func addHarmonicBox(
        _ cursor: UnsafePointer<LayerCursor>, left: UnsafeMutablePointer<Float>, gainLeft: BlockGain,
        right: UnsafeMutablePointer<Float>, gainRight: BlockGain
    ) {
        let h = cursor.pointee.pulse
        let beat = h + h
        fillPair(cursor.pointee.left + h, cursor.pointee.left - beat - beat - h)
        add(scratch.first, to: left, gain: gainLeft)
        fillPair(cursor.pointee.right - h, cursor.pointee.right - beat - h)
        add(scratch.first, to: right, gain: gainRight)
    }

    /// Two tones of half the level into `scratch.first`.
    @_noLocks @_noAllocation
    private func fillPair(_ one: PhaseDifferences, _ other: PhaseDifferences) {
        fillWave(scratch.first, one)
        fillWave(scratch.second, other)
        Synthesis.add(to: scratch.first, count: count, source: scratch.second)
        scale(scratch.first, count: count, source: scratch.first, by: 0.5)
    }
}

extension LayerStretch {
    /// The height of the pulses.
    @_noLocks @_noAllocation
    func fillPulses(_ out: UnsafeMutablePointer<Float>, phase: PhaseDifferences, _ pieces: LayerCursor.Pieces) {
        fillValues(scratch.second, of: pieces.second)
        if !(pieces.third.pointee.isConstant && pieces.third.pointee.c0 == 1) {
            fillValues(scratch.first, of: pieces.third)
            multiply(scratch.second, count: count, scratch.second, scratch.first)
        }
        fillValues(scratch.first, of: pieces.first)
        Synthesis.fillPulses(out, count: count, pulse: phase, duty: scratch.first, edge: scratch.second)
    }

    /// `gain` times many values.
    @_noLocks @_noAllocation
    func product(_ gain: BlockGain, _ factors: UnsafeMutablePointer<Float>, in out: UnsafeMutablePointer<Float>) -> BlockGain {
        if let values = gain.values {
            multiply(out, count: count, values, factors)
        } else {
            scale(out, count: count, source: factors, by: gain.constant)
        }
        return BlockGain(1, values: out)
    }

    @_noLocks @_noAllocation
    func fillValues(_ out: UnsafeMutablePointer<Float>, of piece: UnsafePointer<ValuePiece>) {
        if piece.pointee.isConstant {
            fill(out, count: count, with: piece.pointee.c0)
        } else {
            kernel.fill(out, count: count, piece: piece, frame: frame)
        }
    }
}
