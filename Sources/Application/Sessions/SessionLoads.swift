import Playback

/// Limits how often sessions are opened: one at a time, and at most a fifth of the time, but makes nobody wait for more than two seconds after
/// that: on a busy disk, opening a session can take half a minute. Of waiting requests the newest wins.
@MainActor struct SessionLoads {
    struct Waiting {
        let name: String
        let answer: @MainActor (CommandResult) -> Void
    }

    private static let longestWait = 2.0

    private var waiting: Waiting?
    /// The time at which the current change of session began; `nil` if no change is under way.
    private var begin: Double?
    /// The time at which the next session may be opened, in seconds on the monotonic clock.
    private var due = 0.0

    /// Whether another session is being opened, or the session gets another name.
    var isUnderWay: Bool { begin != nil }

    /// Whether a request waits.
    var isAwaited: Bool { waiting != nil }

    func mustWait(at now: Double) -> Bool { isUnderWay || now < due || waiting != nil }

    mutating func wait(for name: String, _ answer: @escaping @MainActor (CommandResult) -> Void) {
        waiting?.answer(
            CommandResult(.commandFailed, by: "application", "Another session was requested before this one could be opened."))
        waiting = Waiting(name: name, answer: answer)
    }

    mutating func begin(at now: Double) { begin = now }

    mutating func end(at now: Double) {
        due = now + min(4 * (now - (begin ?? now)), Self.longestWait)
        begin = nil
    }

    /// Removes and returns the waiting request once it may be carried out.
    mutating func takeDue(at now: Double) -> Waiting? {
        guard !isUnderWay, now >= due, let next = waiting else { return nil }
        waiting = nil
        return next
    }
}
