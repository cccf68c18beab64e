import PatchFiles
import Library
import Patches

/// The open session cannot be saved, and so stays open.
struct UnsavedSession: Error, QuotesFiles {
    let name: String
    let reason: SessionStoreError

    var description: String { "The session \(name) stays open, so that nothing is lost. \(reason)" }
    var wordsForPeers: String { "The session \(name) stays open, so that nothing is lost. \(reason.wordsForPeers)" }
}
