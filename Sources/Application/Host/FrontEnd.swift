import PatchFiles
import Playback

/// A sentence for the user.
struct Notice {
    /// For the user's own terminal: it may quote a file.
    let text: String
    /// For OSC peers and the session manager: it quotes no file.
    let forPeers: String

    init(_ text: String) { (self.text, forPeers) = (text, text) }

    init(_ error: any QuotesFiles) { (text, forPeers) = ("\(error)", error.wordsForPeers) }
}

/// Anything that shows the player's state: the terminal, the OSC subscribers. All get the same snapshot, which is made when one of them
/// needs it.
@MainActor protocol FrontEnd: AnyObject {
    /// Called when something may have changed.
    func changed(_ snapshot: () -> Snapshot)
    /// Called when there is a notice for the user; a call of ``changed(_:)`` follows.
    func notice(_ notice: Notice)
    /// Called at every tick of the instance.
    func tick(_ snapshot: () -> Snapshot)
    /// Called when the JACK client's name may have changed.
    func rename(_ client: String)
    /// Called when the program is about to quit.
    func close()
}

extension FrontEnd {
    func rename(_ client: String) {}
}
