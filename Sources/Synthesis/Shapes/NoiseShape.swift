// Render thread: coloured noise as overlapped blocks on a fixed grid of frames, each a function of seed and block number.
//
// Block b covers the frames (b-1)*hop ..< (b+1)*hop under a sine window, so that two blocks overlap everywhere and the squares of
// their windows add up to 1. A block is the inverse transform of a spectrum with the colour's magnitudes and random phases;
// real and imaginary part are two independent noises.

/// The constant tables that all blocks of one colour share; their memory is owned elsewhere.
public struct NoiseShape: BitwiseCopyable {
    /// Frames in a block, a power of two, at least 64; `hop` is half of it.
    public var length: Int
    /// Magnitude of each line of the spectrum, in bit-reversed order, of which each 64 are transposed as ``drawLines`` reads them. The sum of the
    /// squares is 1.
    public var magnitudes: UnsafePointer<Float>
    /// The twiddle factors of each pass of the transform, as its function reads them.
    public var twiddles: UnsafePointer<Float>
    /// The window of a block, `length` values. The squares of two that overlap add up to 1.
    public var window: UnsafePointer<Float>

    public init(
        length: Int, magnitudes: UnsafePointer<Float>, twiddles: UnsafePointer<Float>, window: UnsafePointer<Float>
    ) {
        self.length = length
        self.magnitudes = magnitudes
        self.twiddles = twiddles
        self.window = window
    }

    @inlinable
    public var hop: Int {
        @_noLocks @_noAllocation get { length / 2 }
    }

    /// Each pass of the transform consists of as many units, of 64 values each. It does two stages, except for the first pass if their number is
    /// odd. Three stages are done while the spectrum is drawn.
    @inlinable
    public var unitsPerPass: Int { @_noLocks @_noAllocation get { length / 64 } }
    /// Drawing 64 lines takes as long as so many units of the transform, and counts as many, so that all callbacks take as long.
    @inlinable
    public static var unitsPerDrawing: Int { @_noLocks @_noAllocation get { 5 } }
    @inlinable
    public var unitsOfDrawing: Int { @_noLocks @_noAllocation get { Self.unitsPerDrawing * unitsPerPass } }
    @inlinable
    public var units: Int {
        @_noLocks @_noAllocation get { unitsOfDrawing + unitsPerPass * ((length.trailingZeroBitCount - 2) / 2) }
    }
    /// Whether the first pass does one stage only.
    @inlinable
    public var hasSingleStage: Bool { @_noLocks @_noAllocation get { length.trailingZeroBitCount & 1 == 0 } }
}

/// The blocks that one noise layer of one playhead is made from. Its memory belongs to the control side.
public struct NoiseBlocks: BitwiseCopyable {
    /// Three blocks, each `length` real parts and then `length` imaginary parts.
    public var samples: UnsafeMutablePointer<Float>
    /// The number of the block in each of the three places; -1 for none.
    public var numbers: InlineArray<3, Int64> = [-1, -1, -1]
    /// Units of work that have been done on each block.
    public var progress: InlineArray<3, Int> = [0, 0, 0]

    /// Number of floats that `samples` points to.
    public static func capacity(length: Int) -> Int { 6 * length }

    public init(samples: UnsafeMutablePointer<Float>) {
        self.samples = samples
    }
}
