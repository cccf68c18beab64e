/// Failures of saving a session, in its file and in that of its position: the user gets one notice when they begin, and one when they are over.
struct SavingTrouble {
    enum File { case session, position }
    enum Change { case begins, ends }

    /// The files whose last write failed.
    private var failing: Set<File> = []

    /// Takes the result of a write; returns what it changes for the user, or `nil` if the notice of before still holds.
    mutating func wrote(_ file: File, successfully isWritten: Bool) -> Change? {
        let wasInTrouble = !failing.isEmpty
        if isWritten { failing.remove(file) } else { failing.insert(file) }
        guard wasInTrouble == failing.isEmpty else { return nil }
        return isWritten ? .ends : .begins
    }
}
