/// The request to quit, and the task that waits for it.
struct QuitSignal {
    private var waiting: CheckedContinuation<Void, Never>?
    private(set) var hasCome = false
    /// Whether what nobody has asked to save is discarded: as the first request said, since that one ends the program.
    private(set) var discardsChanges = false

    /// Resumes `continuation` once the signal comes, or at once if it has come.
    mutating func resume(_ continuation: CheckedContinuation<Void, Never>) {
        if hasCome { continuation.resume() } else { waiting = continuation }
    }

    mutating func send(discardingChanges: Bool = false) {
        if !hasCome { discardsChanges = discardingChanges }
        hasCome = true
        waiting.take()?.resume()
    }
}
