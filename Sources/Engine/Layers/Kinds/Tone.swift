// Render thread: one tone, the same in both ears.

import Synthesis

extension LayerCursor {
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findTone(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) {
        left = phase(layer.pointee.carrier, 0, at: frame, limit: &limit) + phase(layer.pointee.offset, 2, at: frame, limit: &limit)
        right = left
    }
}

extension LayerStretch {
    @_noLocks @_noAllocation
    @inline(__always)
    func addTone(
        _ cursor: UnsafePointer<LayerCursor>, to ears: EarOutputs
    ) {
        fillWave(scratch.first, count: count, cursor.pointee.left)
        add(scratch.first, to: ears.left)
        add(scratch.first, to: ears.right)
    }
}
