// Render thread: a noise that rotates around the head.

import Synthesis

extension LayerCursor {
    /// Finds the phase of the beat, which turns once for each cycle of it.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findRotation(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) {
        let half = layer.pointee.beat.differences(at: frame, limit: &limit)
        pulse = half + half
    }
}

extension LayerStretch {
    /// Adds the layer: one noise, delayed in one ear and advanced in the other by a sine of the rotation.
    @_noLocks @_noAllocation
    func addSpin(
        _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerPieces, _ workspace: Workspace,
        to ears: EarOutputs
    ) {
        guard let noise = layer.pointee.noise, let spin = layer.pointee.spin else { return }
        let index = layer.pointee.noiseIndex
        fillSpinSource(
            workspace.spins + index, shape: spin, count: count, noise: noise, blocks: workspace.noise + index,
            seedKey: layer.pointee.seedKey, frame: frame, kernel: kernel)
        kernel.fillLateness(
            scratch.values, count: count, phase: cursor.pointee.pulse, delay: pieces.delay, frame: frame, in: scratch.first)
        kernel.fillSpin(
            scratch.first, scratch.second, count: count, ring: workspace.spins[index].samples, capacity: workspace.spins[index].capacity,
            shape: spin, lateness: scratch.values, middle: frame + Int64(spin.reach), scratch: scratch.share)
        add(scratch.first, to: ears.left)
        add(scratch.second, to: ears.right)
    }
}

extension Kernel {
    /// Fills in the frames by which the left ear hears a spin late: its largest delay in frames times the sine of its phase.
    ///
    /// - Parameter values: Scratch space.
    @_noLocks @_noAllocation
    func fillLateness(
        _ lateness: UnsafeMutablePointer<Float>, count: Int, phase: PhaseDifferences, delay: UnsafePointer<ValuePiece>, frame: Int64,
        in values: UnsafeMutablePointer<Float>
    ) {
        // An error of 1e-7 of the delay adds noise at -110 dB, so all kernels have the same.
        fillBaselineSine(lateness, count: count, phase: phase)
        if delay.pointee.isConstant {
            scale(lateness, count: count, source: lateness, by: delay.pointee.c0)
        } else {
            Kernel.baseline.fill(values, count: count, piece: delay, frame: frame)
            multiply(lateness, count: count, lateness, values)
        }
    }
}

/// Fills the ring with all that `count` frames from `frame` on may need: sample k of the noise is in the middle of the head at frame
/// `k - reach`.
@_noLocks @_noAllocation
func fillSpinSource(
    _ source: UnsafeMutablePointer<SpinSource>, shape: SpinShape, count: Int, noise: NoiseShape,
    blocks: UnsafeMutablePointer<NoiseBlocks>, seedKey: UInt64, frame: Int64, kernel: Kernel
) {
    let capacity = source.pointee.capacity
    let second = source.pointee.second
    let end = frame + Int64(count + 2 * shape.reach)
    if frame < source.pointee.start || frame > source.pointee.end {
        source.pointee.start = frame
        source.pointee.end = frame
    }
    while source.pointee.end < end {
        let place = Int(source.pointee.end & Int64(capacity - 1))
        let length = min(min(Int(end - source.pointee.end), capacity - place), 256)
        fillColoredNoise(
            source.pointee.samples + place, second.map { $0 + place }, count: length, shape: noise, blocks: blocks, seedKey: seedKey,
            frame: source.pointee.end, kernel: kernel)
        if place < SpinShape.tapCount {
            for index in place..<min(place + length, SpinShape.tapCount) {
                source.pointee.samples[capacity + index] = source.pointee.samples[index]
                if let second { second[capacity + index] = second[index] }
            }
        }
        source.pointee.end += Int64(length)
    }
    source.pointee.start = max(source.pointee.start, source.pointee.end - Int64(capacity))
}
