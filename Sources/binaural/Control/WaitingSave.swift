import Library
import Playback

/// A session as it is to be written when what is being written has been. However many saves are asked for meanwhile, one is made.
struct WaitingSave: Sendable {
    let session: Session
    let occasion: SessionStore.Occasion
    /// Completion handlers of everyone who asked for it.
    let answers: [OnQueue<(CommandResult) -> Void>]
}
