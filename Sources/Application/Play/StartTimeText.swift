import Patches
import Playback

/// An invalid start time: the accepted forms, and the nearest one.
package struct StartTimeError: Error, CustomStringConvertible {
    package let description: String
}

extension StartTime {
    /// Reads `6:30`, `6:30:15` or, with a delay, `+20:00`.
    package init(_ text: String) throws(StartTimeError) {
        if text.hasPrefix("+") {
            let time = String(text.dropFirst())
            if let seconds = DurationText.parse(time), seconds > 0, seconds <= SleepTimer.longest {
                self = .delay(seconds)
                return
            }
            let meant = DurationText.suggestion(for: time).map { " Did you mean +\($0)?" } ?? ""
            throw StartTimeError(description: "After + comes a time from now, up to 24:00:00: seconds, m:ss or h:mm:ss.\(meant)")
        }
        if text.contains(":"), let seconds = TimeOfDayText.parse(text) {
            self = .timeOfDay(seconds)
            return
        }
        let meant = Self.suggestion(for: text).map { " Did you mean \($0)?" } ?? ""
        throw StartTimeError(
            description: "Use a time of day, h:mm or h:mm:ss up to 23:59:59, or a time from now, as in +20:00.\(meant)")
    }

    private static func suggestion(for text: String) -> String? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        if digits.count == text.count, (3...4).contains(digits.count) {
            let meant = "\(digits.dropLast(2)):\(digits.suffix(2))"
            return TimeOfDayText.parse(meant) == nil ? nil : meant
        }
        let colons = text.replacing(".", with: ":")
        if colons != text, colons.contains(/^[0-9]+:[0-9]{2}$/), TimeOfDayText.parse(colons) != nil { return colons }
        guard let hour = Int(digits), hour < 24 else { return DurationText.suggestion(for: text).map { "+" + $0 } }
        return TimeOfDayText.suggestion(for: text) ?? DurationText.suggestion(for: text).map { "+" + $0 }
    }
}
