// Render thread: renders one layer of a plan.

import Synthesis

/// A stretch of a layer's frames in which each of its tracks stays in one piece. A frame depends on the pieces it is in and never on where
/// the stretch begins, so it is the same however the sound is cut into blocks.
struct LayerStretch {
    let layer: UnsafePointer<LayerTracks>
    let kernel: Kernel
    let scratch: Scratch
    /// The plan frame at which it begins.
    let frame: Int64
    let count: Int
    /// The number of frames from the start of the block to its beginning.
    let offset: Int

    /// Returns `gain` times the value of a piece; a result with many values is in `out`, which may be the buffer of `gain`.
    @_noLocks @_noAllocation
    @inline(__always)
    func product(_ gain: BlockGain, _ piece: UnsafePointer<ValuePiece>, in out: UnsafeMutablePointer<Float>) -> BlockGain {
        if piece.pointee.isConstant, gain.values == nil { return BlockGain(gain.constant * piece.pointee.c0) }
        return frameProduct(gain, piece, in: out)
    }

    /// The product where one of the two has a value for each frame.
    @_noLocks @_noAllocation
    @inline(never)
    private func frameProduct(
        _ gain: BlockGain, _ piece: UnsafePointer<ValuePiece>, in out: UnsafeMutablePointer<Float>
    ) -> BlockGain {
        if piece.pointee.isConstant, let values = gain.values {
            let factor = piece.pointee.c0
            if factor == 1 { return gain }
            if factor == 0 { return BlockGain(0) }
            scale(out, count: count, source: values, by: factor)
            return BlockGain(1, values: out)
        }
        if let values = gain.values {
            kernel.fill(scratch.values, count: count, piece: piece, frame: frame)
            multiply(out, count: count, values, scratch.values)
        } else {
            kernel.fill(out, count: count, piece: piece, frame: frame)
            if gain.constant != 1 { scale(out, count: count, source: out, by: gain.constant) }
        }
        return BlockGain(1, values: out)
    }

    /// Writes `gain` times one factor per frame to `out`.
    @_noLocks @_noAllocation
    func product(_ gain: BlockGain, _ factors: UnsafeMutablePointer<Float>, in out: UnsafeMutablePointer<Float>) -> BlockGain {
        if let values = gain.values {
            multiply(out, count: count, values, factors)
        } else {
            scale(out, count: count, source: factors, by: gain.constant)
        }
        return BlockGain(1, values: out)
    }

    /// Adds a share of a sine to an ear, with `scratch.share` as scratch space.
    @_noLocks @_noAllocation
    func addSine(_ phase: PhaseDifferences, to ear: EarOutput, share: UnsafePointer<ValuePiece>) {
        let (out, gain) = (ear.samples, product(ear.gain, share, in: scratch.share))
        if let values = gain.values {
            kernel.addSine(to: out, count: count, phase: phase, gains: values)
        } else if gain.constant != 0 {
            kernel.addSine(to: out, count: count, phase: phase, gain: gain.constant)
        }
    }

    /// Fills `out` with the layer's wave at full level.
    @_noLocks @_noAllocation
    func fillWave(_ out: UnsafeMutablePointer<Float>, count: Int, _ phase: PhaseDifferences) {
        if let wave = layer.pointee.wave {
            Synthesis.fillWave(out, count: count, shape: wave, phase: phase)
        } else {
            kernel.fillSine(out, count: count, phase: phase)
        }
    }

    /// Fills `scratch.first` and `scratch.second` with two waves at full level, faded near half the sample rate.
    ///
    /// - Parameter from: Index of the first of the two among the layer's oscillators.
    @_noLocks @_noAllocation
    func fillPair(_ one: PhaseDifferences, _ other: PhaseDifferences, _ fades: LayerCursor.Fades?, from index: Int = 0) {
        fillWave(scratch.first, count: count, one)
        fillWave(scratch.second, count: count, other)
        guard let fades else { return }
        fadeOut(scratch.first, by: fades[index])
        fadeOut(scratch.second, by: fades[index + 1])
    }

    /// Multiplies samples by the value of a piece, with `scratch.values` as scratch space.
    @_noLocks @_noAllocation
    private func fadeOut(_ samples: UnsafeMutablePointer<Float>, by piece: UnsafePointer<ValuePiece>) {
        if piece.pointee.isConstant {
            if piece.pointee.c0 != 1 { scale(samples, count: count, source: samples, by: piece.pointee.c0) }
        } else {
            kernel.fill(scratch.values, count: count, piece: piece, frame: frame)
            multiply(samples, count: count, samples, scratch.values)
        }
    }
}

/// Adds a layer's frames of one stride, at most a block, from plan frame `frame` on.
@_noLocks @_noAllocation
func renderLayer(
    _ index: Int, of playable: PlayablePlan, _ workspace: Workspace, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>,
    stride: PhaseStride, frame: Int64, scratch: Scratch, kernel: Kernel
) {
    let layer = playable.plan.pointee.layers + index
    let revision = playable.plan.pointee.versions[index].revision
    let cursor = workspace.cursors + index
    let end = frame + stride.count
    var at = frame
    while at < end {
        cursor.pointee.move(to: at, in: layer, revision: revision)
        let done = Int(at - frame)
        let length = min(end, cursor.pointee.end) - at
        let count = Int(length)
        switch cursor.pointee.form {
        case .apart:
            let gains = SIMD2(cursor.pointee.leftGains.x, cursor.pointee.rightGains.y)
            if gains.x == 0, gains.y == 0 { break }
            kernel.addSines(
                to: left + done, right + done, count: count, cursor.pointee.left, cursor.pointee.right, leftGain: gains.x,
                rightGain: gains.y)
        case .level:
            guard let gain = cursor.pointee.pieces?.gain else { return }
            kernel.addSines(
                to: left + done, right + done, count: count, cursor.pointee.left, cursor.pointee.right, gain: gain, frame: at,
                gains: scratch.gain)
        case .steady:
            kernel.addMixed(
                cursor.pointee.left, cursor.pointee.right, to: left + done, right + done, count: count,
                gains: (cursor.pointee.leftGains, cursor.pointee.rightGains), scratch: scratch)
        case .noise:
            let (gains, own) = (cursor.pointee.leftGains, cursor.pointee.rightGains.y)
            if gains.x == 0, gains.y == 0, own == 0 { break }
            addNoise(
                layer, workspace, gain: gains.x, shared: gains.y, own: own, left: left + done, right: right + done, count: count, frame: at,
                kernel: kernel)
        case .any:
            renderAny(
                LayerStretch(layer: layer, kernel: kernel, scratch: scratch, frame: at, count: count, offset: done), cursor, workspace,
                left: left + done, right: right + done)
        }
        cursor.pointee.advance(by: length == stride.count ? stride : PhaseStride(length))
        at += length
    }
}

/// Kept out of the loop above, since making a stretch costs more than most of that loop.
@_noLocks @_noAllocation
@inline(never)
private func renderAny(
    _ stretch: LayerStretch, _ cursor: UnsafePointer<LayerCursor>, _ workspace: Workspace,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
) {
    stretch.render(cursor, workspace, left: left, right: right)
}

extension Kernel {
    /// Adds two steady tones of which an ear may hear both.
    ///
    /// - Parameter gains: Of the first and of the second one, each in the left ear and in the right.
    @_noLocks @_noAllocation
    func addMixed(
        _ one: PhaseDifferences, _ other: PhaseDifferences, to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        count: Int, gains: (SIMD2<Float>, SIMD2<Float>), scratch: Scratch
    ) {
        fillSine(scratch.first, count: count, phase: one)
        fillSine(scratch.second, count: count, phase: other)
        addProduct(to: left, count: count, source: scratch.first, gain: gains.0.x)
        addProduct(to: left, count: count, source: scratch.second, gain: gains.1.x)
        addProduct(to: right, count: count, source: scratch.first, gain: gains.0.y)
        addProduct(to: right, count: count, source: scratch.second, gain: gains.1.y)
    }
}

extension LayerStretch {
    /// Adds the layer, whose tracks stay in the cursor's pieces.
    @_noLocks @_noAllocation
    fileprivate func render(
        _ cursor: UnsafePointer<LayerCursor>, _ workspace: Workspace,
        left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) {
        guard let pieces = cursor.pointee.pieces else { return }
        let kind = layer.pointee.kind
        let stream: UnsafeMutablePointer<SoundStream>? = if case .file = kind { workspace.sounds[layer.pointee.soundIndex] } else { nil }
        if let stream { stream.pointee.pass(frame) }
        var gain = product(BlockGain(1), pieces.gain, in: scratch.gain)
        gain = product(gain, pieces.audible, in: scratch.gain)
        let fades = cursor.pointee.fades
        if let fades, layer.pointee.fades.count == 1 { gain = product(gain, fades[0], in: scratch.gain) }
        let effects = layer.pointee.effects.map { EffectStretch(stretch: self, effects: $0) }
        if gain.isSilent { return effects?.advanceInSilence(workspace) ?? () }
        if let effects, effects.hasBands {
            return effects.render(cursor, pieces, workspace, stream, gain: gain, left: left, right: right)
        }
        if let orbit = effects.flatMap({ OrbitStretch($0) }) {
            return orbit.add(cursor, pieces, to: ears(left, right, gain: gain, pieces))
        }
        if let effects, effects.hasPulses {
            gain = effects.pulsed(gain, cursor.pointee.pulse, pieces)
        } else if case .isochronic = kind {
            gain = pulsed(gain, cursor.pointee.pulse, pieces)
        }
        // A gap in a sound file that is not heard is not counted, and the fade behind it begins with the next pulse.
        if gain.isSilent { return effects?.advanceInSilence(workspace) ?? () }
        if let effects { gain = effects.modulated(gain) }
        if let strike = cursor.pointee.strike { gain = struck(gain, strike) }
        var ears = ears(left, right, gain: gain, pieces)
        if let effects { ears = effects.spun(ears) }
        if let effects, let spinByDelay = SpinByDelay(effects) {
            return spinByDelay.add(spinByDelay.rings(workspace, stream), cursor, pieces, to: ears)
        }
        addOwn(cursor, pieces, effects, workspace, stream, to: ears)
    }
}
