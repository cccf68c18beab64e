// Render thread: leads from a layer's kind to the file that is about it.

import Patches
import Synthesis

extension LayerPieces {
    /// Finds those that not all layers have.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findOwn(of layer: UnsafePointer<LayerTracks>, at frame: Int64, limit: inout Int64) {
        switch layer.pointee.kind {
        case .binaural: findTones(of: layer, at: frame, limit: &limit)
        case .noise: findNoise(of: layer, at: frame, limit: &limit)
        case .isochronic, .bilateral, .file, .input: findPulses(of: layer, at: frame, limit: &limit)
        case .phase: depth = layer.pointee.depth.piece(at: frame, limit: &limit)
        case .spin: delay = layer.pointee.delay.piece(at: frame, limit: &limit)
        case .tone, .monaural, .harmonicBox, .bell, .keys: break
        }
    }
}

extension LayerCursor {
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findPhases(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) {
        switch layer.pointee.kind {
        case .tone: findTone(frame, in: layer, limit: &limit)
        case .binaural: findBinaural(frame, in: layer, limit: &limit)
        case .monaural: findMonaural(frame, in: layer, limit: &limit)
        case .isochronic, .bilateral: findPulsedTone(frame, in: layer, limit: &limit)
        case .bell: findBell(frame, in: layer, limit: &limit)
        case .phase: findPhase(frame, in: layer, limit: &limit)
        case .harmonicBox: findHarmonicBox(frame, in: layer, limit: &limit)
        case .spin: findRotation(frame, in: layer, limit: &limit)
        case .noise: findNoise(frame, in: layer, limit: &limit)
        case .file, .input: pulse = layer.pointee.pulses.rate.differences(at: frame, limit: &limit)
        case .keys: pulse = layer.pointee.beat.differences(at: frame, limit: &limit)
        }
    }

    /// Finds a form for layers that need no effects, waves or fades; ``Form/any`` renders all others.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findForm(of layer: UnsafePointer<LayerTracks>, _ found: LayerPieces) {
        switch layer.pointee.kind {
        case .tone: findForm(found, own: 1, other: 0)
        case .binaural: findFormOfBinaural(found)
        case .monaural: findForm(found, own: 0.5, other: 0.5)
        case .noise: findFormOfNoise(of: layer, found)
        default: break
        }
    }
}

extension LayerStretch {
    /// Adds the layer's own sound at the gains of the ears.
    @_noLocks @_noAllocation
    @inline(__always)
    func addOwn(
        _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerPieces, _ effects: EffectStretch?, _ workspace: Workspace,
        _ stream: UnsafeMutablePointer<SoundStream>?, to ears: EarOutputs
    ) {
        switch layer.pointee.kind {
        case .tone, .isochronic, .bell: addTone(cursor, to: ears)
        case .binaural: addBinaural(cursor, pieces, to: ears)
        case .monaural: addMonaural(cursor, to: ears)
        case .bilateral: addBilateral(cursor, pieces, to: ears)
        case .phase: addPhase(cursor, pieces, to: ears)
        case .harmonicBox: addHarmonicBox(cursor, to: ears)
        case .spin: addSpin(cursor, pieces, workspace, to: ears)
        case .noise: addNoise(cursor, pieces, effects, workspace, to: ears)
        case .file: stream?.pointee.add(self, effects, cursor, to: ears)
        case .input: addInput(effects, cursor, workspace, to: ears)
        case .keys: addKeys(cursor, workspace, to: ears)
        }
    }
}
