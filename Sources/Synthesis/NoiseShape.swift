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
    /// For each stage of the transform, from `2 * (half - 1)` on: `cos(πj/half)` and then `sin(πj/half)`, for j below `half`, the distance of
    /// the stage's pairs of values. Each stage reads its own from front to back.
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

/// Computes the blocks needed to begin at `frame`, and as much of the next one as should be done by then, so that the render thread need not
/// do it all at once.
package func prepareColoredNoise(shape: NoiseShape, blocks: UnsafeMutablePointer<NoiseBlocks>, seed: UInt64, frame: Int64) {
    let (number, offset) = frame.quotientAndRemainder(dividingBy: Int64(shape.hop))
    work(on: number, until: shape.units, shape: shape, blocks: blocks, seed: seed)
    work(on: number + 1, until: shape.units, shape: shape, blocks: blocks, seed: seed)
    work(on: number + 2, until: shape.units * Int(offset) / shape.hop, shape: shape, blocks: blocks, seed: seed)
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
    let real = samples
    let imaginary = samples + shape.length
    let cosines = shape.twiddles + 2 * (half - 1)
    let sines = cosines + half
    let first = part * NoiseShape.unit
    // SAFETY: 32 butterflies cover 64 values of each kind that lie next to each other, or two runs of 32.
    switch stage {
    case 0:
        // Low and high values alternate; the high ones are not turned.
        for place in stride(from: 2 * first, to: 2 * (first + NoiseShape.unit), by: 8) {
            var (re, im) = (vector(real + place), vector(imaginary + place))
            let low = SIMD8(lowHalf: re.evenHalf, highHalf: im.evenHalf)
            let high = SIMD8(lowHalf: re.oddHalf, highHalf: im.oddHalf)
            let (sum, difference) = (low + high, low - high)
            (re.evenHalf, im.evenHalf) = (sum.lowHalf, sum.highHalf)
            (re.oddHalf, im.oddHalf) = (difference.lowHalf, difference.highHalf)
            store(re, real + place)
            store(im, imaginary + place)
        }
    case 1, 2:
        // Two or four low values alternate with as many high ones.
        for group in stride(from: 2 * first, to: 2 * (first + NoiseShape.unit), by: 2 * half) {
            for j in 0..<half {
                let (low, high) = (group + j, group + half + j)
                let re = real[high] * cosines[j] - imaginary[high] * sines[j]
                let im = real[high] * sines[j] + imaginary[high] * cosines[j]
                (real[low], real[high]) = (real[low] + re, real[low] - re)
                (imaginary[low], imaginary[high]) = (imaginary[low] + im, imaginary[low] - im)
            }
        }
    default:
        let run = min(half, NoiseShape.unit)
        for index in stride(from: first, to: first + NoiseShape.unit, by: run) {
            let j = index & (half - 1)
            let start = 2 * (index - j) + j
            for i in stride(from: 0, to: run, by: 8) {
                let (place, other) = (start + i, start + half + i)
                let (c, s) = (vector(cosines + j + i), vector(sines + j + i))
                let (highReal, highImaginary) = (vector(real + other), vector(imaginary + other))
                let (lowReal, lowImaginary) = (vector(real + place), vector(imaginary + place))
                let re = highReal * c - highImaginary * s
                let im = highReal * s + highImaginary * c
                store(lowReal + re, real + place)
                store(lowImaginary + im, imaginary + place)
                store(lowReal - re, real + other)
                store(lowImaginary - im, imaginary + other)
            }
        }
    }
}

@_noLocks @_noAllocation
@inline(__always)
private func vector(_ values: UnsafePointer<Float>) -> SIMD8<Float> { UnsafeRawPointer(values).loadUnaligned(as: SIMD8<Float>.self) }

@_noLocks @_noAllocation
@inline(__always)
private func store(_ vector: SIMD8<Float>, _ values: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(values).storeBytes(of: vector, as: SIMD8<Float>.self)
}
