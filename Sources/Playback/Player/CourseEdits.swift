import Patches

/// The start of a patch, or one of its chapters or cues, named by its start in the patch's file: it is found again when others were added
/// there or removed.
package enum CoursePlace: Hashable, Sendable {
    case start
    /// Seconds from the start of the patch.
    case chapter(at: Double)
    /// Seconds from the start of the patch; cues that begin together are counted from 0.
    case cue(at: Double, number: Int)
}

/// A number in a patch's chapters and cues that a listener can change. The layer and its parameter are named.
package enum CourseQuantity: Hashable, Sendable {
    /// Start of a chapter or cue in seconds.
    case start(CoursePlace)
    /// Duration of its moves in seconds.
    case over(CoursePlace)
    /// Value in the parameter's unit.
    case value(CoursePlace, layer: String, parameter: String)

    package var place: CoursePlace {
        switch self {
        case .start(let place), .over(let place), .value(let place, _, _): place
        }
    }
}

/// The listener's changes to the chapters and cues of a patch, and to the values at its start.
package typealias CourseEdits = [CourseQuantity: Double]

/// A patch whose chapters and cues are numbered together: the chapters in order, then the cues in order, from 0.
struct CoursePatch {
    var patch: Patch

    init(_ patch: Patch) { self.patch = patch }

    /// The chapters and cues by their starts.
    var places: [CoursePlace] {
        var cues: [CoursePlace] = []
        for (index, cue) in patch.cues.enumerated() {
            let isTogether = index > 0 && patch.cues[index - 1].start == cue.start
            guard isTogether, case .cue(let start, let number)? = cues.last else {
                cues.append(.cue(at: cue.start, number: 0))
                continue
            }
            cues.append(.cue(at: start, number: number + 1))
        }
        return patch.chapters.map { .chapter(at: $0.start) } + cues
    }

    /// The indices of the places, to find many of them.
    var indices: [CoursePlace: Int] { Dictionary(zip(places, 0...)) { first, _ in first } }

    /// A chapter or cue.
    subscript(index: Int) -> Chapter {
        get { index < patch.chapters.count ? patch.chapters[index] : patch.cues[index - patch.chapters.count] }
        set {
            if index < patch.chapters.count {
                patch.chapters[index] = newValue
            } else {
                patch.cues[index - patch.chapters.count] = newValue
            }
        }
    }

    /// The patch with a listener's changes. Those for which it has no place, layer or parameter have no effect; neither have starts that would
    /// put its chapters or cues out of order.
    func changed(by edits: CourseEdits) -> Patch {
        guard !edits.isEmpty else { return patch }
        var changed = self
        let indices = indices
        var starts: [Int: Double] = [:]
        for (quantity, value) in edits {
            let index = indices[quantity.place]
            switch quantity {
            case .start: if let index { starts[index] = value }
            case .over: if let index, CourseChange.overRange.contains(value) { changed[index].over = value }
            case .value(_, let layer, let parameter):
                guard index != nil || quantity.place == .start,
                    let setting = NamedSetting(layer: layer, parameter: parameter, value: value).setting(in: patch)
                else { break }
                changed.set(setting, at: index)
            }
        }
        changed.move(to: starts)
        return changed.patch
    }

    /// The patch's own number at one of its ``indices``; `nil` if it has none.
    func number(_ quantity: CourseQuantity, at index: Int?) -> Double? {
        switch quantity {
        case .start: return index.map { self[$0].start }
        case .over: return index.flatMap { self[$0].over }
        case .value(let place, let layer, let parameter):
            guard let setting = NamedSetting(layer: layer, parameter: parameter, value: 0).setting(in: patch) else { return nil }
            if place == .start { return patch.layers[setting.layer].value(of: setting.parameter) }
            return index.flatMap { self[$0].settings.last { $0.isOfSameParameter(as: setting) }?.value }
        }
    }

    /// Sets a value where a chapter or cue sets its parameter already, or with the index `nil` the value at the start.
    private mutating func set(_ setting: Setting, at index: Int?) {
        guard let index else {
            patch.layers[setting.layer].values[setting.parameter] = setting.value
            patch.layers[setting.layer].notes[setting.parameter] = nil
            if setting.parameter == .carrier { patch.layers[setting.layer].note = nil }
            return
        }
        for place in self[index].settings.indices where self[index].settings[place].isOfSameParameter(as: setting) {
            self[index].settings[place] = setting
        }
    }

    /// Moves chapters and cues to other starts in seconds, by their indices.
    private mutating func move(to starts: [Int: Double]) {
        var moved = self
        for (index, start) in starts { moved[index].start = start }
        if moved.hasChaptersInOrder { patch.chapters = moved.patch.chapters }
        if moved.hasCuesInOrder { patch.cues = moved.patch.cues }
    }

    /// Whether a chapter or cue may begin at a time in seconds.
    func mayMove(_ index: Int, to start: Double) -> Bool {
        var moved = self
        moved[index].start = start
        return start < patch.duration ?? .infinity && (index < patch.chapters.count ? moved.hasChaptersInOrder : moved.hasCuesInOrder)
    }

    /// As a patch's file has to have them: each begins after the one before, and before the end.
    private var hasChaptersInOrder: Bool {
        let starts = patch.chapters.map(\.start)
        let end = patch.duration ?? .infinity
        return starts.allSatisfy { $0 >= 0 && $0 < end } && zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }
    }

    private var hasCuesInOrder: Bool {
        let starts = patch.cues.map(\.start)
        return starts.allSatisfy { $0 >= 0 && $0 < .infinity } && zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
    }
}

extension Setting {
    func isOfSameParameter(as other: Setting) -> Bool { layer == other.layer && parameter == other.parameter }
}
