import Dispatch
import Patches
import Playback
import Synchronization

extension Session {
    /// Whether the queues have the same patches in the same order.
    package func playsSame(as other: Session) -> Bool { items.map(\.patch) == other.items.map(\.patch) }

    /// Whether the two are the same, except for when the ports of their connections were seen, which the program records by itself.
    package func matches(_ other: Session) -> Bool {
        var (one, two) = (self, other)
        one.forgetSightings()
        two.forgetSightings()
        return one == two
    }

    private mutating func forgetSightings() {
        connections = connections?.map { SavedConnection(port: $0.port, other: $0.other) }
    }

    /// The queue with its patches in the session's tuning, each read once; items that cannot be loaded stay listed with their problem.
    ///
    /// - Parameter read: The patches that have just been read, by their references.
    package func queue(_ library: Library, relativeTo folder: String?, read: [String: Patch] = [:]) -> [QueueItem] {
        let loaded = Self.patches(Set(items.map(\.patch)).filter { read[$0] == nil }, library, relativeTo: folder)
        return items.map { item in
            var queued = item.queueItem(
                read[item.patch].map { .success($0) } ?? loaded[item.patch] ?? Self.patch(item.patch, library, relativeTo: folder))
            queued.tune(toA4: a4)
            return queued
        }
    }

    /// Reads patches, side by side: hundreds of them would take one processor too long.
    private static func patches(
        _ references: Set<String>, _ library: Library, relativeTo folder: String?
    ) -> [String: Result<Patch, LibraryError>] {
        let loaded = Mutex<[String: Result<Patch, LibraryError>]>([:])
        let references = Array(references)
        DispatchQueue.concurrentPerform(iterations: references.count) { index in
            let reference = references[index]
            let patch = patch(reference, library, relativeTo: folder)
            loaded.withLock { $0[reference] = patch }
        }
        return loaded.withLock { $0 }
    }

    private static func patch(_ reference: String, _ library: Library, relativeTo folder: String?) -> Result<Patch, LibraryError> {
        Result { () throws(LibraryError) in try library.loadPatch(reference, relativeTo: folder).patch }
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
