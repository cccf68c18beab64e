import Patches
import Playback

extension Session {
    /// Whether the queues have the same patches in the same order.
    package func playsSame(as other: Session) -> Bool { items.map(\.patch) == other.items.map(\.patch) }

    /// The queue with its patches in the session's tuning, each read once; items that cannot be loaded stay listed with their problem.
    package func queue(_ library: Library, relativeTo folder: String?) -> [QueueItem] {
        var loaded: [String: Result<Patch, LibraryError>] = [:]
        return items.map { item in
            let patch =
                loaded[item.patch]
                ?? Result { () throws(LibraryError) in try library.loadPatch(item.patch, relativeTo: folder).patch }
            loaded[item.patch] = patch
            var queued = item.queueItem(patch)
            queued.tune(toA4: a4)
            return queued
        }
    }
}

extension Session.Item {
    /// The item with its patch, or with the problem of its file.
    package func queueItem(_ loaded: Result<Patch, LibraryError>) -> QueueItem {
        var item: QueueItem
        switch loaded {
        case .success(let loaded):
            item = QueueItem(reference: patch, patch: loaded)
            item.apply(changes)
        case .failure(let error): item = QueueItem(reference: patch, patch: nil, problem: error.wordsForPeers)
        }
        item.rating = rating ?? 0
        item.liked = liked
        item.bookmarks = bookmarks
        return item
    }
}
