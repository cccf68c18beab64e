import Library
import Playback

/// A session as it is to be written when what is being written has been. However many saves are asked for meanwhile, one is made.
struct WaitingSave: Sendable {
    let session: Session
    let occasion: SessionStore.Occasion
    /// Of all who asked.
    let answers: [OnQueue<(CommandResult) -> Void>]
}
