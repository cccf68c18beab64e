// Render thread: a pulsing tone that circles the head.

import Synthesis

/// The orbit in a stretch of a layer.
struct OrbitStretch {
    private let effects: EffectStretch
    private let orbit: EffectTracks.Swing
    private let shape: OrbitShape

    /// `nil` if the layer does not have the effect.
    @_noLocks @_noAllocation
    init?(_ effects: EffectStretch) {
        guard let orbit = effects.effects.pointee.orbit, let shape = effects.effects.pointee.orbitShape else { return nil }
        self.effects = effects
        self.orbit = orbit
        self.shape = shape
    }

    private var stretch: LayerStretch { @_noLocks @_noAllocation get { effects.stretch } }
    private var scratch: Scratch { @_noLocks @_noAllocation get { effects.scratch } }
    private var count: Int { @_noLocks @_noAllocation get { effects.count } }

    /// Adds the tone as both ears hear it: late, through a low-pass, and at the level of its place.
    @_noLocks @_noAllocation
    func add(
        _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerPieces, to ears: EarOutputs
    ) {
        let places = (
            left: OrbitShape.Ear(lateness: scratch.lateness, levels: scratch.bandFirst),
            right: OrbitShape.Ear(lateness: scratch.otherFirst, levels: scratch.bandSecond)
        )
        var limit = Int64.max
        effects.fillTurns(by: orbit.rate.differences(at: stretch.frame, limit: &limit))
        let distance = orbit.depth.piece(at: stretch.frame, limit: &limit)
        if distance.pointee.isConstant {
            scratch.fade[0] = distance.pointee.c0
        } else {
            Kernel.baseline.fill(scratch.fade, count: count, piece: distance, frame: stretch.frame)
        }
        shape.fill(
            places.left, places.right, count: count, sines: scratch.share, cosines: scratch.values, distances: scratch.fade,
            isSteady: distance.pointee.isConstant, carrier: cursor.pointee.left)
        add(places.left, cursor, pieces, to: ears.left)
        add(places.right, cursor, pieces, to: ears.right)
    }

    @_noLocks @_noAllocation
    private func add(
        _ ear: OrbitShape.Ear, _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerPieces, to output: EarOutput
    ) {
        fillPulses(scratch.values, cursor.pointee.pulse, pieces, lateness: ear.lateness)
        multiply(ear.levels, count: count, ear.levels, scratch.values)
        fillDelays(scratch.values, count: count, phase: cursor.pointee.left, lateness: ear.lateness)
        if let wave = stretch.layer.pointee.wave {
            fillShiftedWave(
                scratch.first, scratch.second, count: count, shape: wave, phase: cursor.pointee.left, sway: PhaseDifferences(),
                shift: scratch.values)
        } else {
            stretch.kernel.fillShiftedSines(scratch.first, scratch.second, count: count, phase: cursor.pointee.left, shifts: scratch.values)
        }
        multiply(scratch.first, count: count, scratch.first, ear.levels)
        stretch.add(scratch.first, to: output)
    }

    /// Fills in the pulses of an isochronic tone as they are heard late.
    @_noLocks @_noAllocation
    private func fillPulses(
        _ out: UnsafeMutablePointer<Float>, _ phase: PhaseDifferences, _ pieces: LayerPieces, lateness: UnsafePointer<Float>
    ) {
        if let envelope = effects.effects.pointee.envelope {
            envelope.fill(out, count: count, pulse: phase, lateness: lateness)
        } else {
            PulseEnvelope(stretch: stretch, pieces: pieces, phase: phase).fill(out, phase: phase, lateness: lateness)
        }
    }
}
