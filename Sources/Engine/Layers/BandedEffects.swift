// Render thread: layers whose effects are confined to bands.

import Synthesis

extension EffectStretch {
    /// Adds the layer: what is in its bands with the effects, and the rest without them.
    @_noLocks @_noAllocation
    func render(
        _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerPieces, _ workspace: Workspace,
        _ stream: UnsafeMutablePointer<SoundStream>?, gain: BlockGain, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        let ears = stretch.ears(left, right, gain: gain, pieces)
        let spinByDelay = SpinByDelay(self)
        let rings = spinByDelay?.rings(workspace, stream)
        guard fillRest(workspace, stream, spinByDelay, rings) else { return }
        add(cursor, pieces, to: ears)

        var gain = gain
        if hasPulses { gain = pulsed(gain, cursor.pointee.pulse, pieces) }
        gain = modulated(gain)
        let bandEars = spun(stretch.ears(left, right, gain: gain, pieces))
        if let spinByDelay, let rings { return spinByDelay.add(rings, cursor, pieces, to: bandEars) }
        fillBands(cursor, workspace)
        add(cursor, pieces, to: bandEars)
    }

    /// Fills `scratch.first` and `scratch.second` with what is not in the bands. For files and inputs, it also fills in the bands and their quadrature.
    ///
    /// - Parameter rings: The bands, if they spin by delay; with them, the rest of a file or an input is there already.
    /// - Returns: Whether there is any sound.
    @_noLocks @_noAllocation
    private func fillRest(
        _ workspace: Workspace, _ stream: UnsafeMutablePointer<SoundStream>?, _ spinByDelay: SpinByDelay?, _ rings: SpinByDelay.Rings?
    ) -> Bool {
        let layer = stretch.layer
        if let rest = effects.pointee.rest {
            fillColoredNoise(
                scratch.first, scratch.second, count: count, shape: rest, blocks: workspace.noise + layer.pointee.noiseIndex + 1,
                seedKey: layer.pointee.seedKey, frame: stretch.frame + Int64(spinByDelay?.reach ?? 0), kernel: kernel)
            // Shifted noise is the same in both ears, and so is its rest.
            if isShifted { copy(scratch.first, to: scratch.second) }
            return true
        }
        if spinByDelay != nil { return rings != nil }
        if let stream {
            stream.pointee.fill(scratch, from: stretch.frame, count: count)
        } else {
            return stretch.fillInput() && fillBandsOfInput(workspace)
        }
        takeOutBands()
        return true
    }

    /// Fills in the bands of the input in `scratch.first` and `scratch.second`, and their quadrature, and leaves the rest there.
    ///
    /// - Returns: Whether it has filters, as every input with bands does.
    @_noLocks @_noAllocation
    func fillBandsOfInput(_ workspace: Workspace) -> Bool {
        guard filterInput(workspace) else { return false }
        takeOutBands()
        return true
    }

    /// Takes the bands out of the sound, and mixes both down if the layer is mono.
    @_noLocks @_noAllocation
    private func takeOutBands() {
        subtract(scratch.bandFirst, from: scratch.first)
        subtract(scratch.bandSecond, from: scratch.second)
        mixDown(scratch.first, scratch.second)
        mixDown(scratch.bandFirst, scratch.bandSecond)
    }

    /// Fills `scratch.first` and `scratch.second` with the bands, shifted if the layer has a beat.
    @_noLocks @_noAllocation
    private func fillBands(_ cursor: UnsafePointer<LayerCursor>, _ workspace: Workspace) {
        let layer = stretch.layer
        if let shape = layer.pointee.noise {
            fillColoredNoise(
                scratch.first, scratch.second, count: count, shape: shape, blocks: workspace.noise + layer.pointee.noiseIndex,
                seedKey: layer.pointee.seedKey, frame: stretch.frame, kernel: kernel)
            if isShifted { shift(scratch.first, quadrature: scratch.second, by: cursor.pointee.left) }
        } else {
            copy(scratch.bandFirst, to: scratch.first)
            copy(scratch.bandSecond, to: scratch.second)
            if isShifted { shiftMiddle(by: cursor.pointee.left) }
        }
    }

    /// Adds `scratch.first` and `scratch.second`, which for a noise without a beat are the left ear's noise and another one.
    @_noLocks @_noAllocation
    private func add(
        _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerPieces, to ears: EarOutputs
    ) {
        stretch.add(scratch.first, to: ears.left)
        if effects.pointee.rest != nil, !isShifted {
            stretch.add(scratch.first, to: ears.right, share: pieces.sharedNoise)
            stretch.add(scratch.second, to: ears.right, share: pieces.ownNoise)
        } else {
            stretch.add(scratch.second, to: ears.right)
        }
    }

    /// Lets the filters of an input hear it.
    ///
    /// - Returns: The filters, and where they begin to read.
    @_noLocks @_noAllocation
    func hearInput(_ workspace: Workspace) -> (filter: BandShape, first: UnsafePointer<Float>, second: UnsafePointer<Float>)? {
        guard let filter = effects.pointee.filter, let memory = workspace.filters[stretch.layer.pointee.soundIndex] else { return nil }
        // SAFETY: the memory has room for ``BandShape/memoryCount`` floats at its start.
        let floats = UnsafeMutableRawPointer(memory).bindMemory(to: Float.self, capacity: filter.memoryCount)
        let places = filter.hear(scratch.first, scratch.second, count: count, memory: floats)
        return (filter, places.first, places.second)
    }

    /// Fills in the bands of an input and their quadrature, and delays the input by as much.
    ///
    /// - Returns: Whether it has filters, as every input with bands does.
    @_noLocks @_noAllocation
    private func filterInput(_ workspace: Workspace) -> Bool {
        guard let (filter, first, second) = hearInput(workspace) else { return false }
        let tapCount = filter.tapCount
        kernel.convolve(scratch.bandFirst, count: count, samples: first, taps: filter.taps, tapCount: tapCount)
        if effects.pointee.isMono {
            copy(scratch.bandFirst, to: scratch.bandSecond)
        } else {
            kernel.convolve(scratch.bandSecond, count: count, samples: second, taps: filter.taps, tapCount: tapCount)
        }
        if let taps = filter.quadratureTaps {
            kernel.convolve(scratch.quadrature, count: count, samples: first, taps: taps, tapCount: tapCount)
            if !effects.pointee.isMono {
                kernel.convolve(scratch.second, count: count, samples: second, taps: taps, tapCount: tapCount)
                for i in 0..<count { scratch.quadrature[i] = 0.5 * scratch.quadrature[i] + 0.5 * scratch.second[i] }
            }
        }
        for i in 0..<count {
            scratch.first[i] = first[filter.latency + i]
            scratch.second[i] = second[filter.latency + i]
        }
        return true
    }

    @_noLocks @_noAllocation
    private func subtract(_ band: UnsafePointer<Float>, from samples: UnsafeMutablePointer<Float>) {
        for i in 0..<count { samples[i] -= band[i] }
    }

    @_noLocks @_noAllocation
    private func copy(_ samples: UnsafePointer<Float>, to out: UnsafeMutablePointer<Float>) {
        for i in 0..<count { out[i] = samples[i] }
    }
}
