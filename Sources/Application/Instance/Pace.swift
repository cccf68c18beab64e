import Dispatch
import OperatingSystem

/// Decides when control ticks next: often while something happens, rarely otherwise.
struct Pace {
    /// Seconds between ticks, from the shortest to the longest.
    enum Interval {
        /// A pending start or silence is checked often, so that it is reported at once.
        static let settling = 0.002
        /// Something from outside has to be answered in its own rhythm: JACK's transport, MIDI.
        static let attentive = 0.005
        static let usual = 0.015
        /// Something plays, and live lines on the terminal show it.
        static let shown = 0.1
        /// Something plays.
        static let unwatched = 0.25
        /// Nothing plays: with live lines on the terminal, and without.
        static let (restingShown, resting) = (1.0, 2.0)
    }

    /// The time in seconds for which ticks stay as they are after their last reason: long enough for saves and pictures.
    private static let patience = 3.0

    private var timer = TickTimer()
    /// The times, in seconds on the monotonic clock, at which there was last a reason for ticks at the usual interval, and for any shorter
    /// than at rest.
    private var (lastActivity, lastReason) = (-Double.infinity, -Double.infinity)
    private(set) var isTicking = false
    /// The time in seconds from the last tick to the next one.
    private(set) var interval = Interval.usual

    private var isSlow: Bool { interval > Interval.usual }

    mutating func start(_ time: any InstanceClock, _ tick: @escaping @MainActor () -> Void) {
        timer.start(time, tick)
        hurry()
    }

    /// Ends the ticks for good.
    mutating func cancel() { timer.cancel() }

    /// Counts something that has come from outside, or has changed.
    ///
    /// - Parameter now: seconds on the monotonic clock, as for the others.
    /// - Returns: Whether control has to catch up, since it has ticked rarely; not inside a tick.
    mutating func countActivity(at now: Double) -> Bool {
        count(Interval.usual, at: now)
        return timer.isRunning && isSlow && !isTicking
    }

    /// Brings the next tick to the usual distance.
    mutating func hurry() { schedule(in: Interval.usual) }

    /// - Parameter wanted: the interval in seconds that there are reasons for.
    /// - Returns: Whether there is to be a tick: not after the end, nor inside another one.
    mutating func begin(_ wanted: Double, at now: Double) -> Bool {
        guard timer.isRunning, !isTicking else { return false }
        (isTicking, interval) = (true, Interval.usual)
        count(wanted, at: now)
        return true
    }

    /// - Parameter due: the time at which something is due that needs a single tick.
    mutating func end(_ wanted: Double, due: Double? = nil, at now: Double) {
        isTicking = false
        count(wanted, at: now)
        var interval = wanted
        if now - lastReason < Self.patience { interval = min(interval, Interval.unwatched) }
        if now - lastActivity < Self.patience { interval = min(interval, Interval.usual) }
        guard let due, due - now < interval else { return schedule(in: interval) }
        schedule(in: min(interval, max(due - now, Interval.usual)), repeats: false)
    }

    private mutating func count(_ wanted: Double, at now: Double) {
        if wanted <= Interval.usual { lastActivity = now }
        if wanted <= Interval.unwatched { lastReason = now }
    }

    private mutating func schedule(in seconds: Double, repeats: Bool = true) {
        interval = seconds
        timer.schedule(in: seconds, repeats: repeats && isSlow)
    }
}
