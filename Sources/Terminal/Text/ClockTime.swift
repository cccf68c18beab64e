import Patches

/// A time as text: seconds, `m:ss` or `h:mm:ss`.
package struct ClockTime: Equatable, Sendable {
    package let seconds: Double

    /// - Parameter argument: as it stands on the command line.
    package init?(argument: String) {
        guard let seconds = DurationText.parse(argument) else { return nil }
        self.seconds = seconds
    }

    /// The time for a display, such as `0:07`, `12:34` or `1:02:03`; fractions of a second are cut off.
    package static func text(_ seconds: Double) -> String {
        DurationText.string(from: max(0, seconds).rounded(.down))
    }
}
