// Render thread: all state that it may touch. Control creates it, warms it up, and frees it when no callback runs.

import RealTime
import Synchronization
import Synthesis

/// The state of the render thread. The pointers are set once, but are variables: with constants, the compiler (6.3.1) fails to build this
/// type for the thread sanitizer.
struct RenderState: ~Copyable {
    static var playheadCount: Int {
        @_noLocks @_noAllocation get { 16 }
    }
    /// The number of playheads that should always be free, or about to be.
    static var sparePlayheadCount: Int {
        @_noLocks @_noAllocation get { 3 }
    }
    static var pendingCapacity: Int {
        @_noLocks @_noAllocation get { 64 }
    }

    /// The block that holds all of this.
    var block: EngineBlock
    let kernel: Kernel
    /// The highest level that leaves the engine, linear.
    let ceiling: Float
    var scratch: Scratch
    /// The number of frames (5 ms) in which a tail fades out when its playhead is needed.
    let stealFrames: Int64
    /// The first frame of the next cycle.
    var engineFrame: EngineFrame = 0

    var playheads: UnsafeMutablePointer<Playhead>
    /// The index of the current playhead, or -1 for none; the others are tails that fade out.
    var current = -1
    /// The plan that begins when the current plan ends; `nil` for none.
    var next: PlayablePlan?
    var nextSerial: UInt64 = 0
    /// The number of frames before the end of the current plan at which the next one begins.
    var nextCrossfade: Int64 = 0
    var master: Master

    var messages: RingConsumer<Message>
    var reports: RingProducer<Report>
    /// Messages taken from the ring that are not due yet.
    var pending: UnsafeMutablePointer<Message>
    var pendingCount = 0

    /// A flag that is set while a cycle waits for sound files.
    let soundHurry: UnsafeMutablePointer<Atomic<Bool>>
    var status: Seqlock<EngineStatus>
    /// The status while it is assembled.
    var published: UnsafeMutablePointer<EngineStatus>
    var measures: UnsafeMutablePointer<ChannelMeasure>
    var guardActions: UnsafeMutablePointer<GuardActions>
    var dcOffset: DCOffset
    var keyboard: UnsafeMutablePointer<Keyboard>
    /// The bit patterns of the highest magnitudes since they were last taken: left, right.
    var peaks: UnsafeMutablePointer<Atomic<UInt32>>
}
