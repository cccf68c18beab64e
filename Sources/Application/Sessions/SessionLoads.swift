import Playback

/// Limits how often sessions are opened, so that it takes at most a fifth of the control thread's time, but makes nobody wait for more than two
/// seconds: on a busy disk, opening a session can take half a minute. Of waiting requests the newest wins.
struct SessionLoads {
    struct Waiting {
        let name: String
        let answer: OnQueue<(CommandResult) -> Void>
    }

    private static let longestWait = 2.0

    private var waiting: Waiting?
    /// When the next session may be opened, in seconds on the monotonic clock.
    private var due = 0.0

    func mustWait(at now: Double) -> Bool { now < due || waiting != nil }

    mutating func wait(for name: String, _ answer: @escaping (CommandResult) -> Void) {
        waiting?.answer.value(
            CommandResult(.commandFailed, by: "application", "Another session was requested before this one could be opened."))
        waiting = Waiting(name: name, answer: OnQueue(answer))
    }

    mutating func recordLoad(from begin: Double, to end: Double) { due = end + min(4 * (end - begin), Self.longestWait) }

    /// Removes and returns the waiting request once it may be carried out.
    mutating func takeDue(at now: Double) -> Waiting? {
        guard now >= due, let next = waiting else { return nil }
        waiting = nil
        return next
    }
}
