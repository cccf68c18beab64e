import Patches

/// The undo and redo history: the live edits of queue items and the changes of their courses, step by step. Undo never changes the play state.
package struct EditHistory: Equatable, Sendable {
    struct Step: Equatable, Sendable {
        /// The ``QueueItem/id`` of the edited item.
        var item: Int
        /// The changed aspects and no others, so that undoing leaves other steps alone.
        var changes: [Aspect: Change]
        /// The edited thing and its editor; a stream of moves of one fader is one step.
        var subject: Subject
        var moment: Moment
    }

    enum Subject: Equatable, Sendable {
        /// Several parameters are possible, since one control may move them together.
        case parameters([Parameter], layer: Int, sender: String?)
        case other
    }

    /// A part of an item that can be edited on its own.
    enum Aspect: Hashable, Sendable {
        case parameter(Parameter, layer: Int)
        case mute(layer: Int)
        case wave(layer: Int)
        case course(CourseQuantity)
    }

    enum Value: Equatable, Sendable {
        case edits([LiveEdit])
        case isMuted(Bool)
        /// A layer's waveform; `nil` is the patch's own.
        case wave(Waveform?)
        /// A number of the item's course; `nil` is the patch's own.
        case course(Double?)
    }

    struct Change: Equatable, Sendable {
        var before: Value
        var after: Value
    }

    private(set) var undone: [Step] = []
    private(set) var done: [Step] = []

    /// Maximum number of steps, and of the changes in all of them: one step of many layers changes a thousand values.
    private static let limit = 200
    static let changeLimit = 16_384
    /// The time in seconds within which moves of one parameter are joined to one step.
    private static let joinWithin = 0.5

    package init() {}

    package var undoDepth: Int { done.count }
    package var redoDepth: Int { undone.count }

    mutating func add(_ step: Step, sampleRate: Int) {
        var step = step
        guard !step.changes.isEmpty else { return }
        undone = []
        let earlier = done.lastIndex { known in
            step.subject != .other && known.subject == step.subject && known.item == step.item
                && step.moment.frame - known.moment.frame < Int64(Self.joinWithin * Double(sampleRate))
        }
        if let earlier { merge(earlier, into: &step) }
        guard !step.changes.isEmpty else { return }
        done.append(step)
        dropOldest()
    }

    private mutating func dropOldest() {
        var changes = done.reduce(0) { $0 + $1.changes.count }
        while done.count > Self.limit || changes > Self.changeLimit { changes -= done.removeFirst().changes.count }
    }

    /// Merges an earlier step into the one that becomes the last. Changes of the same aspects by others in between remain steps of their
    /// own, which then start from the earlier step's old values.
    private mutating func merge(_ index: Int, into step: inout Step) {
        let earlier = done.remove(at: index)
        for (aspect, change) in earlier.changes {
            let next = done[index...].firstIndex { $0.item == step.item && $0.changes[aspect] != nil }
            if let next {
                done[next].changes[aspect]?.before = change.before
                if done[next].changes[aspect]?.after == change.before { done[next].changes[aspect] = nil }
            } else {
                step.changes[aspect] = Change(before: change.before, after: step.changes[aspect]?.after ?? change.after)
            }
        }
        step.changes = step.changes.filter { $1.before != $1.after }
        done.removeAll { $0.changes.isEmpty }
    }

    /// Removes the steps of an item that has left the queue.
    mutating func drop(item: Int) {
        done.removeAll { $0.item == item }
        undone.removeAll { $0.item == item }
    }

    /// Converts the steps of an item; one that becomes `nil` is removed.
    mutating func convert(item: Int, _ converted: (Step) -> Step?) {
        done = done.compactMap { $0.item == item ? converted($0) : $0 }
        undone = undone.compactMap { $0.item == item ? converted($0) : $0 }
    }

    mutating func undo() -> Step? {
        guard let step = done.popLast() else { return nil }
        undone.append(step)
        return step
    }

    mutating func redo() -> Step? {
        guard let step = undone.popLast() else { return nil }
        done.append(step)
        return step
    }
}

extension EditHistory.Aspect {
    init(of setting: Setting) { self = .parameter(setting.parameter, layer: setting.layer) }

    func value(in item: QueueItem) -> EditHistory.Value {
        switch self {
        case .parameter(let parameter, let layer):
            .edits(item.edits.filter { $0.setting.parameter == parameter && $0.setting.layer == layer })
        case .mute(let layer): .isMuted(item.mutedLayers.contains(layer))
        case .wave(let layer): .wave(item.waves[layer])
        case .course(let quantity): .course(item.course[quantity])
        }
    }

    /// Puts a value into an item, unless it is one of its course.
    func put(_ value: EditHistory.Value, into item: inout QueueItem) {
        switch (self, value) {
        case (.parameter(let parameter, let layer), .edits(let edits)):
            item.edits.removeAll { $0.setting.parameter == parameter && $0.setting.layer == layer }
            item.edits += edits
        case (.mute(let layer), .isMuted(true)): item.mutedLayers.insert(layer)
        case (.mute(let layer), .isMuted(false)): item.mutedLayers.remove(layer)
        case (.wave(let layer), .wave(let wave)): item.waves[layer] = wave
        default: break
        }
    }

    /// All aspects in which two states of one item differ.
    static func changes(from before: QueueItem, to after: QueueItem) -> [Self: EditHistory.Change] {
        // Reading each aspect by itself would take time in proportion to the square of the number of edits.
        let (edits, newEdits) = (before.edits.byAspect, after.edits.byAspect)
        var changes: [Self: EditHistory.Change] = [:]
        for aspect in Set(edits.keys).union(newEdits.keys) where edits[aspect] != newEdits[aspect] {
            changes[aspect] = .init(before: .edits(edits[aspect] ?? []), after: .edits(newEdits[aspect] ?? []))
        }
        let others =
            before.mutedLayers.union(after.mutedLayers).map { Self.mute(layer: $0) }
            + Set(before.waves.keys).union(after.waves.keys).map { Self.wave(layer: $0) }
            + before.course.differences(from: after.course).map { Self.course($0) }
        for aspect in others { changes[aspect] = aspect.change(from: before, to: after) }
        return changes
    }

    /// The change of this aspect alone; `nil` if it is unchanged.
    func change(from before: QueueItem, to after: QueueItem) -> EditHistory.Change? {
        let change = EditHistory.Change(before: value(in: before), after: value(in: after))
        return change.before == change.after ? nil : change
    }
}

extension CourseEdits {
    /// The quantities whose numbers differ.
    fileprivate func differences(from other: Self) -> [CourseQuantity] {
        keys.filter { other[$0] != self[$0] } + other.keys.filter { self[$0] == nil }
    }
}

extension [LiveEdit] {
    /// The edits by the parameter that they change, in the same order.
    fileprivate var byAspect: [EditHistory.Aspect: [LiveEdit]] {
        Dictionary(grouping: self) { .init(of: $0.setting) }
    }
}
