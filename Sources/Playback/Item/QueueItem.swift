import Patches
import Synchronization

/// An item of the queue: a patch and the listener's changes to it.
package struct QueueItem: Equatable, Sendable {
    /// Identifies the item in this run, also among items of the same patch. It is not saved.
    package let id = Self.lastID.add(1, ordering: .relaxed).newValue
    private static let lastID = Atomic(0)
    /// The patch's reference in the session: a name in the library or a path.
    package var reference: String
    /// The patch with the listener's ``course``, tuned to ``a4``; `nil` if the file is missing or invalid: the item stays listed, is marked, and
    /// is skipped. Setting it sets the ``filePatch``.
    package var patch: Patch? {
        get { tuned?.patch }
        set { show(newValue.map { $0.tuned(toA4: a4) }) }
    }
    private var tuned: PatchBox?
    /// The patch of the file, while the course changes it.
    private var unchanged: PatchBox?
    /// The patch as its file has it, tuned to ``a4``.
    package var filePatch: Patch? { (unchanged ?? tuned)?.patch }
    /// The listener's changes to chapters and cues, also those for which the patch has no place at present.
    package var course: CourseEdits = [:] {
        didSet { if course != oldValue { show(filePatch) } }
    }
    /// Counts the changes of the patch in this run: another file, other chapters and cues, another tuning of its notes.
    package private(set) var revision = 0
    /// The session's frequency of A4 in Hz, which the notes of the patch follow unless it has a tuning of its own.
    package private(set) var a4 = Patch.usualA4
    /// Why there is no patch, in words for remote clients, which quote no file contents.
    package var problem: String
    package var edits: [LiveEdit] = []
    package var mutedLayers: Set<Int> = []
    /// The waveforms of layers that differ from the patch's.
    package var waves: [Int: Waveform] = [:]
    /// Changes to layers or parameters that the patch does not have at present.
    package var waitingChanges = NamedChanges()
    /// The rating, 0...5 stars.
    package var rating = 0.0
    /// The listener's opinion: true if liked, false if disliked, `nil` if neither.
    package var liked: Bool?
    /// The bookmarks in seconds from the start of the patch, in order.
    package var bookmarks: [Double] = []
    /// The maximum number of bookmarks in a session, all items together.
    package static let bookmarkLimit = 4096
    /// The maximum number of live edits in a session, all items together, so that its file does not become too large to be read again. Faders
    /// that are released beyond it keep their values.
    package static let editLimit = 8192

    package init(reference: String, patch: Patch?, problem: String = "") {
        self.reference = reference
        self.problem = problem
        self.patch = patch
    }

    /// Makes its notes follow another frequency of A4, in Hz.
    package mutating func tune(toA4 a4: Double) {
        self.a4 = a4
        let before = tuned?.patch.a4
        tuned = tuned?.tuned(toA4: a4)
        unchanged = unchanged?.tuned(toA4: a4)
        if tuned?.patch.a4 != before { revision += 1 }
    }

    private mutating func show(_ filePatch: Patch?) {
        tuned = filePatch.map { PatchBox(CoursePatch($0).changed(by: course)) }
        unchanged = course.isEmpty ? nil : filePatch.map(PatchBox.init)
        revision += 1
    }

    /// Takes the tuning and the patch of an item whose patch was equal before it was tuned. Neither has a course.
    mutating func takeTuning(of twin: QueueItem) {
        if tuned?.patch.a4 != twin.tuned?.patch.a4 { revision += 1 }
        (a4, tuned) = (twin.a4, twin.tuned)
    }

    /// Shares the memory of an equal patch, that of another item of the queue.
    mutating func share(_ twin: QueueItem) {
        guard twin.tuned != nil, twin.a4 == a4, twin.tuned == tuned else { return }
        tuned = twin.tuned
    }

    /// Whether a listener has changed parameters, the wave or values in the course of a layer.
    package func isEdited(layer: Int) -> Bool {
        guard let patch, patch.layers.indices.contains(layer) else { return false }
        return edits.contains { $0.setting.layer == layer } || waves[layer] != nil
            || course.keys.contains { if case .value(_, patch.layers[layer].name, _) = $0 { true } else { false } }
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

    /// The title in a list, where an item without a patch is marked.
    package var listedTitle: String { patch == nil ? "\(title) (cannot be played)" : title }

    /// A patch in memory that copies of an item share: a queue of thousands of items is copied often.
    private final class PatchBox: Equatable, Sendable {
        let patch: Patch

        init(_ patch: Patch) { self.patch = patch }

        static func == (one: PatchBox, other: PatchBox) -> Bool { one === other || one.patch == other.patch }

        func tuned(toA4 a4: Double) -> PatchBox { PatchBox(patch.tuned(toA4: a4)) }
    }
}

extension Patch {
    /// The patch as it sounds in a session: its file knows nothing of the session's tuning.
    func tuned(toA4 a4: Double) -> Patch {
        var patch = self
        patch.tune(toA4: a4)
        return patch
    }
}
