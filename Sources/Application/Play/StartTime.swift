import Foundation
import Library
import OperatingSystem

/// The time at which `--at` starts to play.
package enum StartTime: Equatable, Sendable {
    /// Seconds after midnight, below a day: the next time that the clock shows this.
    case timeOfDay(Double)
    /// Seconds from now.
    case delay(Double)

    /// The moment that this time refers to at `now`; it is always later than `now`.
    ///
    /// A time of day that a change to summer time skips is taken as the first moment after the gap.
    package func date(after now: Date, _ calendar: Calendar = .current) -> Date {
        switch self {
        case .delay(let seconds): return now + seconds
        case .timeOfDay(let seconds):
            let whole = Int(seconds)
            let parts = DateComponents(hour: whole / 3600, minute: whole / 60 % 60, second: whole % 60)
            return calendar.nextDate(after: now, matching: parts, matchingPolicy: .nextTime) ?? now + 86_400
        }
    }
}

extension WallTime {
    /// Seconds after midnight, in the time zone that the system is set to.
    var secondsOfDay: Double { TimeOfDay.seconds(at: seconds, nanoseconds: nanoseconds) }
}
