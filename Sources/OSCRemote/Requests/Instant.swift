import OSC

/// A simultaneous reading of two clocks, supplied by the server's callers.
package struct Instant: Equatable, Sendable {
    /// Seconds on a monotonic clock of any origin.
    package var seconds: Double
    /// The wall-clock time.
    package var timeTag: TimeTag

    package init(seconds: Double, timeTag: TimeTag) {
        self.seconds = seconds
        self.timeTag = timeTag
    }
}
