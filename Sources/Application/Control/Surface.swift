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

/// Anything that shows the player's state: the terminal, the OSC subscribers. All get the same snapshot.
protocol Surface: AnyObject {
    /// Something may have changed.
    func changed(_ snapshot: Snapshot)
    /// There is a notice for the user; a change follows.
    func notice(_ notice: Notice)
    /// Some milliseconds have passed.
    func tick(_ snapshot: Snapshot)
    /// The program is about to quit.
    func close()
}
