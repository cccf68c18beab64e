// Render thread: two tones, each of half the level, the same in both ears.

import Synthesis

extension LayerCursor {
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findMonaural(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) {
        let carrier = phase(layer.pointee.carrier, 0, at: frame, limit: &limit)
        let beat = phase(layer.pointee.beat, 1, at: frame, limit: &limit)
        let offset = phase(layer.pointee.offset, 2, at: frame, limit: &limit)
        left = carrier + beat + offset
        right = carrier - beat + offset
    }
}

extension LayerStretch {
    @_noLocks @_noAllocation
    @inline(__always)
    func addMonaural(
        _ cursor: UnsafePointer<LayerCursor>, to ears: EarOutputs
    ) {
        fillPair(cursor.pointee.left, cursor.pointee.right, cursor.pointee.fades)
        mixPair()
        add(scratch.first, to: ears.left)
        add(scratch.first, to: ears.right)
    }

    /// Mixes both tones of a pair, each at half its level, into `scratch.first`.
    @_noLocks @_noAllocation
    func mixPair() {
        Synthesis.add(to: scratch.first, count: count, source: scratch.second)
        scale(scratch.first, count: count, source: scratch.first, by: 0.5)
    }
}
