// Render thread: where the sound of a layer that spins by delay comes from.

import Synthesis

extension SpinByDelay {
    private var stretch: LayerStretch { @_noLocks @_noAllocation get { effects.stretch } }
    private var scratch: Scratch { @_noLocks @_noAllocation get { effects.scratch } }

    /// Adds what is in the rings, with the gains of the ears; nothing if there is no sound.
    @_noLocks @_noAllocation
    func add(
        _ rings: Rings?, _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerPieces,
        to ears: EarOutputs
    ) {
        guard let rings else { return }
        if case .noise = stretch.layer.pointee.kind, !effects.isShifted {
            fillNoises(rings)
            stretch.add(scratch.first, to: ears.left)
            stretch.add(scratch.otherFirst, to: ears.right, share: pieces.sharedNoise)
            stretch.add(scratch.second, to: ears.right, share: pieces.ownNoise)
        } else {
            fill(rings, shiftedBy: cursor.pointee.left)
            stretch.add(scratch.first, to: ears.left)
            stretch.add(scratch.second, to: ears.right)
        }
    }

    /// Fills the rings of the layer, or of its bands. Of a file or an input with bands, `scratch.first` and `scratch.second` have the rest.
    ///
    /// - Returns: `nil` if there is no sound.
    @_noLocks @_noAllocation
    func rings(_ workspace: Workspace, _ stream: UnsafeMutablePointer<SoundStream>?) -> Rings? {
        if let noise = stretch.layer.pointee.noise { return rings(ofNoise: noise, workspace) }
        if let stream { return rings(ofSound: stream) }
        return rings(ofInput: workspace)
    }

    /// Sample k of the noise is in the middle of the head at frame `k - reach`.
    @_noLocks @_noAllocation
    private func rings(ofNoise noise: NoiseShape, _ workspace: Workspace) -> Rings? {
        let layer = stretch.layer
        let source = workspace.spins + layer.pointee.noiseIndex
        fillSpinSource(
            source, shape: shape, count: effects.count, noise: noise, blocks: workspace.noise + layer.pointee.noiseIndex,
            seedKey: layer.pointee.seedKey, frame: stretch.frame, kernel: effects.kernel)
        guard let second = source.pointee.second else { return nil }
        return Rings(
            first: source.pointee.samples, second: effects.isShifted ? nil : UnsafePointer(second),
            quadrature: effects.isShifted ? UnsafePointer(second) : nil, capacity: source.pointee.capacity,
            middle: stretch.frame + Int64(reach))
    }

    @_noLocks @_noAllocation
    private func rings(ofSound stream: UnsafeMutablePointer<SoundStream>) -> Rings {
        let (wide, count) = (scratch.wide, effects.count)
        let length = count + 2 * reach
        let ready = stream.pointee.copy(to: wide, from: stretch.frame, count: length)
        let fade = stream.pointee.fade(count: count, ready: ready, in: scratch.fade)
        var (first, second) = (wide.first, wide.second)
        if effects.hasBands {
            for i in 0..<count {
                scratch.first[i] = first[reach + i] - wide.bandFirst[reach + i]
                scratch.second[i] = second[reach + i] - wide.bandSecond[reach + i]
            }
            effects.mixDown(scratch.first, scratch.second)
            if let fade {
                multiply(scratch.first, count: count, scratch.first, fade)
                multiply(scratch.second, count: count, scratch.second, fade)
            }
            (first, second) = (wide.bandFirst, wide.bandSecond)
        }
        effects.mixDown(first, second, count: length)
        if effects.isShifted { effects.split(first, second, count: length) }
        return Rings(
            first: first, second: second, quadrature: effects.isShifted ? UnsafePointer(wide.quadrature) : nil,
            capacity: scratch.wideCapacity, middle: Int64(reach), fade: fade)
    }

    /// Takes the next frames of an input, which is heard `reach` frames late.
    @_noLocks @_noAllocation
    private func rings(ofInput workspace: Workspace) -> Rings? {
        let count = effects.count
        guard let line = effects.effects.pointee.delayLine, let memory = workspace.filters[stretch.layer.pointee.soundIndex],
            stretch.fillInput()
        else { return nil }
        // SAFETY: the memory has room for ``DelayLineShape/memoryCount`` floats; the filters use only those before the rings.
        let floats = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Float.self)
        var (first, second, channel) = (scratch.first, scratch.second, 0)
        if effects.hasBands {
            guard effects.fillBandsOfInput(workspace) else { return nil }
            line.write(first, channel: 0, count: count, memory: floats)
            line.write(second, channel: 1, count: count, memory: floats)
            (first, second, channel) = (scratch.bandFirst, scratch.bandSecond, 2)
            if effects.isShifted { effects.split(first, second, count: count) }
        } else {
            _ = effects.splitInput(workspace)
        }
        line.write(first, channel: channel, count: count, memory: floats)
        line.write(second, channel: channel + 1, count: count, memory: floats)
        if effects.isShifted { line.write(scratch.quadrature, channel: channel + 2, count: count, memory: floats) }
        let middle = line.advance(by: count, memory: floats) - reach
        if effects.hasBands {
            let (restFirst, restSecond) = (line.ring(0, floats), line.ring(1, floats))
            for i in 0..<count {
                scratch.first[i] = restFirst[(middle &+ i) & (line.capacity &- 1)]
                scratch.second[i] = restSecond[(middle &+ i) & (line.capacity &- 1)]
            }
        }
        return Rings(
            first: line.ring(channel, floats), second: line.ring(channel + 1, floats),
            quadrature: effects.isShifted ? UnsafePointer(line.ring(channel + 2, floats)) : nil, capacity: line.capacity,
            middle: Int64(middle))
    }
}
