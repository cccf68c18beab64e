// Render thread: one layer of a plan becomes samples.

import Synthesis

/// Buffers for one block, made beforehand.
struct Scratch: BitwiseCopyable {
    /// Frames in the longest block; every buffer has 8 more, since the kernels work on eight at a time.
    static var blockSize: Int {
        @_noLocks @_noAllocation get { 256 }
    }

    /// The mix of one playhead.
    var left: UnsafeMutablePointer<Float>
    var right: UnsafeMutablePointer<Float>
    /// One layer by itself, where it has to be told from the others.
    var layerLeft: UnsafeMutablePointer<Float>
    var layerRight: UnsafeMutablePointer<Float>
    var gain: UnsafeMutablePointer<Float>
    var gainLeft: UnsafeMutablePointer<Float>
    var gainRight: UnsafeMutablePointer<Float>
    var share: UnsafeMutablePointer<Float>
    var first: UnsafeMutablePointer<Float>
    var second: UnsafeMutablePointer<Float>
    var values: UnsafeMutablePointer<Float>
}

/// A gain over a block: one number, or one for each frame.
struct BlockGain: BitwiseCopyable {
    var constant: Float
    var values: UnsafeMutablePointer<Float>?

    @_noLocks @_noAllocation
    init(_ constant: Float, values: UnsafeMutablePointer<Float>? = nil) {
        self.constant = constant
        self.values = values
    }

    var isSilent: Bool {
        @_noLocks @_noAllocation get { values == nil && constant == 0 }
    }
}

/// A stretch of a layer's frames in which each of its tracks stays in one piece. What happens to a frame depends on the pieces it is
/// in and never on where the stretch begins, so that it is the same however the sound is cut into blocks.
struct LayerStretch {
    let layer: UnsafePointer<LayerTracks>
    let kernel: Kernel
    let scratch: Scratch
    /// Plan frame.
    let frame: Int64
    let count: Int

    /// `gain` times the value of a piece; a result with many values is in `out`, which may be where `gain` has its own.
    @_noLocks @_noAllocation
    func product(_ gain: BlockGain, _ piece: UnsafePointer<ValuePiece>, in out: UnsafeMutablePointer<Float>) -> BlockGain {
        if piece.pointee.isConstant {
            let factor = piece.pointee.c0
            guard let values = gain.values else { return BlockGain(gain.constant * factor) }
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

    /// Adds a sine to an ear.
    @_noLocks @_noAllocation
    func addSine(_ phase: PhaseDifferences, to out: UnsafeMutablePointer<Float>, gain: BlockGain) {
        if let values = gain.values {
            kernel.addSine(to: out, count: count, phase: phase, gains: values)
        } else if gain.constant != 0 {
            kernel.addSine(to: out, count: count, phase: phase, gain: gain.constant)
        }
    }

    /// The layer's wave at full level.
    @_noLocks @_noAllocation
    func fillWave(_ out: UnsafeMutablePointer<Float>, _ phase: PhaseDifferences) {
        if let wave = layer.pointee.wave {
            Synthesis.fillWave(out, count: count, shape: wave, phase: phase)
        } else {
            kernel.fillSine(out, count: count, phase: phase)
        }
    }

    /// Adds samples to an ear.
    @_noLocks @_noAllocation
    func add(_ source: UnsafePointer<Float>, to out: UnsafeMutablePointer<Float>, gain: BlockGain) {
        if let values = gain.values {
            kernel.addProduct(to: out, count: count, source: source, gains: values)
        } else if gain.constant != 0 {
            kernel.addProduct(to: out, count: count, source: source, gain: gain.constant)
        }
    }
}

/// Adds `count` frames of a layer, at most a block, from plan frame `frame` on.
@_noLocks @_noAllocation
func renderLayer(
    _ layer: UnsafePointer<LayerTracks>, noise: UnsafeMutablePointer<NoiseBlocks>,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int, frame: Int64,
    scratch: Scratch, kernel: Kernel
) {
    let end = frame + Int64(count)
    var at = frame
    while at < end {
        let done = Int(at - frame)
        at = renderStretch(
            layer, noise: noise, left: left + done, right: right + done, frame: at, end: end, scratch: scratch, kernel: kernel)
    }
}

/// Adds a layer from `frame` on up to where one of its tracks goes into another piece, or to `end`; returns where it came to.
@_noLocks @_noAllocation
private func renderStretch(
    _ layer: UnsafePointer<LayerTracks>, noise: UnsafeMutablePointer<NoiseBlocks>,
    left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, frame: Int64, end: Int64,
    scratch: Scratch, kernel: Kernel
) -> Int64 {
    var limit = end
    let kind = layer.pointee.kind
    let gainPiece = layer.pointee.gain.piece(at: frame, limit: &limit)
    let audiblePiece = layer.pointee.audible.piece(at: frame, limit: &limit)
    let leftPiece = layer.pointee.panLeft.piece(at: frame, limit: &limit)
    let rightPiece = layer.pointee.panRight.piece(at: frame, limit: &limit)
    var carrier = PhaseDifferences()
    var beat = PhaseDifferences()
    var offset = PhaseDifferences()
    var pulse = PhaseDifferences()
    switch kind {
    case .tone:
        carrier = layer.pointee.carrier.differences(at: frame, limit: &limit)
        offset = layer.pointee.offset.differences(at: frame, limit: &limit)
    case .binaural, .monaural:
        carrier = layer.pointee.carrier.differences(at: frame, limit: &limit)
        beat = layer.pointee.beat.differences(at: frame, limit: &limit)
        offset = layer.pointee.offset.differences(at: frame, limit: &limit)
    case .isochronic:
        carrier = layer.pointee.carrier.differences(at: frame, limit: &limit)
        offset = layer.pointee.offset.differences(at: frame, limit: &limit)
        pulse = layer.pointee.pulse.differences(at: frame, limit: &limit)
    case .whiteNoise, .coloredNoise:
        break
    }
    var firstPiece = gainPiece
    var secondPiece = gainPiece
    switch kind {
    case .binaural, .whiteNoise, .coloredNoise:
        firstPiece = layer.pointee.first.piece(at: frame, limit: &limit)
        secondPiece = layer.pointee.second.piece(at: frame, limit: &limit)
    case .isochronic:
        firstPiece = layer.pointee.duty.piece(at: frame, limit: &limit)
        secondPiece = layer.pointee.edge.piece(at: frame, limit: &limit)
    case .tone, .monaural:
        break
    }

    let stretch = LayerStretch(layer: layer, kernel: kernel, scratch: scratch, frame: frame, count: Int(limit - frame))
    var gain = stretch.product(BlockGain(1), gainPiece, in: scratch.gain)
    gain = stretch.product(gain, audiblePiece, in: scratch.gain)
    if gain.isSilent { return limit }
    if case .isochronic = kind {
        gain = stretch.pulses(gain, phase: pulse, duty: firstPiece, edge: secondPiece)
    }
    let gainLeft = stretch.product(gain, leftPiece, in: scratch.gainLeft)
    let gainRight = stretch.product(gain, rightPiece, in: scratch.gainRight)

    switch kind {
    case .tone, .isochronic:
        stretch.fillWave(scratch.first, carrier + offset)
        stretch.add(scratch.first, to: left, gain: gainLeft)
        stretch.add(scratch.first, to: right, gain: gainRight)
    case .monaural where layer.pointee.wave != nil:
        stretch.fillWave(scratch.first, carrier + beat + offset)
        stretch.fillWave(scratch.second, carrier - beat + offset)
        add(to: scratch.first, count: stretch.count, source: scratch.second)
        scale(scratch.first, count: stretch.count, source: scratch.first, by: 0.5)
        stretch.add(scratch.first, to: left, gain: gainLeft)
        stretch.add(scratch.first, to: right, gain: gainRight)
    case .monaural:
        clear(scratch.first, count: stretch.count)
        kernel.addSine(to: scratch.first, count: stretch.count, phase: carrier + beat + offset, gain: 0.5)
        kernel.addSine(to: scratch.first, count: stretch.count, phase: carrier - beat + offset, gain: 0.5)
        stretch.add(scratch.first, to: left, gain: gainLeft)
        stretch.add(scratch.first, to: right, gain: gainRight)
    case .binaural where layer.pointee.wave != nil:
        stretch.fillWave(scratch.first, carrier + beat + offset)
        stretch.fillWave(scratch.second, carrier - beat)
        stretch.add(scratch.first, to: left, gain: stretch.product(gainLeft, firstPiece, in: scratch.share))
        stretch.add(scratch.second, to: left, gain: stretch.product(gainLeft, secondPiece, in: scratch.share))
        stretch.add(scratch.first, to: right, gain: stretch.product(gainRight, secondPiece, in: scratch.share))
        stretch.add(scratch.second, to: right, gain: stretch.product(gainRight, firstPiece, in: scratch.share))
    case .binaural:
        let leftPhase = carrier + beat + offset
        let rightPhase = carrier - beat
        stretch.addSine(leftPhase, to: left, gain: stretch.product(gainLeft, firstPiece, in: scratch.share))
        stretch.addSine(rightPhase, to: left, gain: stretch.product(gainLeft, secondPiece, in: scratch.share))
        stretch.addSine(leftPhase, to: right, gain: stretch.product(gainRight, secondPiece, in: scratch.share))
        stretch.addSine(rightPhase, to: right, gain: stretch.product(gainRight, firstPiece, in: scratch.share))
    case .whiteNoise, .coloredNoise:
        if case .coloredNoise = kind, let shape = layer.pointee.noise {
            fillColoredNoise(
                scratch.first, scratch.second, count: stretch.count, shape: shape, blocks: noise + layer.pointee.noiseIndex,
                seed: layer.pointee.seed, frame: frame)
        } else {
            fillWhiteNoise(scratch.first, scratch.second, count: stretch.count, seed: layer.pointee.seed, frame: frame)
        }
        stretch.add(scratch.first, to: left, gain: gainLeft)
        stretch.add(scratch.first, to: right, gain: stretch.product(gainRight, firstPiece, in: scratch.share))
        stretch.add(scratch.second, to: right, gain: stretch.product(gainRight, secondPiece, in: scratch.share))
    }
    return limit
}

extension LayerStretch {
    /// `gain` times the pulses of an isochronic tone.
    @_noLocks @_noAllocation
    fileprivate func pulses(
        _ gain: BlockGain, phase: PhaseDifferences, duty: UnsafePointer<ValuePiece>, edge: UnsafePointer<ValuePiece>
    ) -> BlockGain {
        fillValues(scratch.first, of: duty)
        fillValues(scratch.second, of: edge)
        fillPulses(scratch.values, count: count, pulse: phase, duty: scratch.first, edge: scratch.second)
        if let values = gain.values {
            multiply(scratch.gain, count: count, values, scratch.values)
        } else {
            scale(scratch.gain, count: count, source: scratch.values, by: gain.constant)
        }
        return BlockGain(1, values: scratch.gain)
    }

    @_noLocks @_noAllocation
    private func fillValues(_ out: UnsafeMutablePointer<Float>, of piece: UnsafePointer<ValuePiece>) {
        if piece.pointee.isConstant {
            fill(out, count: count, with: piece.pointee.c0)
        } else {
            kernel.fill(out, count: count, piece: piece, frame: frame)
        }
    }
}
