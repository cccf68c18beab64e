import Foundation
import Testing

@testable import Application

@Suite("The time of a start")
struct StartTimeTests {
    private let berlin: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Europe/Berlin")!
        return calendar
    }()

    private func date(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int = 0) -> Date {
        let parts = DateComponents(year: 2026, month: month, day: day, hour: hour, minute: minute, second: second)
        return berlin.date(from: parts)!
    }

    @Test("A time of day is the next time that the clock shows it: today if it is still to come, otherwise tomorrow")
    func timeOfDay() {
        let alarm = StartTime.timeOfDay(6.5 * 3600)
        #expect(alarm.date(after: date(11, 23, 0, 10), berlin) == date(11, 23, 6, 30))
        #expect(alarm.date(after: date(11, 23, 22, 0), berlin) == date(11, 24, 6, 30))
        #expect(alarm.date(after: date(11, 23, 6, 30, 1), berlin) == date(11, 24, 6, 30))
        #expect(StartTime.timeOfDay(0).date(after: date(12, 31, 23, 59), berlin) == date(12, 31, 23, 59) + 60)
    }

    @Test("When the clocks change, the time is that of the clock, and a time that is skipped is the end of the gap")
    func clockChange() {
        // 29 March 2026: 2:00 becomes 3:00.
        #expect(StartTime.timeOfDay(6.5 * 3600).date(after: date(3, 28, 22, 30), berlin) == date(3, 28, 22, 30) + 7 * 3600)
        #expect(StartTime.timeOfDay(2.5 * 3600).date(after: date(3, 29, 0, 0), berlin) == date(3, 29, 3, 0))
        // 25 October 2026: 3:00 becomes 2:00.
        #expect(StartTime.timeOfDay(6.5 * 3600).date(after: date(10, 24, 22, 30), berlin) == date(10, 24, 22, 30) + 9 * 3600)
    }

    @Test("A delay counts from now")
    func delay() {
        #expect(StartTime.delay(1200).date(after: date(3, 29, 1, 50), berlin) == date(3, 29, 1, 50) + 1200)
    }
}
