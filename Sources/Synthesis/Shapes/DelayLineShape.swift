// Render thread: the delay line of an input, which cannot be heard early.

/// The last frames of some channels, in rings that ``fillSpin`` can read; their memory is owned elsewhere.
package struct DelayLineShape: BitwiseCopyable {
    /// Frames in a ring, a power of two.
    package let capacity: Int
    /// The floats before the rings in the layer's memory.
    private let offset: Int
    private let channelCount: Int

    /// - Parameters:
    ///   - reach: The frames by which a channel is late, which can also be read as far ahead and as far back.
    ///   - offset: The floats of the memory that something else uses.
    package init(reach: Int, channelCount: Int, offset: Int) {
        capacity = SpinSource.capacity(reach: reach)
        self.channelCount = channelCount
        self.offset = offset
    }

    /// Floats in a ring: the first ones follow once more.
    private var length: Int { @_noLocks @_noAllocation get { capacity + SpinShape.tapCount } }

    /// The floats that one layer remembers, with those before the rings: the place of the next frame and the number of the onset's frames follow.
    package var memoryCount: Int { offset + channelCount * length + 2 }

    /// Puts the next frames of a channel into its ring, at most a block.
    @_noLocks @_noAllocation
    package func write(_ samples: UnsafePointer<Float>, channel: Int, count: Int, memory: UnsafeMutablePointer<Float>) {
        let ring = ring(channel, memory)
        let (place, begun) = (Int(state(memory)[0]), Int(state(memory)[1]))
        for i in 0..<count {
            let level = Float(Onset.level(atFrame: begun + i))
            let index = (place + i) & (capacity - 1)
            ring[index] = level * samples[i]
            if index < SpinShape.tapCount { ring[capacity + index] = ring[index] }
        }
    }

    /// Ends the frames that all channels have heard.
    ///
    /// - Returns: The place of the first one of them.
    @_noLocks @_noAllocation
    package func advance(by count: Int, memory: UnsafeMutablePointer<Float>) -> Int {
        let place = Int(state(memory)[0])
        state(memory)[0] = Float((place + count) & (capacity - 1))
        state(memory)[1] = Float(min(Int(state(memory)[1]) + count, Onset.frames))
        return place
    }

    @_noLocks @_noAllocation
    package func ring(_ channel: Int, _ memory: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<Float> {
        memory + (offset + channel * length)
    }

    @_noLocks @_noAllocation
    private func state(_ memory: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<Float> {
        memory + (offset + channelCount * length)
    }
}
