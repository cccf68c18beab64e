import Foundation

/// A day of the calendar, in UTC, as files have it: `2026-11-23`.
package struct Day: Comparable, Hashable, Sendable {
    /// Days since 1970-01-01.
    package let number: Int

    package init(number: Int) { self.number = number }

    package init(of date: Date) { number = Int((date.timeIntervalSince1970 / Self.seconds).rounded(.down)) }

    /// Parses `2026-11-23`, between the years 1970 and 9999; `nil` if it is not a valid day.
    package init?(_ text: String) {
        guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil, let date = try? Date(text, strategy: Self.style) else { return nil }
        self.init(of: date)
        // Foundation takes the 30th of February for the 2nd of March.
        guard number >= 0, self.text == text else { return nil }
    }

    package var text: String { Date(timeIntervalSince1970: Double(number) * Self.seconds).formatted(Self.style) }

    package static func < (one: Day, other: Day) -> Bool { one.number < other.number }

    private static let seconds = 86_400.0
    private static let style = Date.ISO8601FormatStyle().year().month().day()
}
