import Playback

/// When sessions may be opened: so rarely that it takes the control thread a fifth of its time at most. Of those that wait the newest wins.
struct SessionLoads {
    struct Waiting {
        let name: String
        let answer: OnQueue<(CommandResult) -> Void>
    }

    private var waiting: Waiting?
    /// When the next one may be opened, on the monotonic clock in seconds.
    private var due = 0.0

    func mustWait(at now: Double) -> Bool { now < due || waiting != nil }

    mutating func wait(for name: String, _ answer: @escaping (CommandResult) -> Void) {
        waiting?.answer.value(
            CommandResult(.commandFailed, by: "application", "Another session was asked for before this one could be opened."))
        waiting = Waiting(name: name, answer: OnQueue(answer))
    }

    mutating func noteLoad(from begin: Double, to end: Double) { due = end + 4 * (end - begin) }

    /// The one that waits, once it may be opened.
    mutating func takeDue(at now: Double) -> Waiting? {
        guard now >= due, let next = waiting else { return nil }
        waiting = nil
        return next
    }
}
