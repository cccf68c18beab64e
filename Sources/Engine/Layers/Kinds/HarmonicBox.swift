// Render thread: two binaural tones, each of half the level, the lower one with its beat reversed.

import Synthesis

extension LayerCursor {
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findHarmonicBox(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) {
        right = layer.pointee.carrier.differences(at: frame, limit: &limit)
        left = right + layer.pointee.offset.differences(at: frame, limit: &limit)
        pulse = layer.pointee.beat.differences(at: frame, limit: &limit)
    }
}

extension LayerStretch {
    /// Adds two binaural tones, the lower one with its beat reversed. With h half the beat, left: carrier + h and carrier - 5h, right:
    /// carrier - h and carrier - 3h.
    @_noLocks @_noAllocation
    func addHarmonicBox(
        _ cursor: UnsafePointer<LayerCursor>, to ears: EarOutputs
    ) {
        let fades = cursor.pointee.fades
        let h = cursor.pointee.pulse
        let beat = h + h
        fillPair(cursor.pointee.left + h, cursor.pointee.left - beat - beat - h, fades)
        mixPair()
        add(scratch.first, to: ears.left)
        fillPair(cursor.pointee.right - h, cursor.pointee.right - beat - h, fades, from: 2)
        mixPair()
        add(scratch.first, to: ears.right)
    }
}
