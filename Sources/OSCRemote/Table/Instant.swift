import OSC

/// A reading of two clocks at once; whoever calls the server brings it along.
package struct Instant: Equatable, Sendable {
    /// Of a clock that never jumps, from any origin.
    package var seconds: Double
    /// Of the wall clock.
    package var timeTag: TimeTag

    package init(seconds: Double, timeTag: TimeTag) {
        self.seconds = seconds
        self.timeTag = timeTag
    }
}
