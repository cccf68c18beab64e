// Render thread: how the filters of an input begin.

/// The fade with which the filters of an input begin to hear it. It may be loud already, and they would answer its sudden start with a click.
enum Onset {
    static var frames: Int { @_noLocks @_noAllocation get { 1024 } }

    /// The gain of a frame after the start of the filters.
    @_noLocks @_noAllocation
    @inline(__always)
    static func level(atFrame frame: Int) -> Double { frame < frames ? smootherstep(Double(frame) / Double(frames)) : 1 }
}
