import Library
import Playback

/// A session to be written after the present write. However many saves are requested meanwhile, only one is made.
struct WaitingSave: Sendable {
    let session: Session
    let occasion: SessionStore.Occasion
    /// Completion handlers of everyone who asked for it.
    let answers: [@MainActor (CommandResult) -> Void]
}
