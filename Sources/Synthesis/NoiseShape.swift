// Render thread: coloured noise as overlapped blocks on a fixed grid of frames, each a function of seed and block number.
//
// Block b covers the frames (b-1)*hop ..< (b+1)*hop under a sine window, so that two blocks overlap everywhere and the squares of
// their windows add up to 1. A block is the inverse transform of a spectrum with the colour's magnitudes and random phases;
// real and imaginary part are two independent noises.

/// The constant tables that all blocks of one colour share; their memory is owned elsewhere.
package struct NoiseShape: BitwiseCopyable {
    /// Frames in a block, a power of two, at least 64; `hop` is half of it.
    package var length: Int
    /// Magnitude of each line of the spectrum, in bit-reversed order. The sum of the squares is 1.
    package var magnitudes: UnsafePointer<Float>
    /// `cos(2πj/length)`, then at `length/2` `sin(2πj/length)`, for j below `length/2`.
    package var twiddles: UnsafePointer<Float>
    /// `sin(π(j + 1/2)/length)` for j below `length`.
    package var window: UnsafePointer<Float>

    package init(
        length: Int, magnitudes: UnsafePointer<Float>, twiddles: UnsafePointer<Float>, window: UnsafePointer<Float>
    ) {
        self.length = length
        self.magnitudes = magnitudes
        self.twiddles = twiddles
        self.window = window
    }

    package var hop: Int { length / 2 }

    /// Work on a block is done in units of this many lines or pairs of values.
    static var unit: Int { 32 }
    var spectrumUnits: Int { length / NoiseShape.unit }
    var unitsPerStage: Int { length / 2 / NoiseShape.unit }
    var units: Int { spectrumUnits + unitsPerStage * length.trailingZeroBitCount }
}

/// The blocks that one noise layer of one playhead is made from. Its memory belongs to the control side.
package struct NoiseBlocks: BitwiseCopyable {
    /// Three blocks, each `length` real parts and then `length` imaginary parts.
    var samples: UnsafeMutablePointer<Float>
    /// The number of the block in each of the three places; -1 for none.
    var numbers: InlineArray<3, Int64> = [-1, -1, -1]
    /// Units of work that have been done on each block.
    var progress: InlineArray<3, Int> = [0, 0, 0]

    /// Number of floats that `samples` points to.
    package static func capacity(length: Int) -> Int { 6 * length }

    package init(samples: UnsafeMutablePointer<Float>) {
        self.samples = samples
    }
}

/// Fills in noise for two ears from `frame` on: independent of each other, each with the power of a sine of amplitude 1.
///
/// Every call also does a part of the work on the next block; after a jump the blocks needed are computed at once.
@_noLocks @_noAllocation
package func fillColoredNoise(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, count: Int,
    shape: NoiseShape, blocks: UnsafeMutablePointer<NoiseBlocks>, seed: UInt64, frame: Int64
) {
    let hop = shape.hop
    var done = 0
    while done < count {
        let at = frame &+ Int64(done)
        let number = at / Int64(hop)
        let offset = Int(at % Int64(hop))
        let length = min(count - done, hop - offset)
        work(on: number, until: shape.units, shape: shape, blocks: blocks, seed: seed)
        work(on: number + 1, until: shape.units, shape: shape, blocks: blocks, seed: seed)
        work(on: number + 2, until: shape.units * (offset + length) / hop, shape: shape, blocks: blocks, seed: seed)
        // SAFETY: a block has `length` real and `length` imaginary parts, and offset + length <= hop.
        let ending = blocks.pointee.samples + Int(number % 3) * 2 * shape.length + hop + offset
        let beginning = blocks.pointee.samples + Int((number + 1) % 3) * 2 * shape.length + offset
        let falling = shape.window + hop + offset
        let rising = shape.window + offset
        for i in 0..<length {
            first[done + i] = ending[i] * falling[i] + beginning[i] * rising[i]
            second[done + i] = ending[shape.length + i] * falling[i] + beginning[shape.length + i] * rising[i]
        }
        done += length
    }
}

/// Computes the blocks needed to begin at `frame`, so that the render thread need not do it all at once.
package func prepareColoredNoise(shape: NoiseShape, blocks: UnsafeMutablePointer<NoiseBlocks>, seed: UInt64, frame: Int64) {
    let number = frame / Int64(shape.hop)
    work(on: number, until: shape.units, shape: shape, blocks: blocks, seed: seed)
    work(on: number + 1, until: shape.units, shape: shape, blocks: blocks, seed: seed)
}

/// Works on block `number` up to `goal` units, from the start if its place holds another one.
@_noLocks @_noAllocation
private func work(on number: Int64, until goal: Int, shape: NoiseShape, blocks: UnsafeMutablePointer<NoiseBlocks>, seed: UInt64) {
    let place = Int(number % 3)
    if blocks.pointee.numbers[place] != number {
        blocks.pointee.numbers[place] = number
        blocks.pointee.progress[place] = 0
    }
    let samples = blocks.pointee.samples + place * 2 * shape.length
    while blocks.pointee.progress[place] < goal {
        let unit = blocks.pointee.progress[place]
        if unit < shape.spectrumUnits {
            drawSpectrum(samples, unit: unit, shape: shape, key: streamKey(seed, UInt64(truncatingIfNeeded: number) &+ 1))
        } else {
            let (stage, part) = (unit - shape.spectrumUnits).quotientAndRemainder(dividingBy: shape.unitsPerStage)
            transform(samples, stage: stage, part: part, shape: shape)
        }
        blocks.pointee.progress[place] = unit + 1
    }
}

/// Fills in lines `unit * 32 ..< (unit + 1) * 32` of a spectrum: the shape's magnitudes with random phases.
@_noLocks @_noAllocation
private func drawSpectrum(_ samples: UnsafeMutablePointer<Float>, unit: Int, shape: NoiseShape, key: UInt64) {
    var line = unit * NoiseShape.unit
    let end = line + NoiseShape.unit
    while line < end {
        var phases = SIMD8<UInt32>()
        for lane in 0..<8 {
            phases[lane] = UInt32(truncatingIfNeeded: random(key: key, counter: UInt64(line + lane)) &>> 32)
        }
        let imaginary = sine(phases)
        let real = sine(phases &+ SIMD8(repeating: 0x4000_0000))
        for lane in 0..<8 {
            samples[line + lane] = real[lane] * shape.magnitudes[line + lane]
            samples[shape.length + line + lane] = imaginary[lane] * shape.magnitudes[line + lane]
        }
        line += 8
    }
}

/// Computes butterflies `part * 32 ..< (part + 1) * 32` of a stage of the inverse transform (radix two, in place, decimation in time: from
/// bit-reversed lines to frames in order).
@_noLocks @_noAllocation
private func transform(_ samples: UnsafeMutablePointer<Float>, stage: Int, part: Int, shape: NoiseShape) {
    let half = 1 &<< stage
    let stride = shape.length / 2 / half
    let real = samples
    let imaginary = samples + shape.length
    let cosines = shape.twiddles
    let sines = shape.twiddles + shape.length / 2
    var butterfly = part * NoiseShape.unit
    let end = butterfly + NoiseShape.unit
    while butterfly < end {
        // A run of butterflies that lie next to each other.
        let j = butterfly & (half - 1)
        let run = min(half - j, end - butterfly)
        let low = (butterfly - j) * 2 + j
        let high = low + half
        for i in 0..<run {
            let c = cosines[(j + i) * stride]
            let s = sines[(j + i) * stride]
            let re = real[high + i] * c - imaginary[high + i] * s
            let im = real[high + i] * s + imaginary[high + i] * c
            real[high + i] = real[low + i] - re
            imaginary[high + i] = imaginary[low + i] - im
            real[low + i] += re
            imaginary[low + i] += im
        }
        butterfly += run
    }
}
