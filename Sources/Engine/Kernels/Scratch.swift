// Render thread: the buffers in which a block is made.

import Synthesis

/// Preallocated buffers for one block. It is copied for every stretch of a layer, so it is small.
struct Scratch: BitwiseCopyable {
    /// Frames in the longest block.
    static var blockSize: Int {
        @_noLocks @_noAllocation get { 256 }
    }
    /// Floats in a buffer: the kernels work on eight at a time.
    private static var length: Int {
        @_noLocks @_noAllocation get { blockSize + 8 }
    }
    /// The number of buffers below.
    private static var count: Int {
        @_noLocks @_noAllocation get { 21 }
    }
    /// The number of floats that all buffers need, and those of ``wide``.
    static func capacity(sampleRate: Double) -> Int { count * length + SoundBuffers.count * wideCapacity(sampleRate: sampleRate) }

    private static func wideCapacity(sampleRate: Double) -> Int { SpinSource.capacity(reach: SpinTables.reach(sampleRate: sampleRate)) }

    private let memory: UnsafeMutablePointer<Float>
    /// Frames in a buffer of ``wide``, a power of two.
    let wideCapacity: Int
    /// Gain of the playhead's keys in this block, from its start on; `nil` is 1.
    var chordGain: UnsafePointer<Float>?
    /// Input of this block; `nil` is silence.
    var inputLeft: UnsafePointer<Float>?
    var inputRight: UnsafePointer<Float>?

    /// - Parameter memory: ``capacity(sampleRate:)`` floats.
    init(memory: UnsafeMutablePointer<Float>, sampleRate: Double) {
        self.memory = memory
        wideCapacity = Scratch.wideCapacity(sampleRate: sampleRate)
    }

    @_noLocks @_noAllocation
    private func buffer(_ index: Int) -> UnsafeMutablePointer<Float> { memory + index &* Scratch.length }

    /// The mix of one playhead.
    var left: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(0) } }
    var right: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(1) } }
    /// One layer by itself: while it fades out or is measured because of a DC offset, or for its own output.
    var layerLeft: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(2) } }
    var layerRight: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(3) } }
    /// The mix without one layer, negated.
    var beforeLeft: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(4) } }
    var beforeRight: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(5) } }
    var gain: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(6) } }
    var gainLeft: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(7) } }
    var gainRight: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(8) } }
    var share: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(9) } }
    var first: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(10) } }
    var second: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(11) } }
    var values: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(12) } }
    /// Scratch space for the gain of the keys.
    var chord: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(13) } }
    /// The Hilbert transform of a recorded sound.
    var quadrature: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(14) } }
    /// The part of both channels that is in the bands of the effects.
    var bandFirst: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(15) } }
    var bandSecond: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(16) } }
    /// Frames by which the left ear is late in a spin, and the right one early.
    var lateness: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(17) } }
    /// The right ear's part of `first`, and of `quadrature`.
    var otherFirst: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(18) } }
    var otherQuadrature: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(19) } }
    /// The gain before and after a gap of a recorded sound.
    var fade: UnsafeMutablePointer<Float> { @_noLocks @_noAllocation get { buffer(20) } }

    /// A recorded sound in a block.
    var sound: SoundBuffers {
        @_noLocks @_noAllocation get {
            SoundBuffers(first: first, second: second, bandFirst: bandFirst, bandSecond: bandSecond, quadrature: quadrature)
        }
    }
    /// The same around a block, as far as a spin reaches.
    var wide: SoundBuffers {
        @_noLocks @_noAllocation get {
            let start = buffer(Scratch.count)
            return SoundBuffers(
                first: start, second: start + wideCapacity, bandFirst: start + 2 * wideCapacity, bandSecond: start + 3 * wideCapacity,
                quadrature: start + 4 * wideCapacity)
        }
    }
}

/// Buffers for the channels of a recorded sound.
struct SoundBuffers: BitwiseCopyable {
    static var count: Int { 5 }

    let first: UnsafeMutablePointer<Float>
    let second: UnsafeMutablePointer<Float>
    let bandFirst: UnsafeMutablePointer<Float>
    let bandSecond: UnsafeMutablePointer<Float>
    let quadrature: UnsafeMutablePointer<Float>
}
