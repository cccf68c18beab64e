import Patches

/// The chapters and cues that set the parameters of live edits: each edit holds from the last one before it to the next.
struct CourseOpenings {
    private var openings: [EditHistory.Aspect: [(start: Double, place: Int)]] = [:]

    /// - Parameter aspects: The parameters that are wanted.
    init(of patch: Patch, for aspects: Set<EditHistory.Aspect>) {
        for (place, chapter) in (patch.chapters + patch.cues).enumerated() {
            for setting in chapter.settings where aspects.contains(.init(of: setting)) {
                openings[.init(of: setting), default: []].append((chapter.start, place))
            }
        }
        // If several begin together, the last of them holds, as in `AutomationIndex`.
        for aspect in openings.keys { openings[aspect]?.sort { ($0.start, $0.place) < ($1.start, $1.place) } }
    }

    /// The index of the chapter or cue from which an edit holds, into `CoursePatch`; `nil` if it holds from the start of the patch.
    func place(of edit: LiveEdit) -> Int? { openings[.init(of: edit.setting)]?.last { $0.start <= edit.position }?.place }
}

extension QueueItem {
    /// Takes other changes of chapters and cues. Live edits stay with the chapter or cue from which they hold; one that nothing is left of is
    /// dropped.
    mutating func follow(_ course: CourseEdits) {
        let old = patch
        self.course = course
        guard let old, let patch, !edits.isEmpty else { return }
        let aspects = Set(edits.map { EditHistory.Aspect(of: $0.setting) })
        let (before, after) = (CourseOpenings(of: old, for: aspects), CourseOpenings(of: patch, for: aspects))
        edits = edits.compactMap { edit in
            let place = before.place(of: edit)
            guard after.place(of: edit) != place else { return edit }
            var moved = edit
            moved.position = place.map { CoursePatch(patch)[$0].start } ?? 0
            return after.place(of: moved) == place ? moved : nil
        }
    }
}
