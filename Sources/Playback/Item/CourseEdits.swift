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

    /// Seconds that moves may take.
    package static let overRange = 0.001...86_400

    package var place: CoursePlace {
        switch self {
        case .start(let place), .over(let place), .value(let place, _, _): place
        }
    }
}

/// The listener's changes to the chapters and cues of a patch, and to the values at its start.
package typealias CourseEdits = [CourseQuantity: Double]

/// A patch whose chapters and cues are numbered together: the chapters in order, then the cues in order, from 0. Both are in order of their
/// starts, so that one of thousands is found in a few steps.
struct CoursePatch {
    var patch: Patch

    init(_ patch: Patch) { self.patch = patch }

    /// The number of chapters and cues.
    var count: Int { patch.chapters.count + patch.cues.count }

    /// The place of a chapter or cue.
    func place(at index: Int) -> CoursePlace {
        let start = self[index].start
        guard index >= patch.chapters.count else { return .chapter(at: start) }
        let cue = index - patch.chapters.count
        return .cue(at: start, number: patch.cues[..<cue].reversed().prefix { $0.start == start }.count)
    }

    /// The index of the chapter or cue at a place; `nil` if it has none there, and for the start.
    func index(of place: CoursePlace) -> Int? {
        switch place {
        case .start: return nil
        case .chapter(let start):
            let index = patch.chapters.firstIndex(from: start)
            return index < patch.chapters.count && patch.chapters[index].start == start ? index : nil
        case .cue(let start, let number):
            let rest = patch.cues.count - patch.cues.firstIndex(from: start)
            guard number >= 0, number < rest, patch.cues[patch.cues.count - rest + number].start == start else { return nil }
            return count - rest + number
        }
    }

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
        var starts: [Int: Double] = [:]
        for (quantity, value) in edits {
            let index = index(of: quantity.place)
            switch quantity {
            case .start: if let index { starts[index] = value }
            case .over: if let index, CourseQuantity.overRange.contains(value) { changed[index].over = value }
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

    /// The patch's own number; `nil` if it has none.
    func number(_ quantity: CourseQuantity) -> Double? {
        let index = index(of: quantity.place)
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

    /// Moves chapters and cues to other starts in seconds, by their indices: all chapters or none, all cues or none.
    private mutating func move(to starts: [Int: Double]) {
        let chapters = patch.chapters.count
        if hasChaptersInOrder(at: starts) {
            for (index, start) in starts where index < chapters { patch.chapters[index].start = start }
        }
        if hasCuesInOrder(at: starts) {
            for (index, start) in starts where index >= chapters { patch.cues[index - chapters].start = start }
        }
    }

    /// Whether a chapter or cue may begin at a time in seconds.
    func mayMove(_ index: Int, to start: Double) -> Bool {
        let isChapter = index < patch.chapters.count
        let isInOrder = isChapter ? hasChaptersInOrder(at: [index: start]) : hasCuesInOrder(at: [index: start])
        return start < patch.duration ?? .infinity && isInOrder
    }

    /// Whether chapters moved to these starts are as a patch's file has to have them: each begins after the one before, and before the end.
    private func hasChaptersInOrder(at moved: [Int: Double]) -> Bool {
        var starts = patch.chapters.map(\.start)
        for (index, start) in moved where index < starts.count { starts[index] = start }
        let end = patch.duration ?? .infinity
        return starts.allSatisfy { $0 >= 0 && $0 < end } && zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }
    }

    private func hasCuesInOrder(at moved: [Int: Double]) -> Bool {
        var starts = patch.cues.map(\.start)
        for (index, start) in moved where index >= patch.chapters.count { starts[index - patch.chapters.count] = start }
        return starts.allSatisfy { $0 >= 0 && $0 < .infinity } && zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
    }
}

extension [Chapter] {
    /// The index of the first one that begins at a time in seconds or later (binary search).
    fileprivate func firstIndex(from start: Double) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].start < start { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Setting {
    func isOfSameParameter(as other: Setting) -> Bool { layer == other.layer && parameter == other.parameter }
}
