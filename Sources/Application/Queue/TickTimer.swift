import Dispatch

/// The timer of control's ticks, whose interval changes from tick to tick. Belongs to the control actor.
struct TickTimer {
    /// `nil` before the start and after the end.
    private var source: (any DispatchSourceTimer)?
    /// The interval in seconds at which it repeats; `nil` if the next tick is the only one.
    private var repeated: Double?

    var isRunning: Bool { source != nil }

    /// Starts the timer, which calls `tick` on the queue when ``schedule(in:repeats:)`` says.
    mutating func start(on queue: DispatchQueue, _ tick: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: tick)
        source.schedule(deadline: .distantFuture)
        source.activate()
        self.source = source
    }

    /// Sets the time of the next tick, in seconds from now; does nothing after the end.
    ///
    /// - Parameter repeats: Whether more follow at the same distance. To set it again would wake a thread, so the same interval changes
    ///   nothing.
    mutating func schedule(in seconds: Double, repeats: Bool) {
        guard !repeats || seconds != repeated else { return }
        repeated = repeats ? seconds : nil
        source?.schedule(
            deadline: .now() + seconds, repeating: repeats ? .milliseconds(Int(seconds * 1000)) : .never, leeway: .milliseconds(1))
    }

    mutating func cancel() {
        source?.cancel()
        source = nil
    }
}
