// Render thread: noise.

import Synthesis

extension LayerPieces {
    /// Finds those of the correlation, and of pulses, if it has them.
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findNoise(of layer: UnsafePointer<LayerTracks>, at frame: Int64, limit: inout Int64) {
        sharedNoise = layer.pointee.noises.shared.piece(at: frame, limit: &limit)
        ownNoise = layer.pointee.noises.own.piece(at: frame, limit: &limit)
        if layer.pointee.isPulsedNoise { findPulses(of: layer, at: frame, limit: &limit) }
    }
}

extension LayerTracks {
    /// Whether it is a noise in pulses.
    fileprivate var isPulsedNoise: Bool {
        @_noLocks @_noAllocation get { effects?.pointee.pulseDepth != nil }
    }
}

extension LayerCursor {
    @_noLocks @_noAllocation
    @inline(__always)
    mutating func findNoise(_ frame: Int64, in layer: UnsafePointer<LayerTracks>, limit: inout Int64) {
        if layer.pointee.isPulsedNoise { pulse = layer.pointee.pulses.rate.differences(at: frame, limit: &limit) }
    }

    @_noLocks @_noAllocation
    mutating func findFormOfNoise(of layer: UnsafePointer<LayerTracks>, _ found: LayerPieces) {
        guard layer.pointee.effects == nil, found.gain.pointee.isConstant, found.audible.pointee.isConstant,
            found.panLeft.pointee.isConstant,
            found.panRight.pointee.isConstant, found.sharedNoise.pointee.isConstant, found.ownNoise.pointee.isConstant
        else { return }
        let gain = found.gain.pointee.c0 * found.audible.pointee.c0
        let right = gain * found.panRight.pointee.c0
        leftGains = SIMD2(gain * found.panLeft.pointee.c0, right * found.sharedNoise.pointee.c0)
        rightGains = SIMD2(0, right * found.ownNoise.pointee.c0)
        form = .noise
    }
}

extension LayerStretch {
    /// Adds the first noise to the left ear, and a mix of both to the right one; or one noise to both, its frequencies shifted.
    @_noLocks @_noAllocation
    @inline(__always)
    func addNoise(
        _ cursor: UnsafePointer<LayerCursor>, _ pieces: LayerPieces, _ effects: EffectStretch?, _ workspace: Workspace,
        to ears: EarOutputs
    ) {
        if let shape = layer.pointee.noise {
            fillColoredNoise(
                scratch.first, scratch.second, count: count, shape: shape, blocks: workspace.noise + layer.pointee.noiseIndex,
                seedKey: layer.pointee.seedKey, frame: frame, kernel: kernel)
        } else {
            fillWhiteNoise(scratch.first, scratch.second, count: count, seedKey: layer.pointee.seedKey, frame: frame, kernel: kernel)
        }
        if let effects, effects.isShifted {
            effects.shift(scratch.first, quadrature: scratch.second, by: cursor.pointee.left)
            add(scratch.first, to: ears.left)
            add(scratch.second, to: ears.right)
            return
        }
        add(scratch.first, to: ears.left)
        add(scratch.first, to: ears.right, share: pieces.sharedNoise)
        add(scratch.second, to: ears.right, share: pieces.ownNoise)
    }
}

/// Fills in white noise for two ears from `frame` on: independent, uniform, with the power of a sine of amplitude 1. Both are writable 7
/// floats beyond `count`.
@_noLocks @_noAllocation
func fillWhiteNoise(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, count: Int, seedKey: UInt64, frame: Int64, kernel: Kernel
) {
    forEachStream(of: seedKey, frame: frame, count: count) { done, length, keys, counter in
        kernel.fillUniform(first + done, second + done, count: length, keys: keys, counter: counter)
    }
}

/// Adds a noise whose gains do not move, with the bits of filling it in, multiplying and adding.
///
/// - Parameters:
///   - gain, shared: Gain of the first noise in the left ear, and in the right one.
///   - own: Gain of the second noise, which is in the right ear only.
@_noLocks @_noAllocation
@inline(never)
func addNoise(
    _ layer: UnsafePointer<LayerTracks>, _ workspace: Workspace, gain: Float, shared: Float, own: Float, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, count: Int, frame: Int64, kernel: Kernel
) {
    let seedKey = layer.pointee.seedKey
    if let shape = layer.pointee.noise {
        let blocks = workspace.noise + layer.pointee.noiseIndex
        forEachHop(count, shape, blocks, seedKey: seedKey, frame: frame, kernel) { done, length, ending, beginning, falling, rising in
            kernel.addOverlaps(
                to: left + done, right + done, count: length, ending: ending, falling: falling, beginning: beginning, rising: rising,
                distance: shape.length, gain: gain, shared: shared, own: own)
        }
    } else {
        forEachStream(of: seedKey, frame: frame, count: count) { done, length, keys, counter in
            kernel.addUniform(
                to: left + done, right + done, count: length, keys: keys, counter: counter, gain: gain, shared: shared, own: own)
        }
    }
}

/// A counter has 32 bits; the upper bits of the frame's number choose the streams.
@_noLocks @_noAllocation
@inline(__always)
private func forEachStream(
    of seedKey: UInt64, frame: Int64, count: Int, _ body: (_ done: Int, _ length: Int, _ keys: SIMD2<UInt64>, _ counter: UInt32) -> Void
) {
    var done = 0
    while done < count {
        let at = UInt64(truncatingIfNeeded: frame &+ Int64(done))
        let stream = (at &>> 32) &* 2
        let length = min(count - done, 1 &<< 32 - Int(at & 0xffff_ffff))
        body(done, length, SIMD2(streamKey(seedKey, stream), streamKey(seedKey, stream &+ 1)), UInt32(truncatingIfNeeded: at))
        done += length
    }
}

/// Fills in noise for two ears from `frame` on: independent of each other, each with the power of a sine of amplitude 1.
///
/// - Parameter second: `nil` where only the first noise is needed.
///
/// Every call also does a part of the work on the next block; after a jump the blocks needed are computed at once.
@_noLocks @_noAllocation
func fillColoredNoise(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>?, count: Int,
    shape: NoiseShape, blocks: UnsafeMutablePointer<NoiseBlocks>, seedKey: UInt64, frame: Int64, kernel: Kernel
) {
    forEachHop(count, shape, blocks, seedKey: seedKey, frame: frame, kernel) { done, length, ending, beginning, falling, rising in
        kernel.overlap(first + done, count: length, ending: ending, falling: falling, beginning: beginning, rising: rising)
        guard let second else { return }
        kernel.overlap(
            second + done, count: length, ending: ending + shape.length, falling: falling, beginning: beginning + shape.length,
            rising: rising)
    }
}

/// Calls `body` for each stretch of frames in one half of a block, with the places of the block that ends there and of the one that begins, in
/// their first noise, and of their windows.
@_noLocks @_noAllocation
@inline(__always)
private func forEachHop(
    _ count: Int, _ shape: NoiseShape, _ blocks: UnsafeMutablePointer<NoiseBlocks>, seedKey: UInt64, frame: Int64, _ kernel: Kernel,
    _ body: (
        _ done: Int, _ length: Int, _ ending: UnsafeMutablePointer<Float>, _ beginning: UnsafeMutablePointer<Float>,
        _ falling: UnsafePointer<Float>, _ rising: UnsafePointer<Float>
    ) -> Void
) {
    let hop = shape.hop
    // A hop is a power of two, and shifts are many times as fast as divisions.
    let shift = hop.trailingZeroBitCount
    let units = shape.units
    var done = 0
    while done < count {
        let at = frame &+ Int64(done)
        let number = at &>> Int64(shift)
        let offset = Int(truncatingIfNeeded: at) & (hop &- 1)
        let length = min(count - done, hop - offset)
        work(on: number, until: units, shape, blocks, seedKey: seedKey, kernel)
        work(on: number + 1, until: units, shape, blocks, seedKey: seedKey, kernel)
        work(on: number + 2, until: (units &* (offset &+ length)) &>> shift, shape, blocks, seedKey: seedKey, kernel)
        // SAFETY: a block has `length` real and `length` imaginary parts, and offset + length <= hop.
        let ending = blocks.pointee.samples + Int(number % 3) * 2 * shape.length + hop + offset
        let beginning = blocks.pointee.samples + Int((number + 1) % 3) * 2 * shape.length + offset
        body(done, length, ending, beginning, shape.window + hop + offset, shape.window + offset)
        done += length
    }
}

/// Computes the blocks needed to begin at `frame`, and as much of the next one as is due `lead` frames later, but no further block: until then,
/// or until a block ends, the render thread only mixes.
func prepareColoredNoise(
    shape: NoiseShape, blocks: UnsafeMutablePointer<NoiseBlocks>, seedKey: UInt64, frame: Int64, lead: Int64, kernel: Kernel
) {
    let (number, offset) = frame.quotientAndRemainder(dividingBy: Int64(shape.hop))
    let prepared = Int(min(offset + lead, Int64(shape.hop)))
    work(on: number, until: shape.units, shape, blocks, seedKey: seedKey, kernel)
    work(on: number + 1, until: shape.units, shape, blocks, seedKey: seedKey, kernel)
    work(on: number + 2, until: shape.units * prepared / shape.hop, shape, blocks, seedKey: seedKey, kernel)
}

/// Works on block `number` up to `goal` units, from the start if its place holds another one.
@_noLocks @_noAllocation
private func work(
    on number: Int64, until goal: Int, _ shape: NoiseShape, _ blocks: UnsafeMutablePointer<NoiseBlocks>, seedKey: UInt64, _ kernel: Kernel
) {
    let place = Int(number % 3)
    if blocks.pointee.numbers[place] != number {
        blocks.pointee.numbers[place] = number
        blocks.pointee.progress[place] = 0
    }
    let done = blocks.pointee.progress[place]
    guard done < goal else { return }
    let real = blocks.pointee.samples + place * 2 * shape.length
    let imaginary = real + shape.length
    let key = streamKey(seedKey, UInt64(truncatingIfNeeded: number) &+ 1)
    // The pass that the next unit of the transform belongs to: its first unit, and its place in the table.
    let (unitsPerPass, unitsOfDrawing) = (shape.unitsPerPass, shape.unitsOfDrawing)
    var (span, begin, twiddles) = (8, unitsOfDrawing, shape.twiddles)
    var isSingle = shape.hasSingleStage
    var unit = max(done, unitsOfDrawing)
    if done < unitsOfDrawing {
        let drawn = done / NoiseShape.unitsPerDrawing
        let drawings = min(goal, unitsOfDrawing) / NoiseShape.unitsPerDrawing - drawn
        kernel.drawLines(real, imaginary, first: 64 * drawn, units: drawings, magnitudes: shape.magnitudes, key: key)
    }
    while unit < goal {
        while unit >= begin + unitsPerPass {
            begin += unitsPerPass
            twiddles += isSingle ? 2 * span : 6 * span
            span *= isSingle ? 2 : 4
            isSingle = false
        }
        let units = min(goal, begin + unitsPerPass) - unit
        if isSingle {
            kernel.transformByTwo(real, imaginary, first: 32 * (unit - begin), units: units, twiddles: twiddles)
        } else {
            kernel.transformByFour(real, imaginary, first: 16 * (unit - begin), units: units, span: span, twiddles: twiddles)
        }
        unit += units
    }
    blocks.pointee.progress[place] = goal
}
