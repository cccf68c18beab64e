// Render thread: a tone in pulses, which alternate between the ears.

import Synthesis

extension LayerStretch {
    /// Adds pulses of the tone, in the left ear and half a period later in the right one.
    @_noLocks @_noAllocation
    func addBilateral(
        _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerPieces, to ears: EarOutputs
    ) {
        var phase = cursor.pointee.pulse
        let pulses = PulseEnvelope(stretch: self, pieces: pieces, phase: phase)
        var ears = ears
        ears.left.gain = pulses.product(ears.left.gain, phase: phase, in: scratch.gainLeft)
        phase.phase &+= 1 << 63
        ears.right.gain = pulses.product(ears.right.gain, phase: phase, in: scratch.gainRight)
        if !ears.left.gain.isSilent || !ears.right.gain.isSilent { addTone(cursor, to: ears) }
    }
}
