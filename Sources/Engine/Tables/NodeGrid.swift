// Any thread: the cells of 64 frames in which sines of low frequencies are added up at 16 nodes.

/// A cell of plan frames and its nodes, see ``NodeCell``.
enum NodeGrid {
    /// Plan frames in a cell.
    static var frames: Int64 {
        @_noLocks @_noAllocation @inline(__always) get { 64 }
    }
    /// Nodes in a cell.
    static var nodeCount: Int {
        @_noLocks @_noAllocation @inline(__always) get { 16 }
    }
    /// The frames from one node to the next.
    static var spacing: Int32 {
        @_noLocks @_noAllocation @inline(__always) get { 5 }
    }
    /// The number of frames from the cell's first frame back to its first node.
    static var lead: Int64 {
        @_noLocks @_noAllocation @inline(__always) get { 6 }
    }

    /// The frame at which a stretch of a course is cut in two: a cell's first frame if it is long enough, so that few pieces end inside a cell.
    static func middle(from start: Int64, to end: Int64) -> Int64 {
        let middle = start + (end - start) / 2
        return end - start < 2 * frames ? middle : (middle + frames / 2) & ~(frames - 1)
    }
}
