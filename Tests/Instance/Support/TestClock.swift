import Dispatch
import OperatingSystem
import Synchronization

/// Time that stands still until a test advances it. Timers fire in the order in which they are due.
package final class TestClock: InstanceClock {
    private struct Entry {
        let number: Int
        let queue: DispatchQueue
        let handler: () -> Void
        /// In nanoseconds on this clock; `nil` while it is not set.
        var due: Int64?
        var interval: Int64?
    }

    private struct State: @unchecked Sendable {
        // SAFETY: handlers are called on their queues only.
        var now: Int64 = 1_000_000_000_000
        /// Nanoseconds by which the time of day is ahead.
        var wallOffset: Int64 = 1_699_999_000_000_000_000
        var entries: [Int: Entry] = [:]
        var count = 0
        var sleepers: [(due: Int64, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var seconds: Double { Double(nanoseconds) * 1e-9 }

    private var nanoseconds: Int64 { state.withLock { $0.now } }

    package var wallTime: WallTime {
        let time = state.withLock { $0.now + $0.wallOffset }
        return WallTime(seconds: Int(time / 1_000_000_000), nanoseconds: Int(time % 1_000_000_000))
    }

    /// Somebody sets the time of day.
    package func setWallTime(forwardBy seconds: Double) { state.withLock { $0.wallOffset += Self.nanoseconds(seconds) } }

    package func timer(on queue: DispatchQueue, _ handler: @escaping () -> Void) -> any InstanceTimer {
        let entry = OnClock(handler)
        return state.withLock { state in
            state.count += 1
            state.entries[state.count] = Entry(number: state.count, queue: queue, handler: entry.value)
            return TestTimer(state.count, self)
        }
    }

    nonisolated(nonsending) package func sleep(seconds: Double) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.sleepers.append(($0.now + Self.nanoseconds(seconds), continuation)) }
        }
    }

    /// Wakes all that sleep, before their time.
    package func wakeSleepers() {
        let sleepers = state.withLock { state in
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in sleepers { sleeper.continuation.resume() }
    }

    /// Lets time pass; what is due meanwhile happens in order, and each time it is waited for.
    ///
    /// - Parameters:
    ///   - isBusy: Whether timers are late, as on a busy machine: they fire with the next advance that is not.
    ///   - settle: Called after each of them.
    package func advance(by seconds: Double, isBusy: Bool = false, settle: () -> Void) {
        let end = nanoseconds + Self.nanoseconds(seconds)
        while !isBusy, let due = nextDue(until: end) {
            fire(at: due)
            settle()
        }
        state.withLock { $0.now = end }
    }

    private func nextDue(until end: Int64) -> Int64? {
        let first = state.withLock { state in
            min(state.entries.values.lazy.compactMap(\.due).min() ?? .max, state.sleepers.lazy.map(\.due).min() ?? .max)
        }
        return first <= end ? first : nil
    }

    private func fire(at due: Int64) {
        let (timer, sleeper) = state.withLock { state -> (OnClock<Entry>?, CheckedContinuation<Void, Never>?) in
            state.now = max(state.now, due)
            if let index = state.sleepers.firstIndex(where: { $0.due == due }) {
                return (nil, state.sleepers.remove(at: index).continuation)
            }
            let entry = state.entries.values.filter { $0.due == due }.min { $0.number < $1.number }
            // A timer that is late has missed the times before.
            if let entry { state.entries[entry.number]?.due = entry.interval.map { due + $0 * ((state.now - due) / $0 + 1) } }
            return (entry.map { OnClock($0) }, nil)
        }
        sleeper?.resume()
        if let timer { timer.value.queue.sync(execute: timer.value.handler) }
    }

    fileprivate func set(_ number: Int, in seconds: Double?, repeats: Bool) {
        state.withLock { state in
            // Never at once: a handler that sets its own timer must not stop time.
            let interval = seconds.map { max(1000, Int64(($0 * 1e9).rounded(.up))) }
            state.entries[number]?.due = interval.map { state.now + $0 }
            state.entries[number]?.interval = repeats ? interval : nil
        }
    }

    fileprivate func remove(_ number: Int) {
        let removed = state.withLock { $0.entries.removeValue(forKey: number).map { OnClock($0) } }
        // Objects that a handler holds may end with it, and use this clock.
        withExtendedLifetime(removed) {}
    }

    private static func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }
}

private final class TestTimer: InstanceTimer {
    private let number: Int
    private let clock: TestClock

    init(_ number: Int, _ clock: TestClock) { (self.number, self.clock) = (number, clock) }

    deinit { clock.remove(number) }

    func schedule(in seconds: Double?, repeats: Bool) { clock.set(number, in: seconds, repeats: repeats) }

    func cancel() { clock.remove(number) }
}

/// Carries a value that belongs to the queue of a timer.
private struct OnClock<Value>: @unchecked Sendable {
    // SAFETY: used on that queue only, while the test waits.
    let value: Value

    init(_ value: Value) { self.value = value }
}
