// Any thread, except where said otherwise.

import NIOCore

/// Runs work on the thread of a web server. It may outlive the server, so that answers that come when that is gone reach nobody.
package struct WebLoop: Sendable {
    private let thread: WebThread
    let events: any EventLoop

    init(_ thread: WebThread) {
        self.thread = thread
        events = thread.group.next()
    }

    /// Runs something on the server's thread. Any thread.
    package func post(_ work: @escaping @Sendable () -> Void) { events.execute(work) }

    /// Runs something on the server's thread later. Only on the server's thread.
    package func schedule(at seconds: Double, now: Double, _ work: @escaping () -> Void) -> WebTimer {
        let wait = max(0, min(seconds - now, 1e6))
        return WebTimer(events.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(wait * 1e9))) { work() })
    }
}

/// Work that is due later.
package struct WebTimer {
    private let task: Scheduled<Void>

    fileprivate init(_ task: Scheduled<Void>) { self.task = task }

    package func cancel() { task.cancel() }
}
