import Patches
import Synchronization

/// One place in the queue: a patch and what the listener has made of it.
package struct QueueItem: Equatable, Sendable {
    /// Tells it from all others of this run, also from those of the same patch. Not saved.
    package let id = Self.lastID.add(1, ordering: .relaxed).newValue
    private static let lastID = Atomic(0)
    /// How the session names the patch: a name of the library or a path.
    package var reference: String
    /// `nil` while the file is missing or wrong: the item stays listed, is marked, and is skipped.
    package var patch: Patch?
    /// Why there is no patch, in words for peers: they quote no file.
    package var problem: String
    package var edits: [LiveEdit] = []
    package var mutedLayers: Set<Int> = []
    /// Of layers that were given another wave than the patch's.
    package var waves: [Int: Waveform] = [:]
    /// 0...5.
    package var rating = 0.0
    /// Liked, disliked, or neither.
    package var liked: Bool?
    /// Seconds, in order.
    package var bookmarks: [Double] = []

    package init(reference: String, patch: Patch?, problem: String = "") {
        self.reference = reference
        self.patch = patch
        self.problem = problem
    }

    /// The patch with the waves that its layers were given; the other edits stand in time.
    package var patchAsHeard: Patch? {
        guard var patch else { return nil }
        for (index, wave) in waves where patch.layers.indices.contains(index) && patch.layers[index].canHave(wave) {
            patch.layers[index].wave = wave
        }
        return patch
    }

    /// The bookmark at a position in seconds, to a second.
    package func bookmark(at position: Double) -> Int? {
        bookmarks.firstIndex { abs($0 - position) < 1 }
    }

    package var title: String {
        let title = patch?.details.title ?? ""
        return title.isEmpty ? reference : title
    }
}
