// Any thread: values that the render thread and control count in.
//
// Both are numbers of frames, and mean different times: each plan that plays has an origin, the engine frame at which its frame 0 is or would
// have been rendered. Separate types distinguish them wherever both occur. Within a plan there are only plan frames, which its tracks and the
// loops of `Synthesis` count in plain numbers.

/// Times in frames.
enum Frames {
    /// The length in seconds of the shortest fade and of the shortest ramp.
    static let shortFade = 0.02

    /// A time in seconds, rounded to whole frames.
    static func count(of seconds: Double, sampleRate: Double) -> Int64 {
        let frames = (seconds * sampleRate).rounded()
        return frames.magnitude < 0x1p62 ? Int64(frames) : (frames < 0 ? 0 : 1 << 62)
    }
}

/// A time on the engine's clock: the number of frames rendered before it since the engine was made.
package struct EngineFrame: BitwiseCopyable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
    package var number: Int64

    @_noLocks @_noAllocation @inline(__always)
    package init(_ number: Int64) { self.number = number }

    @_noLocks @_noAllocation @inline(__always)
    package init(integerLiteral number: Int64) { self.number = number }

    /// Frame 0, which has always begun: a request for it is carried out as soon as possible.
    package static var asSoonAsPossible: EngineFrame {
        @_noLocks @_noAllocation @inline(__always) get { EngineFrame(0) }
    }

    /// The highest frame, which is never reached.
    package static var max: EngineFrame {
        @_noLocks @_noAllocation @inline(__always) get { EngineFrame(.max) }
    }

    /// The plan frame that is rendered at this frame, of a plan whose frame 0 is rendered at `origin`.
    @_noLocks @_noAllocation @inline(__always)
    package func planFrame(origin: EngineFrame) -> PlanFrame { PlanFrame(number - origin.number) }

    /// The origin of a plan of which `planFrame` is rendered at this frame.
    @_noLocks @_noAllocation @inline(__always)
    package func origin(of planFrame: PlanFrame) -> EngineFrame { EngineFrame(number - planFrame.number) }

    @_noLocks @_noAllocation @inline(__always)
    package static func < (a: EngineFrame, b: EngineFrame) -> Bool { a.number < b.number }

    @_noLocks @_noAllocation @inline(__always)
    package static func <= (a: EngineFrame, b: EngineFrame) -> Bool { a.number <= b.number }

    @_noLocks @_noAllocation @inline(__always)
    package static func > (a: EngineFrame, b: EngineFrame) -> Bool { a.number > b.number }

    @_noLocks @_noAllocation @inline(__always)
    package static func >= (a: EngineFrame, b: EngineFrame) -> Bool { a.number >= b.number }

    @_noLocks @_noAllocation @inline(__always)
    package static func == (a: EngineFrame, b: EngineFrame) -> Bool { a.number == b.number }

    @_noLocks @_noAllocation @inline(__always)
    package static func + (frame: EngineFrame, count: Int64) -> EngineFrame { EngineFrame(frame.number + count) }

    @_noLocks @_noAllocation @inline(__always)
    package static func - (frame: EngineFrame, count: Int64) -> EngineFrame { EngineFrame(frame.number - count) }

    /// The number of frames from `b` to `a`.
    @_noLocks @_noAllocation @inline(__always)
    package static func - (a: EngineFrame, b: EngineFrame) -> Int64 { a.number - b.number }
}

/// A place in a plan: the number of frames before it from the start of the patch.
package struct PlanFrame: BitwiseCopyable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
    package var number: Int64

    @_noLocks @_noAllocation @inline(__always)
    package init(_ number: Int64) { self.number = number }

    @_noLocks @_noAllocation @inline(__always)
    package init(integerLiteral number: Int64) { self.number = number }

    @_noLocks @_noAllocation @inline(__always)
    package static func < (a: PlanFrame, b: PlanFrame) -> Bool { a.number < b.number }

    @_noLocks @_noAllocation @inline(__always)
    package static func <= (a: PlanFrame, b: PlanFrame) -> Bool { a.number <= b.number }

    @_noLocks @_noAllocation @inline(__always)
    package static func > (a: PlanFrame, b: PlanFrame) -> Bool { a.number > b.number }

    @_noLocks @_noAllocation @inline(__always)
    package static func >= (a: PlanFrame, b: PlanFrame) -> Bool { a.number >= b.number }

    @_noLocks @_noAllocation @inline(__always)
    package static func == (a: PlanFrame, b: PlanFrame) -> Bool { a.number == b.number }

    @_noLocks @_noAllocation @inline(__always)
    package static func + (frame: PlanFrame, count: Int64) -> PlanFrame { PlanFrame(frame.number + count) }
}

// The generic functions of the standard library would need metadata of these types on the render thread.

@_noLocks @_noAllocation @inline(__always)
func min(_ a: EngineFrame, _ b: EngineFrame) -> EngineFrame { a < b ? a : b }

@_noLocks @_noAllocation @inline(__always)
func max(_ a: EngineFrame, _ b: EngineFrame) -> EngineFrame { a > b ? a : b }

@_noLocks @_noAllocation @inline(__always)
func max(_ a: PlanFrame, _ b: PlanFrame) -> PlanFrame { a > b ? a : b }
