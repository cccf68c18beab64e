// Render thread: the phase of an oscillator as a function of the frame.

/// A stretch of frames in which the frequency is a polynomial of at most third degree.
///
/// The phase `k` frames after `start` is `phase + k*d1 + C(k,2)*d2 + C(k,3)*d3 + C(k,4)*d4` in units of 2^-64 cycle, in wrapping
/// arithmetic: exact at any distance, since nothing accumulates.
public struct PhasePiece: BitwiseCopyable, Equatable, Sendable {
    /// The plan frame of the first frame.
    public var start: Int64
    public var differences: PhaseDifferences
    /// Whether it is a piece of third degree that was made for fewer than 64 frames, a cell of nodes.
    public var isBrief: Bool

    public init(start: Int64, differences: PhaseDifferences, isBrief: Bool = false) {
        self.start = start
        self.differences = differences
        self.isBrief = isBrief
    }
}

/// A phase and its forward differences, in units of 2^-64 cycle.
public struct PhaseDifferences: BitwiseCopyable, Equatable, Sendable {
    public var phase: UInt64
    public var d1: UInt64
    public var d2: UInt64
    public var d3: UInt64
    public var d4: UInt64

    @_noLocks @_noAllocation
    @inlinable @inline(__always)
    public init(phase: UInt64 = 0, d1: UInt64 = 0, d2: UInt64 = 0, d3: UInt64 = 0, d4: UInt64 = 0) {
        self.phase = phase
        self.d1 = d1
        self.d2 = d2
        self.d3 = d3
        self.d4 = d4
    }

    /// The same polynomial from `k` frames further on. With `d3` or `d4` other than 0, `k` is at most 2^17.
    @_noLocks @_noAllocation
    public func advanced(by k: Int64) -> PhaseDifferences {
        let c1 = UInt64(truncatingIfNeeded: k)
        // One of k and k - 1 is even: halve that one, so that nothing is lost when the product wraps.
        let c2 = k & 1 == 0 ? (c1 &>> 1) &* (c1 &- 1) : c1 &* ((c1 &- 1) &>> 1)
        var result = self
        if d3 | d4 != 0 {
            let c3 = c1 &* (c1 &- 1) &* (c1 &- 2) / 6
            // C(k,4) = C(k,3) (k - 3) / 4; below k = 3 it is 0 whatever the factor.
            let c4 = c3 == 0 ? 0 : c3 &* (c1 &- 3) / 4
            result.phase &+= c3 &* d3 &+ c4 &* d4
            result.d1 &+= c2 &* d3 &+ c3 &* d4
            result.d2 &+= c1 &* d3 &+ c2 &* d4
            result.d3 &+= c1 &* d4
        }
        result.phase &+= c1 &* d1 &+ c2 &* d2
        result.d1 &+= c1 &* d2
        return result
    }

    /// Advances the polynomial by a stride, which can be shared by many phases.
    @_noLocks @_noAllocation
    @inlinable @inline(__always)
    public mutating func advance(by stride: PhaseStride) {
        phase &+= stride.c1 &* d1 &+ stride.c2 &* d2
        d1 &+= stride.c1 &* d2
        if _slowPath(d3 | d4 != 0) {
            phase &+= stride.c3 &* d3 &+ stride.c4 &* d4
            d1 &+= stride.c2 &* d3 &+ stride.c3 &* d4
            d2 &+= stride.c1 &* d3 &+ stride.c2 &* d4
            d3 &+= stride.c1 &* d4
        }
    }

    @_noLocks @_noAllocation
    @inlinable @inline(__always)
    public static func + (a: PhaseDifferences, b: PhaseDifferences) -> PhaseDifferences {
        PhaseDifferences(
            phase: a.phase &+ b.phase, d1: a.d1 &+ b.d1, d2: a.d2 &+ b.d2, d3: a.d3 &+ b.d3, d4: a.d4 &+ b.d4)
    }

    @_noLocks @_noAllocation
    @inlinable @inline(__always)
    public static func - (a: PhaseDifferences, b: PhaseDifferences) -> PhaseDifferences {
        PhaseDifferences(
            phase: a.phase &- b.phase, d1: a.d1 &- b.d1, d2: a.d2 &- b.d2, d3: a.d3 &- b.d3, d4: a.d4 &- b.d4)
    }
}

/// A distance of `count` frames, with a magnitude of at most 2^17, as the binomials C(count,1) to C(count,4).
public struct PhaseStride: BitwiseCopyable {
    public var count: Int64
    public var c1: UInt64
    public var c2: UInt64
    public var c3: UInt64
    public var c4: UInt64

    @_noLocks @_noAllocation
    @inlinable @inline(__always)
    public init(_ count: Int64) {
        self.count = count
        c1 = UInt64(truncatingIfNeeded: count)
        c2 = c1 &* (c1 &- 1) / 2
        c3 = count < 3 ? 0 : c2 &* (c1 &- 2) / 3
        c4 = count < 4 ? 0 : c3 &* (c1 &- 3) / 4
    }

    @_noLocks @_noAllocation
    @inlinable @inline(__always)
    public init(count: Int64, c1: UInt64, c2: UInt64, c3: UInt64, c4: UInt64) {
        self.count = count
        self.c1 = c1
        self.c2 = c2
        self.c3 = c3
        self.c4 = c4
    }
}

/// Pieces in order of their start, the first valid from the first frame requested; their memory is owned elsewhere.
public struct PhaseTrack: BitwiseCopyable {
    public var pieces: UnsafePointer<PhasePiece>
    public var count: Int

    public init(pieces: UnsafePointer<PhasePiece>, count: Int) {
        self.pieces = pieces
        self.count = count
    }

    /// The phase polynomial from `frame` on; lowers `limit` to the start of the next piece.
    @_noLocks @_noAllocation
    public func differences(at frame: Int64, limit: inout Int64) -> PhaseDifferences {
        var place: Int32 = 0
        let piece = piece(at: frame, limit: &limit, near: &place)
        return piece.pointee.differences.advanced(by: frame &- piece.pointee.start)
    }

    /// The piece that `frame` is in; lowers `limit` to the start of the next one.
    ///
    /// - Parameter place: The index of a piece; the next one is looked at first, then it. Any number will do; it becomes the index of the result.
    @_noLocks @_noAllocation
    @inlinable @inline(__always)
    public func piece(at frame: Int64, limit: inout Int64, near place: inout Int32) -> UnsafePointer<PhasePiece> {
        if count == 1 { return pieces }
        // SAFETY: place is at least 0 and place + 2 below count.
        let next = Int(place) &+ 1
        if place >= 0, next &+ 1 < count, pieces[next].start <= frame {
            let end = pieces[next &+ 1].start
            // A branch can be predicted before the end, which is in memory that nothing has used yet, is there.
            if _fastPath(end > frame) {
                if end < limit { limit = end }
                place &+= 1
                return pieces + next
            }
        }
        return find(frame, &limit, &place)
    }

    @_noLocks @_noAllocation
    @usableFromInline
    func find(_ frame: Int64, _ limit: inout Int64, _ place: inout Int32) -> UnsafePointer<PhasePiece> {
        // SAFETY: low and the guesses stay in 0..<count.
        var low = 0
        var high = count
        let first = max(0, min(Int(place), count &- 1))
        for guess in first..<min(first &+ 2, count) where pieces[guess].start <= frame {
            low = guess
            if guess &+ 1 < count, pieces[guess &+ 1].start > frame { high = guess &+ 1 }
        }
        while high &- low > 1 {
            let middle = (low &+ high) / 2
            if pieces[middle].start <= frame { low = middle } else { high = middle }
        }
        if high < count, pieces[high].start < limit { limit = pieces[high].start }
        place = Int32(truncatingIfNeeded: low)
        return pieces + low
    }
}
