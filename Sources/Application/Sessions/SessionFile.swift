import Library
import Playback

/// A session in a file of the user's choice, which a session of the library begins as.
struct SessionFile: Sendable {
    let entry: Library.Entry
    let template: Session

    /// The answer if a session of the file's name must not be continued in its place; `nil` if it is the one in the file, or plays the same.
    func refusal(of session: Session, in store: SessionStore) -> CommandResult? {
        guard SessionStore.place(of: entry.path) != store.file, !session.playsSame(as: template) else { return nil }
        return CommandResult(
            .commandFailed, by: "application",
            "A session called '\(entry.name)' is saved already and plays something else: rename the file, or activate that session.")
    }
}
