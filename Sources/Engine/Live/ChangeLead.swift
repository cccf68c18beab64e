/// Frames by which changes are delayed beyond the next cycle: some if compiling them takes too long for the render thread, many under
/// freewheel.
struct ChangeLead {
    private(set) var frames: Int64 = 0
    /// Changes that have landed since one came too late, or since the lead was last shortened.
    private var landedInTime = 0

    /// Frames that last for hours: no render thread advances that far between two polls.
    private static let longest: Int64 = 1 << 32

    /// Gives the next try more time than the last one would have needed, so that a try will be in time however fast frames pass.
    mutating func lengthen(missed missedFrame: EngineFrame, _ status: EngineStatus) {
        frames = min(max(2 * frames, Int64(status.cycleFrames), 2 * (status.engineFrame - missedFrame)), Self.longest)
        landedInTime = 0
    }

    /// Notes that a change has landed; the lead is halved after 16 in a row.
    mutating func landed() {
        landedInTime += 1
        guard landedInTime >= 16 else { return }
        frames /= 2
        landedInTime = 0
    }
}
