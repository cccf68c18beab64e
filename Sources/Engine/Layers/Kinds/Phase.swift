// Render thread: a tone whose phases in the two ears sway against each other.

import Synthesis

extension LayerCursor {
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findPhase(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) {
        left = layer.pointee.carrier.differences(at: frame, limit: &limit)
        findRotation(frame, in: layer, limit: &limit)
    }
}

extension LayerStretch {
    /// Adds the tone, its phase advanced in one ear as far as it is delayed in the other one.
    @_noLocks @_noAllocation
    func addPhase(
        _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerPieces, to ears: EarOutputs
    ) {
        let depth = pieces.depth
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
        add(scratch.first, to: ears.left)
        add(scratch.second, to: ears.right)
    }
}
