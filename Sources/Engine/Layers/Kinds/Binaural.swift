// Render thread: two tones, one for each ear, or mixed by the width.

import Synthesis

extension LayerPieces {
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findTones(of layer: UnsafePointer<LayerTracks>, at frame: Int64, limit: inout Int64) {
        ownTone = layer.pointee.tones.own.piece(at: frame, limit: &limit)
        otherTone = layer.pointee.tones.other.piece(at: frame, limit: &limit)
    }
}

extension LayerCursor {
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findBinaural(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) {
        let carrier = phase(layer.pointee.carrier, 0, at: frame, limit: &limit)
        let beat = phase(layer.pointee.beat, 1, at: frame, limit: &limit)
        left = carrier + beat + phase(layer.pointee.offset, 2, at: frame, limit: &limit)
        right = carrier - beat
    }

    @_noLocks @_noAllocation
    mutating func findFormOfBinaural(_ found: LayerPieces) {
        guard found.ownTone.pointee.isConstant, found.otherTone.pointee.isConstant else { return }
        findForm(found, own: found.ownTone.pointee.c0, other: found.otherTone.pointee.c0)
    }
}

extension LayerStretch {
    @_noLocks @_noAllocation
    @inline(__always)
    func addBinaural(
        _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerPieces, to ears: EarOutputs
    ) {
        let fades = cursor.pointee.fades
        if layer.pointee.wave == nil, fades == nil, pieces.otherTone.pointee.isSilent {
            addSine(cursor.pointee.left, to: ears.left, share: pieces.ownTone)
            addSine(cursor.pointee.right, to: ears.right, share: pieces.ownTone)
            return
        }
        fillPair(
            layer.pointee.wave?.leftIsBackwards == true ? PhaseDifferences() - cursor.pointee.left : cursor.pointee.left,
            layer.pointee.wave?.rightIsBackwards == true ? PhaseDifferences() - cursor.pointee.right : cursor.pointee.right, fades)
        add(scratch.first, to: ears.left, share: pieces.ownTone)
        add(scratch.second, to: ears.left, share: pieces.otherTone)
        add(scratch.first, to: ears.right, share: pieces.otherTone)
        add(scratch.second, to: ears.right, share: pieces.ownTone)
    }
}
