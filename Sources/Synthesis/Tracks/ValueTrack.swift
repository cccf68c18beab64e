// Render thread: gains and other smooth values as a function of the frame.

/// A stretch of frames in which a value is a polynomial of at most fifth degree in `t = k * inverseLength`, `k` frames after `start`.
public struct ValuePiece: BitwiseCopyable, Equatable, Sendable {
    /// The plan frame of the first frame.
    public var start: Int64
    /// 1 / length in frames; 0 in a piece that is constant.
    public var inverseLength: Float
    public var c0: Float
    public var c1: Float = 0
    public var c2: Float = 0
    public var c3: Float = 0
    public var c4: Float = 0
    public var c5: Float = 0
    /// Whether it is constant, lasts 2048 frames or more, or lasts 128 or more and has no derivative above the largest one of a smootherstep from 0 to
    /// 1 in 2048 frames.
    public private(set) var isSlow = true

    public init(start: Int64, constant: Float) {
        self.start = start
        inverseLength = 0
        c0 = constant
    }

    @_noLocks @_noAllocation
    public init(
        start: Int64, inverseLength: Float, _ c0: Float, _ c1: Float, _ c2: Float, _ c3: Float, _ c4: Float, _ c5: Float
    ) {
        self.start = start
        self.inverseLength = inverseLength
        self.c0 = c0
        self.c1 = c1
        self.c2 = c2
        self.c3 = c3
        self.c4 = c4
        self.c5 = c5
        isSlow = inverseLength <= 1 / 2048 || inverseLength <= 1 / 128 && hasSmallDerivatives
    }

    private var hasSmallDerivatives: Bool {
        @_noLocks @_noAllocation get {
            // The same polynomial of t = 0...1 over 2048 frames.
            let r = 2048 * inverseLength
            let (a1, a2, a3, a4, a5) = (
                abs(c1) * r, abs(c2) * r * r, abs(c3) * r * r * r, abs(c4) * r * r * r * r, abs(c5) * r * r * r * r * r
            )
            let x = 1 / r
            return a1 + x * (2 * a2 + x * (3 * a3 + x * (4 * a4 + x * 5 * a5))) <= 1.875
                && 2 * a2 + x * (6 * a3 + x * (12 * a4 + x * 20 * a5)) <= 5.77
                && 6 * a3 + x * (24 * a4 + x * 60 * a5) <= 60 && 24 * a4 + x * 120 * a5 <= 360 && 120 * a5 <= 720
        }
    }

    @inlinable
    public var isConstant: Bool {
        @_noLocks @_noAllocation @inline(__always) get { inverseLength == 0 }
    }

    /// Whether it is 0 throughout.
    @inlinable
    public var isSilent: Bool {
        @_noLocks @_noAllocation @inline(__always) get { isConstant && c0 == 0 }
    }
}

/// Pieces in order of their start, the first valid from the first frame requested; their memory is owned elsewhere.
public struct ValueTrack: BitwiseCopyable {
    public var pieces: UnsafePointer<ValuePiece>
    public var count: Int

    public init(pieces: UnsafePointer<ValuePiece>, count: Int) {
        self.pieces = pieces
        self.count = count
    }

    /// The value at a frame.
    @_noLocks @_noAllocation
    package func value(at frame: Int64) -> Float {
        var limit = Int64.max
        let piece = piece(at: frame, limit: &limit).pointee
        let t = Float(frame &- piece.start) * piece.inverseLength
        return piece.c0 + t * (piece.c1 + t * (piece.c2 + t * (piece.c3 + t * (piece.c4 + t * piece.c5))))
    }

    /// The piece that `frame` is in; lowers `limit` to the start of the next one.
    @_noLocks @_noAllocation
    @inlinable @inline(__always)
    public func piece(at frame: Int64, limit: inout Int64) -> UnsafePointer<ValuePiece> {
        count == 1 ? pieces : find(frame, &limit)
    }

    @_noLocks @_noAllocation
    @usableFromInline
    func find(_ frame: Int64, _ limit: inout Int64) -> UnsafePointer<ValuePiece> {
        // SAFETY: low stays in 0..<count.
        var low = 0
        var high = count
        while high - low > 1 {
            let middle = (low + high) / 2
            if pieces[middle].start <= frame { low = middle } else { high = middle }
        }
        if high < count, pieces[high].start < limit { limit = pieces[high].start }
        return pieces + low
    }
}
