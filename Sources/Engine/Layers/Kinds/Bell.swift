// Render thread: a tone that is struck.

import Synthesis

extension LayerCursor {
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findBell(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) {
        findTone(frame, in: layer, limit: &limit)
        strike = layer.pointee.strikes?.strike(at: frame, limit: &limit)
    }
}

extension LayerStretch {
    /// Returns `gain` times the envelope of a strike.
    @_noLocks @_noAllocation
    func struck(_ gain: BlockGain, _ strike: UnsafePointer<Strike>) -> BlockGain {
        fillStrike(scratch.values, count: count, strike: strike, frame: frame)
        return product(gain, scratch.values, in: scratch.gain)
    }
}
