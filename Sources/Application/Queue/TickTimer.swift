import Dispatch

/// The timer of control's ticks, whose interval changes from tick to tick. Belongs to the control actor.
struct TickTimer {
    /// `nil` before the start.
    private var source: (any DispatchSourceTimer)?

    /// Starts the ticks, which are called on the queue.
    mutating func start(on queue: DispatchQueue, firstIn milliseconds: Int, _ tick: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: tick)
        self.source = source
        schedule(in: milliseconds)
        source.activate()
    }

    /// Sets the time of the next tick.
    func schedule(in milliseconds: Int) {
        source?.schedule(deadline: .now() + .milliseconds(milliseconds), leeway: .milliseconds(1))
    }

    func cancel() { source?.cancel() }
}
