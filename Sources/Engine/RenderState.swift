// Render thread: all that it may touch, in one place. Control makes it, warms it up, and takes it down when no callback runs.

import RealTime
import Synchronization
import Synthesis

/// The pointers are set once. They are variables all the same: with constants, the compiler (6.3.1) fails to build this type for the
/// thread sanitizer.
struct RenderState: ~Copyable {
    static var playheadCount: Int {
        @_noLocks @_noAllocation get { 16 }
    }
    /// Free ones, or about to be, that there should always be.
    static var sparePlayheadCount: Int {
        @_noLocks @_noAllocation get { 3 }
    }
    static var pendingCapacity: Int {
        @_noLocks @_noAllocation get { 64 }
    }

    /// All of this lies in it.
    var block: EngineBlock
    let kernel: Kernel
    /// Linear.
    let ceiling: Float
    var scratch: Scratch
    /// Frames in which a tail fades out whose playhead is needed: 5 ms.
    let stealFrames: Int64
    /// First frame of the next cycle.
    var engineFrame: Int64 = 0

    var playheads: UnsafeMutablePointer<Playhead>
    /// Index of the playhead that is current; the others are tails that fade out. -1: none.
    var current = -1
    /// What begins when the current plan ends.
    var next: Sound?
    var nextSerial: UInt64 = 0
    /// Frames before the end of the current plan at which it begins.
    var nextCrossfade: Int64 = 0
    var master: Master

    var messages: RingConsumer<Message>
    var reports: RingProducer<Report>
    /// Messages taken from the ring whose time has not come.
    var pending: UnsafeMutablePointer<Message>
    var pendingCount = 0

    /// Raised where a cycle waits for sounds from files.
    let soundHurry: UnsafeMutablePointer<Atomic<Bool>>
    var status: Seqlock<EngineStatus>
    /// Where the status is put together.
    var published: UnsafeMutablePointer<EngineStatus>
    var measures: UnsafeMutablePointer<ChannelMeasure>
    var guardActions: UnsafeMutablePointer<GuardActions>
    var voltage: SteadyVoltage
    var keyboard: UnsafeMutablePointer<Keyboard>
    /// Bit patterns of the highest magnitudes since they were last taken: left, right.
    var peaks: UnsafeMutablePointer<Atomic<UInt32>>
}
