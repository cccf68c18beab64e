// Render thread: a tone in pulses, the same in both ears.

import Synthesis

extension LayerCursor {
    /// Finds a tone and its pulses.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findPulsedTone(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) {
        findTone(frame, in: layer, limit: &limit)
        pulse = layer.pointee.pulses.rate.differences(at: frame, limit: &limit)
    }
}

extension LayerStretch {
    /// Returns `gain` times the pulses.
    @_noLocks @_noAllocation
    func pulsed(_ gain: BlockGain, _ phase: PhaseDifferences, _ pieces: LayerPieces) -> BlockGain {
        PulseEnvelope(stretch: self, pieces: pieces, phase: phase).product(gain, phase: phase, in: scratch.gain)
    }
}
