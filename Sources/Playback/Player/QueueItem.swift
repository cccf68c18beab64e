import Patches
import Synchronization

/// An item of the queue: a patch and the listener's changes to it.
package struct QueueItem: Equatable, Sendable {
    /// Unique in this run, also among items of the same patch. Not saved.
    package let id = Self.lastID.add(1, ordering: .relaxed).newValue
    private static let lastID = Atomic(0)
    /// The patch's reference in the session: a name in the library or a path.
    package var reference: String
    /// `nil` if the file is missing or invalid: the item stays listed, is marked, and is skipped.
    package var patch: Patch?
    /// Why there is no patch, in words for remote clients, which quote no file contents.
    package var problem: String
    package var edits: [LiveEdit] = []
    package var mutedLayers: Set<Int> = []
    /// Waveforms of layers that differ from the patch's.
    package var waves: [Int: Waveform] = [:]
    /// 0...5 stars.
    package var rating = 0.0
    /// True if liked, false if disliked, `nil` if neither.
    package var liked: Bool?
    /// Seconds from the start of the patch, in order.
    package var bookmarks: [Double] = []

    package init(reference: String, patch: Patch?, problem: String = "") {
        self.reference = reference
        self.patch = patch
        self.problem = problem
    }

    /// The patch with the changed waveforms of its layers; other edits take effect at positions and are not included.
    package var patchAsHeard: Patch? {
        guard var patch else { return nil }
        for (index, wave) in waves where patch.layers.indices.contains(index) && patch.layers[index].canHave(wave) {
            patch.layers[index].wave = wave
        }
        return patch
    }

    /// The index of the bookmark within a second of a position in seconds.
    package func bookmark(at position: Double) -> Int? {
        bookmarks.firstIndex { abs($0 - position) < 1 }
    }

    package var title: String {
        let title = patch?.details.title ?? ""
        return title.isEmpty ? reference : title
    }
}
