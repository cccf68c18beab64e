import OperatingSystem
import Testing

@testable import Application

@Suite struct PaceTests {
    private typealias Interval = Pace.Interval

    /// A pace whose timer calls nothing.
    private final class TestPace {
        var pace = Pace()

        init() { pace.start(SystemClock()) {} }

        /// The interval after a tick; `nil` if there was none.
        func tick(_ wanted: Double, at now: Double, due: Double? = nil) -> Double? {
            guard pace.begin(wanted, at: now) else { return nil }
            pace.end(wanted, due: due, at: now)
            return pace.interval
        }

        func begin(_ wanted: Double, at now: Double) -> Bool { pace.begin(wanted, at: now) }
        func countActivity(at now: Double) -> Bool { pace.countActivity(at: now) }
    }

    @Test("Ticks stay at the usual interval for three seconds after something came from outside, and become rare then")
    func activity() {
        let pace = TestPace()
        #expect(!pace.countActivity(at: 10))
        #expect(pace.tick(Interval.resting, at: 10.1) == Interval.usual)
        #expect(pace.tick(Interval.resting, at: 12.9) == Interval.usual)
        #expect(pace.tick(Interval.resting, at: 13.1) == Interval.resting)
        #expect(pace.countActivity(at: 20))
        pace.pace.hurry()
        #expect(pace.pace.interval == Interval.usual)
        #expect(pace.tick(Interval.resting, at: 20.1) == Interval.usual)
    }

    @Test("A reason for ticks counts as activity while it lasts")
    func reasons() {
        let pace = TestPace()
        #expect(pace.tick(Interval.settling, at: 10) == Interval.settling)
        #expect(pace.tick(Interval.attentive, at: 20) == Interval.attentive)
        #expect(pace.tick(Interval.resting, at: 22.9) == Interval.usual)
        #expect(pace.tick(Interval.unwatched, at: 30) == Interval.unwatched)
        // After playing unwatched, the rest comes a moment later, so that the position is saved.
        #expect(pace.tick(Interval.resting, at: 32.9) == Interval.unwatched)
        #expect(pace.tick(Interval.resting, at: 33.1) == Interval.resting)
    }

    @Test("Something that is due brings the next tick forward, and only that one")
    func due() {
        let pace = TestPace()
        #expect(pace.tick(Interval.resting, at: 10, due: 10.5) == 0.5)
        #expect(pace.tick(Interval.resting, at: 10.5, due: 15.5) == Interval.resting)
        #expect(pace.tick(Interval.unwatched, at: 12, due: 12.125) == 0.125)
        // Overdue messages come soon, and not at once: its sender may have to wait.
        #expect(pace.tick(Interval.resting, at: 20, due: 19) == Interval.usual)
        #expect(pace.tick(Interval.resting, at: 20.015) == Interval.resting)
        #expect(pace.tick(Interval.settling, at: 21, due: 19) == Interval.settling)
    }

    @Test("A tick begins neither inside another one nor after the end, and nothing wakes control then")
    func nesting() {
        let pace = TestPace()
        #expect(pace.tick(Interval.resting, at: 10) == Interval.resting)
        #expect(pace.begin(Interval.resting, at: 11))
        #expect(!pace.begin(Interval.resting, at: 11))
        // A command that comes with a tick keeps the usual interval.
        #expect(!pace.countActivity(at: 11))
        pace.pace.end(Interval.resting, at: 11)
        #expect(pace.pace.interval == Interval.usual)
        pace.pace.cancel()
        #expect(!pace.begin(Interval.usual, at: 12))
        #expect(!pace.countActivity(at: 12))
    }
}
