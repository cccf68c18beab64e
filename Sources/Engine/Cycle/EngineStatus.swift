import Synthesis

/// How often an output guard had to act: samples not finite, samples above the ceiling, layers muted for a DC offset.
package typealias GuardActions = Synthesis.GuardActions

/// The status that the render thread publishes after each cycle.
package struct EngineStatus: BitwiseCopyable, Sendable {
    /// First frame of the next cycle. The engine counts the frames that it has rendered.
    package var engineFrame: EngineFrame = 0
    /// First frame of the last cycle, and the host's time for it in microseconds: together they tie the two clocks.
    package var cycleStartFrame: EngineFrame = 0
    package var hostTime: UInt64 = 0
    /// Frames of the last cycle.
    package var cycleFrames = 0
    package var cycles: UInt64 = 0
    /// The number of ``position``; -1 when nothing is current.
    var currentPosition: Int64 = -1
    /// Serial of the `start` or `setNext` that the current playhead came from; 0 when nothing is current.
    package var playheadSerial: UInt64 = 0
    /// Playheads and tails that sound.
    package var playingCount = 0
    /// Sums of the squares of all samples since the engine was made, and their number in each channel: differences give RMS levels.
    package var squareSumLeft: Double = 0
    package var squareSumRight: Double = 0
    package var guardActions = GuardActions()

    /// The place of the current playhead at `engineFrame`; `nil` when nothing is current.
    package var position: PlanFrame? { currentPosition < 0 ? nil : PlanFrame(currentPosition) }
    package var isSounding: Bool { playingCount > 0 }
}
