// Render thread: the effects of a layer.

import Synthesis

/// The effects in a stretch of a layer.
struct EffectStretch {
    let stretch: LayerStretch
    let effects: UnsafePointer<EffectTracks>

    @_noLocks @_noAllocation
    init(stretch: LayerStretch, effects: UnsafePointer<EffectTracks>) {
        self.stretch = stretch
        self.effects = effects
    }

    var hasPulses: Bool {
        @_noLocks @_noAllocation get { effects.pointee.pulseDepth != nil || effects.pointee.envelope != nil }
    }
    var isShifted: Bool {
        @_noLocks @_noAllocation get { effects.pointee.shift != nil }
    }
    var hasBands: Bool {
        @_noLocks @_noAllocation get { effects.pointee.hasBands }
    }
    var scratch: Scratch { @_noLocks @_noAllocation get { stretch.scratch } }
    var count: Int { @_noLocks @_noAllocation get { stretch.count } }
    var kernel: Kernel { @_noLocks @_noAllocation get { stretch.kernel } }

    /// Returns `gain` times the pulses of the layer.
    @_noLocks @_noAllocation
    func pulsed(_ gain: BlockGain, _ phase: PhaseDifferences, _ pieces: LayerPieces) -> BlockGain {
        var limit = Int64.max
        var depth: UnsafePointer<ValuePiece>?
        if let track = effects.pointee.pulseDepth { depth = track.piece(at: stretch.frame, limit: &limit) }
        if let envelope = effects.pointee.envelope {
            envelope.fill(scratch.values, count: count, pulse: phase)
            if let depth { EffectStretch.reduce(scratch.values, by: depth, in: stretch) }
            return stretch.product(gain, scratch.values, in: scratch.gain)
        }
        return PulseEnvelope(stretch: stretch, pieces: pieces, phase: phase).product(gain, phase: phase, depth: depth, in: scratch.gain)
    }

    /// Returns `gain` times a cosine between 1 and 1 minus its depth.
    @_noLocks @_noAllocation
    func modulated(_ gain: BlockGain) -> BlockGain {
        guard let modulation = effects.pointee.modulation else { return gain }
        var limit = Int64.max
        let depth = modulation.depth.piece(at: stretch.frame, limit: &limit)
        if depth.pointee.isSilent { return gain }
        var phase = modulation.rate.differences(at: stretch.frame, limit: &limit)
        phase.phase &+= 1 << 62
        kernel.fillBaselineSine(scratch.values, count: count, phase: phase)
        swing(scratch.share, scratch.values, sign: 1, depth)
        return stretch.product(gain, scratch.share, in: scratch.gain)
    }

    /// Returns both ears, their gains times a sine between 1 and 1 minus its depth, which rises in the right ear as it falls in the left one.
    @_noLocks @_noAllocation
    func spun(_ ears: EarOutputs) -> EarOutputs {
        guard let spin = effects.pointee.spin else { return ears }
        var ears = ears
        var limit = Int64.max
        let depth = spin.depth.piece(at: stretch.frame, limit: &limit)
        if depth.pointee.isSilent { return ears }
        kernel.fillBaselineSine(scratch.values, count: count, phase: spin.rate.differences(at: stretch.frame, limit: &limit))
        swing(scratch.share, scratch.values, sign: -1, depth)
        ears.left.gain = stretch.product(ears.left.gain, scratch.share, in: scratch.gainLeft)
        swing(scratch.share, scratch.values, sign: 1, depth)
        ears.right.gain = stretch.product(ears.right.gain, scratch.share, in: scratch.gainRight)
        return ears
    }

    /// Fills `out` with `1 - depth * (1 - sign * wave) / 2`, with `scratch.second` as scratch space.
    @_noLocks @_noAllocation
    private func swing(
        _ out: UnsafeMutablePointer<Float>, _ wave: UnsafeMutablePointer<Float>, sign: Float, _ depth: UnsafePointer<ValuePiece>
    ) {
        for i in 0..<count { out[i] = 0.5 + 0.5 * sign * wave[i] }
        EffectStretch.reduce(out, by: depth, in: stretch)
    }

    /// Replaces each level by `1 - depth * (1 - level)`, where easings take the depth no further than 0...1, with `scratch.second` as scratch
    /// space.
    @_noLocks @_noAllocation
    static func reduce(_ levels: UnsafeMutablePointer<Float>, by depth: UnsafePointer<ValuePiece>, in stretch: LayerStretch) {
        if depth.pointee.isConstant {
            let factor = min(max(depth.pointee.c0, 0), 1)
            for i in 0..<stretch.count { levels[i] = 1 - factor * (1 - levels[i]) }
        } else {
            let depths = stretch.scratch.second
            Kernel.baseline.fill(depths, count: stretch.count, piece: depth, frame: stretch.frame)
            for i in 0..<stretch.count { levels[i] = 1 - min(max(depths[i], 0), 1) * (1 - levels[i]) }
        }
    }

    /// Shifts the frequencies of a signal up into `samples` and down into `quadrature`, its Hilbert transform: the real parts of the analytic
    /// signal times the exponentials of the phase and of its negative.
    @_noLocks @_noAllocation
    func shift(_ samples: UnsafeMutablePointer<Float>, quadrature: UnsafeMutablePointer<Float>, by phase: PhaseDifferences) {
        fillTurns(by: phase)
        for i in 0..<count {
            let (even, odd) = (samples[i] * scratch.values[i], quadrature[i] * scratch.share[i])
            samples[i] = even - odd
            quadrature[i] = even + odd
        }
    }

    /// Shifts what the left ear hears up and what the right ear hears down: `scratch.first` with its Hilbert transform `scratch.quadrature`, and
    /// `scratch.otherFirst` with `scratch.otherQuadrature`, into `scratch.first` and `scratch.second`.
    @_noLocks @_noAllocation
    func shiftEars(by phase: PhaseDifferences) {
        fillTurns(by: phase)
        for i in 0..<count {
            scratch.first[i] = scratch.first[i] * scratch.values[i] - scratch.quadrature[i] * scratch.share[i]
            scratch.second[i] = scratch.otherFirst[i] * scratch.values[i] + scratch.otherQuadrature[i] * scratch.share[i]
        }
    }

    /// Fills `scratch.share` with the sine of a phase, and `scratch.values` with its cosine.
    @_noLocks @_noAllocation
    func fillTurns(by phase: PhaseDifferences) {
        var cosine = phase
        cosine.phase &+= 1 << 62
        kernel.fillBaselineSine(scratch.share, count: count, phase: phase)
        kernel.fillBaselineSine(scratch.values, count: count, phase: cosine)
    }

    /// Replaces two channels by their middle, if the layer is mono.
    @_noLocks @_noAllocation
    func mixDown(_ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>) { mixDown(first, second, count: count) }

    @_noLocks @_noAllocation
    func mixDown(_ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, count: Int) {
        guard effects.pointee.isMono else { return }
        for i in 0..<count {
            first[i] = 0.5 * first[i] + 0.5 * second[i]
            second[i] = first[i]
        }
    }

    /// Advances a layer that is silent: the filters of an input hear it, so that they are up to date when it sounds again, and a noise is computed
    /// between its pulses too, rather than all at once with the next one.
    @_noLocks @_noAllocation
    func advanceInSilence(_ workspace: Workspace) {
        let layer = stretch.layer
        if effects.pointee.delayLine != nil, let spinByDelay = SpinByDelay(self) {
            _ = spinByDelay.rings(workspace, nil)
            return
        }
        if effects.pointee.hilbert != nil, stretch.fillInput() { _ = splitInput(workspace) }
        if effects.pointee.filter != nil, stretch.fillInput() { _ = hearInput(workspace) }
        guard hasPulses, !hasBands, let shape = layer.pointee.noise else { return }
        if let spin = effects.pointee.spinTaps {
            fillSpinSource(
                workspace.spins + layer.pointee.noiseIndex, shape: spin, count: count, noise: shape,
                blocks: workspace.noise + layer.pointee.noiseIndex, seedKey: layer.pointee.seedKey, frame: stretch.frame, kernel: kernel)
            return
        }
        fillColoredNoise(
            scratch.first, scratch.second, count: count, shape: shape, blocks: workspace.noise + layer.pointee.noiseIndex,
            seedKey: layer.pointee.seedKey, frame: stretch.frame, kernel: kernel)
    }

    /// Splits an input into its middle, the rest and the middle's quadrature, for ``addRest(shiftedBy:)``.
    ///
    /// - Returns: Whether it is shifted, and has been split.
    @_noLocks @_noAllocation
    func splitInput(_ workspace: Workspace) -> Bool {
        guard let hilbert = effects.pointee.hilbert, let memory = workspace.filters[stretch.layer.pointee.soundIndex] else { return false }
        hilbert.split(scratch.first, scratch.second, quadrature: scratch.quadrature, count: count, memory: memory)
        return true
    }

    /// Shifts what the channels `scratch.first` and `scratch.second` have in common, of which `scratch.quadrature` is the Hilbert transform, and
    /// leaves the rest as it is, so that the sound keeps its width.
    @_noLocks @_noAllocation
    func shiftMiddle(by phase: PhaseDifferences) {
        split(scratch.first, scratch.second, count: count)
        addRest(shiftedBy: phase)
    }

    /// Makes the two channels of a signal of which `scratch.first` has the middle, `scratch.second` what the left channel has more of than it, and
    /// `scratch.quadrature` the middle's Hilbert transform, with the middle shifted.
    @_noLocks @_noAllocation
    func addRest(shiftedBy phase: PhaseDifferences) {
        shift(scratch.first, quadrature: scratch.quadrature, by: phase)
        for i in 0..<count {
            scratch.first[i] += scratch.second[i]
            scratch.second[i] = scratch.quadrature[i] - scratch.second[i]
        }
    }
}

extension EffectStretch {
    /// Replaces two channels by what they have in common, and by what the first one has more of than it.
    @_noLocks @_noAllocation
    func split(_ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, count: Int) {
        for i in 0..<count {
            let middle = 0.5 * (first[i] + second[i])
            second[i] = first[i] - middle
            first[i] = middle
        }
    }
}
