// Render thread: one noise, delayed in one ear and advanced in the other.

/// The constant tables that all spins at one sample rate share; their memory is owned elsewhere.
public struct SpinShape: BitwiseCopyable {
    /// Taps for each ``phases`` part of a frame, and for the whole frame: rows of ``tapCount``.
    public var taps: UnsafePointer<Float>
    /// Largest delay of a spin in frames, plus room for the taps.
    public var reach: Int

    public init(taps: UnsafePointer<Float>, reach: Int) {
        self.taps = taps
        self.reach = reach
    }

    @inlinable
    public static var tapCount: Int {
        @_noLocks @_noAllocation get { 16 }
    }
    @inlinable
    public static var phases: Int {
        @_noLocks @_noAllocation get { 512 }
    }
}

/// The noise of one spin of one playhead around the next frame. Its memory belongs to the control side. All of it follows from seed and
/// frame: it is only a cache.
public struct SpinSource: BitwiseCopyable {
    /// A ring of `capacity` samples, followed by a copy of the first ``SpinShape/tapCount``.
    public var samples: UnsafeMutablePointer<Float>
    /// A second noise, or the Hilbert transform of the first one, in a ring of the same size; `nil` if it is not needed.
    public var second: UnsafeMutablePointer<Float>?
    /// Samples in the ring, a power of two.
    public var capacity: Int
    /// The ring holds the samples of the noise from `start` up to `end`.
    public var start: Int64 = 0
    public var end: Int64 = -1

    /// The samples of a ring: room for those around a block, and for some more.
    public static func capacity(reach: Int) -> Int {
        var capacity = 1024
        while capacity < 2 * reach + 512 { capacity *= 2 }
        return capacity
    }

    /// - Parameters:
    ///   - samples: `capacity + SpinShape.tapCount` of them.
    ///   - second: As many, or `nil`.
    public init(samples: UnsafeMutablePointer<Float>, second: UnsafeMutablePointer<Float>? = nil, capacity: Int) {
        self.samples = samples
        self.second = second
        self.capacity = capacity
    }
}
