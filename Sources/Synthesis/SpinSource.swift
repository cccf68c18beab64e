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
    package var samples: UnsafeMutablePointer<Float>
    /// Samples in the ring, a power of two.
    package var capacity: Int
    /// The ring holds the samples of the noise from `start` up to `end`.
    package var start: Int64 = 0
    package var end: Int64 = -1

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
