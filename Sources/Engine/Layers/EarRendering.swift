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
        let pulses = PulseEnvelope(stretch: self, pieces: pieces, phase: phase)
        let gainLeft = pulses.product(gainLeft, phase: phase, in: scratch.gainLeft)
        phase.phase &+= 1 << 63
        let gainRight = pulses.product(gainRight, phase: phase, in: scratch.gainRight)
        if gainLeft.isSilent, gainRight.isSilent { return }
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
        kernel.fillBaselineSine(scratch.values, count: count, phase: cursor.pointee.pulse)
        if depth.pointee.isConstant {
            scale(scratch.values, count: count, source: scratch.values, by: depth.pointee.c0)
        } else {
            Kernel.baseline.fill(scratch.first, count: count, piece: depth, frame: frame)
            multiply(scratch.values, count: count, scratch.values, scratch.first)
        }
        if let wave = layer.pointee.wave {
            fillShiftedWave(
                scratch.first, scratch.second, count: count, shape: wave, phase: cursor.pointee.left, sway: cursor.pointee.pulse,
                shift: scratch.values)
        } else {
            kernel.fillShiftedSines(scratch.first, scratch.second, count: count, phase: cursor.pointee.left, shifts: scratch.values)
        }
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
    /// Writes `gain` times one factor per frame to `out`.
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
