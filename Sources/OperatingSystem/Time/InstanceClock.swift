import Dispatch
import Glibc

/// The time by which an instance acts. That of the machine is ``SystemClock``; in a test, time may stand still.
package protocol InstanceClock: Sendable {
    /// Seconds on a clock that never jumps.
    var seconds: Double { get }
    /// The time of day, which somebody may set.
    var wallTime: WallTime { get }
    /// A timer whose handler runs on a queue. It fires once it has been set.
    func timer(on queue: DispatchQueue, _ handler: @escaping () -> Void) -> any InstanceTimer
    /// Returns after some seconds, on the caller's executor.
    nonisolated(nonsending) func sleep(seconds: Double) async
}

/// A timer of an ``InstanceClock``.
package protocol InstanceTimer: AnyObject {
    /// Sets when it fires next, in seconds from now; `nil` is never.
    ///
    /// - Parameter repeats: Whether it fires again and again at that distance, which is rounded to milliseconds then.
    func schedule(in seconds: Double?, repeats: Bool)
    func cancel()
}

extension InstanceTimer {
    package func schedule(in seconds: Double?) { schedule(in: seconds, repeats: false) }
}

/// Seconds and nanoseconds since 1970. clock_gettime(2), `CLOCK_REALTIME`
package struct WallTime: Equatable, Sendable {
    package var seconds: Int
    /// Below a billion.
    package var nanoseconds: Int

    package init(seconds: Int, nanoseconds: Int) { (self.seconds, self.nanoseconds) = (seconds, nanoseconds) }

    package static var now: Self {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Self(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }

    package var secondsSince1970: Double { Double(seconds) + Double(nanoseconds) * 1e-9 }
}

/// The clocks and timers of the machine.
package struct SystemClock: InstanceClock {
    package init() {}

    package var seconds: Double { MonotonicClock.seconds }

    package var wallTime: WallTime { .now }

    package func timer(on queue: DispatchQueue, _ handler: @escaping () -> Void) -> any InstanceTimer {
        SystemTimer(on: queue, handler)
    }

    nonisolated(nonsending) package func sleep(seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }
}

private final class SystemTimer: InstanceTimer {
    private let source: any DispatchSourceTimer

    init(on queue: DispatchQueue, _ handler: @escaping () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: handler)
        source.schedule(deadline: .distantFuture)
        source.activate()
    }

    func schedule(in seconds: Double?, repeats: Bool) {
        guard let seconds else { return source.schedule(deadline: .distantFuture) }
        source.schedule(
            deadline: .now() + seconds, repeating: repeats ? .milliseconds(Int(seconds * 1000)) : .never, leeway: .milliseconds(1))
    }

    func cancel() { source.cancel() }
}
