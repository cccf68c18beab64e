// Render thread: where a layer is in its tracks of values.

import Synthesis

/// The current pieces of a layer's values. Those that its kind does not have are those of its gain, and never read.
struct LayerPieces: BitwiseCopyable {
    let gain: UnsafePointer<ValuePiece>
    let audible: UnsafePointer<ValuePiece>
    let panLeft: UnsafePointer<ValuePiece>
    let panRight: UnsafePointer<ValuePiece>
    var duty: UnsafePointer<ValuePiece>
    var edge: UnsafePointer<ValuePiece>
    var edgeScale: UnsafePointer<ValuePiece>
    var ownTone: UnsafePointer<ValuePiece>
    var otherTone: UnsafePointer<ValuePiece>
    var sharedNoise: UnsafePointer<ValuePiece>
    var ownNoise: UnsafePointer<ValuePiece>
    var delay: UnsafePointer<ValuePiece>
    var depth: UnsafePointer<ValuePiece>

    @_noLocks @_noAllocation
    @inline(__always)
    init(of layer: UnsafePointer<LayerTracks>, at frame: Int64, limit: inout Int64) {
        gain = layer.pointee.gain.piece(at: frame, limit: &limit)
        audible = layer.pointee.audible.piece(at: frame, limit: &limit)
        panLeft = layer.pointee.panLeft.piece(at: frame, limit: &limit)
        panRight = layer.pointee.panRight.piece(at: frame, limit: &limit)
        (duty, edge, edgeScale, ownTone, otherTone) = (gain, gain, gain, gain, gain)
        (sharedNoise, ownNoise, delay, depth) = (gain, gain, gain, gain)
    }

    /// Finds those of pulses.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findPulses(of layer: UnsafePointer<LayerTracks>, at frame: Int64, limit: inout Int64) {
        duty = layer.pointee.pulses.duty.piece(at: frame, limit: &limit)
        edge = layer.pointee.pulses.edge.piece(at: frame, limit: &limit)
        edgeScale = layer.pointee.pulses.edgeScale.piece(at: frame, limit: &limit)
    }
}
