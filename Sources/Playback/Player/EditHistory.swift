import Patches

/// The undo and redo history: the live edits of queue items, step by step. Undo never changes the play state.
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
    }

    enum Value: Equatable, Sendable {
        case edits([LiveEdit])
        case isMuted(Bool)
        /// A layer's waveform; `nil` is the patch's own.
        case wave(Waveform?)
    }

    struct Change: Equatable, Sendable {
        var before: Value
        var after: Value
    }

    private(set) var undone: [Step] = []
    private(set) var done: [Step] = []

    /// Maximum number of steps.
    private static let limit = 200
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
        if let earlier { takeIn(earlier, into: &step) }
        guard !step.changes.isEmpty else { return }
        done.append(step)
        if done.count > Self.limit { done.removeFirst() }
    }

    /// Merges an earlier step into the one that becomes the last. Changes of the same aspects by others in between remain steps of their
    /// own, which then start from the earlier step's old values.
    private mutating func takeIn(_ index: Int, into step: inout Step) {
        let earlier = done.remove(at: index)
        for (aspect, change) in earlier.changes {
            let next = done[index...].firstIndex { $0.item == step.item && $0.changes[aspect] != nil }
            if let next {
                done[next].changes[aspect]?.before = change.before
            } else {
                step.changes[aspect] = Change(before: change.before, after: step.changes[aspect]?.after ?? change.after)
            }
        }
        step.changes = step.changes.filter { $1.before != $1.after }
        for later in done.indices[index...] { done[later].changes = done[later].changes.filter { $1.before != $1.after } }
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
    func value(in item: QueueItem) -> EditHistory.Value {
        switch self {
        case .parameter(let parameter, let layer):
            .edits(item.edits.filter { $0.setting.parameter == parameter && $0.setting.layer == layer })
        case .mute(let layer): .isMuted(item.mutedLayers.contains(layer))
        case .wave(let layer): .wave(item.waves[layer])
        }
    }

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
        var aspects = Set((before.edits + after.edits).map { Self.parameter($0.setting.parameter, layer: $0.setting.layer) })
        aspects.formUnion(before.mutedLayers.union(after.mutedLayers).map { .mute(layer: $0) })
        aspects.formUnion((Array(before.waves.keys) + after.waves.keys).map { .wave(layer: $0) })
        var changes: [Self: EditHistory.Change] = [:]
        for aspect in aspects {
            let change = EditHistory.Change(before: aspect.value(in: before), after: aspect.value(in: after))
            if change.before != change.after { changes[aspect] = change }
        }
        return changes
    }
}
