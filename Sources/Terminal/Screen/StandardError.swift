import Foundation

/// Messages on standard error. If they cannot be written, they are left out, since there is no other place for them.
package enum StandardError {
    private static let queue = TextQueue(to: STDERR_FILENO)
    /// The longest wait of a program that handles its signals itself, which could not be ended while it waits.
    private static let patience = DispatchTimeInterval.milliseconds(300)

    /// Writes whole lines; the last one gets its newline here. Any thread.
    ///
    /// Returns when they are written; after ``Signals`` were made, in 0.3 s at the latest.
    package static func write(lines: String) { write(lines + "\n") }

    /// Writes whole lines soon, in order, without waiting for anybody who reads them. Any thread.
    ///
    /// While nobody reads, only the newest are kept, and the others are counted.
    package static func post(lines: String) {
        _ = isWrittenAtExit
        queue.add(lines + "\n")
    }

    /// Writes a text as it is, like ``write(lines:)``.
    static func write(_ text: String) {
        // A short command needs no queue.
        if !Signals.areHandled, queue.isIdle { return queue.write(text) }
        queue.add(text)
        queue.wait(atMost: Signals.areHandled ? patience : nil)
    }

    /// Writes a text that the next one replaces, unless an earlier one still waits. Does not wait itself.
    static func show(_ text: String) {
        if queue.isIdle { queue.add(text) }
    }

    private static let isWrittenAtExit: Bool = atexit { StandardError.queue.wait(atMost: StandardError.patience) } == 0
}
