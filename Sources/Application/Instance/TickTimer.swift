import Dispatch
import OperatingSystem

/// The timer of the instance's ticks, whose interval changes from tick to tick.
struct TickTimer {
    /// `nil` before the start and after the end.
    private var timer: (any InstanceTimer)?
    /// The interval in seconds at which it repeats; `nil` if the next tick is the only one.
    private var repeated: Double?

    var isRunning: Bool { timer != nil }

    /// Starts the timer, which calls `tick` when ``schedule(in:repeats:)`` says.
    mutating func start(_ time: any InstanceClock, _ tick: @escaping @MainActor () -> Void) {
        timer = time.timer(on: .main) { MainActor.assumeIsolated { tick() } }
    }

    /// Sets the time of the next tick, in seconds from now; does nothing after the end.
    ///
    /// - Parameter repeats: Whether more follow at the same distance. To set it again would wake a thread, so the same interval changes
    ///   nothing.
    mutating func schedule(in seconds: Double, repeats: Bool) {
        guard !repeats || seconds != repeated else { return }
        repeated = repeats ? seconds : nil
        timer?.schedule(in: seconds, repeats: repeats)
    }

    mutating func cancel() {
        timer?.cancel()
        timer = nil
    }
}
