// Render thread: one noise, delayed in one ear and advanced in the other.

/// The constant tables that all spins at one sample rate share; their memory is owned elsewhere.
package struct SpinShape: BitwiseCopyable {
    /// Taps for each ``phases`` part of a frame, and for the whole frame: rows of ``tapCount``.
    package var taps: UnsafePointer<Float>
    /// Largest delay of a spin in frames, plus room for the taps.
    package var reach: Int

    package init(taps: UnsafePointer<Float>, reach: Int) {
        self.taps = taps
        self.reach = reach
    }

    package static var tapCount: Int {
        @_noLocks @_noAllocation get { 16 }
    }
    package static var phases: Int {
        @_noLocks @_noAllocation get { 512 }
    }
}

/// The noise of one spin of one playhead around the next frame. Its memory belongs to the control side. All of it follows from seed and
/// frame: it is only a cache.
package struct SpinSource: BitwiseCopyable {
    /// A ring of `capacity` samples, followed by a copy of the first ``SpinShape/tapCount``.
    var samples: UnsafeMutablePointer<Float>
    /// Samples in the ring, a power of two.
    var capacity: Int
    /// The ring holds the samples of the noise from `start` up to `end`.
    var start: Int64 = 0
    var end: Int64 = -1

    package static func capacity(reach: Int) -> Int {
        var capacity = 1024
        while capacity < 2 * reach + 512 { capacity *= 2 }
        return capacity
    }

    /// - Parameter samples: `capacity + SpinShape.tapCount` of them.
    package init(samples: UnsafeMutablePointer<Float>, capacity: Int) {
        self.samples = samples
        self.capacity = capacity
    }
}

/// Fills the ring with all that `count` frames from `frame` on may need: sample k of the noise is in the middle of the head at frame
/// `k - reach`. `unused` has room for 256 samples.
@_noLocks @_noAllocation
package func fillSpinSource(
    _ source: UnsafeMutablePointer<SpinSource>, shape: SpinShape, count: Int, noise: NoiseShape,
    blocks: UnsafeMutablePointer<NoiseBlocks>, seed: UInt64, frame: Int64, unused: UnsafeMutablePointer<Float>
) {
    let capacity = source.pointee.capacity
    let end = frame + Int64(count + 2 * shape.reach)
    if frame < source.pointee.start || frame > source.pointee.end {
        source.pointee.start = frame
        source.pointee.end = frame
    }
    while source.pointee.end < end {
        let place = Int(source.pointee.end & Int64(capacity - 1))
        let length = min(min(Int(end - source.pointee.end), capacity - place), 256)
        fillColoredNoise(
            source.pointee.samples + place, unused, count: length, shape: noise, blocks: blocks, seed: seed, frame: source.pointee.end)
        if place < SpinShape.tapCount {
            for index in place..<min(place + length, SpinShape.tapCount) {
                source.pointee.samples[capacity + index] = source.pointee.samples[index]
            }
        }
        source.pointee.end += Int64(length)
    }
    source.pointee.start = max(source.pointee.start, source.pointee.end - Int64(capacity))
}

/// Reads the noise `lateness[i]` frames late in the left ear and as much early in the right one; at most `reach` less half the taps. The
/// ring has to be filled for these frames.
@_noLocks @_noAllocation
package func fillSpin(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int, source: UnsafePointer<SpinSource>,
    shape: SpinShape, lateness: UnsafePointer<Float>, frame: Int64
) {
    let limit = Float(shape.reach - SpinShape.tapCount / 2)
    for i in 0..<count {
        let late = min(max(lateness[i], -limit), limit)
        let middle = frame &+ Int64(i + shape.reach)
        left[i] = sample(source, shape, at: middle, shift: -late)
        right[i] = sample(source, shape, at: middle, shift: late)
    }
}

/// The noise between its samples, at `at + shift`: interpolated linearly between the two nearest rows of taps.
@_noLocks @_noAllocation
@inline(__always)
private func sample(_ source: UnsafePointer<SpinSource>, _ shape: SpinShape, at: Int64, shift: Float) -> Float {
    let toZero = Int64(shift)
    let floor = Float(toZero) > shift ? toZero - 1 : toZero
    let part = (shift - Float(floor)) * Float(SpinShape.phases)
    // A fraction just below a whole frame rounds up to the whole one in a Float.
    let row = min(Int(part), SpinShape.phases - 1)
    let first = at &+ floor &- Int64(SpinShape.tapCount / 2 - 1)
    // SAFETY: the ring extends by as many samples as there are taps; a row behind row `phases - 1` is there.
    let samples = source.pointee.samples + Int(first & Int64(source.pointee.capacity - 1))
    let taps = shape.taps + row * SpinShape.tapCount
    let share = part - Float(row)
    var sum: Float = 0
    for tap in 0..<SpinShape.tapCount {
        let weight = taps[tap] + share * (taps[tap + SpinShape.tapCount] - taps[tap])
        sum += samples[tap] * weight
    }
    return sum
}
