// Render thread: a noise that rotates around the head.

import Synthesis

extension LayerStretch {
    /// Adds the layer: one noise, delayed in one ear and advanced in the other by a sine of the rotation.
    @_noLocks @_noAllocation
    func addSpin(
        _ cursor: UnsafePointer<LayerCursor>, _ workspace: Workspace, delay: UnsafePointer<ValuePiece>,
        left: UnsafeMutablePointer<Float>, gainLeft: BlockGain, right: UnsafeMutablePointer<Float>, gainRight: BlockGain
    ) {
        guard let noise = layer.pointee.noise, let spin = layer.pointee.spin else { return }
        let index = layer.pointee.noiseIndex
        fillSpinSource(
            workspace.spins + index, shape: spin, count: count, noise: noise, blocks: workspace.noise + index, seed: layer.pointee.seed,
            frame: frame, unused: scratch.second)
        // An error of 1e-7 of the delay adds noise at -110 dB, so every engine uses the baseline kernel.
        Kernel.baseline.fillSine(scratch.values, count: count, phase: cursor.pointee.pulse)
        if delay.pointee.isConstant {
            scale(scratch.values, count: count, source: scratch.values, by: delay.pointee.c0)
        } else {
            Kernel.baseline.fill(scratch.first, count: count, piece: delay, frame: frame)
            multiply(scratch.values, count: count, scratch.values, scratch.first)
        }
        fillSpin(
            scratch.first, scratch.second, count: count, source: workspace.spins + index, shape: spin, lateness: scratch.values,
            frame: frame)
        add(scratch.first, to: left, gain: gainLeft)
        add(scratch.second, to: right, gain: gainRight)
    }
}
