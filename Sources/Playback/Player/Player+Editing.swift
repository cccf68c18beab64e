import Patches

/// Live edits of queue items, each a step that can be undone.
extension Player {
    /// Changes the current item's edits as one step.
    mutating func edit(_ subject: EditHistory.Subject, at moment: Moment, _ change: (inout QueueItem) -> Void) {
        guard let index = state.currentIndex else { return }
        edit(item: index, subject, at: moment, change)
    }

    mutating func edit(item index: Int, _ subject: EditHistory.Subject, at moment: Moment, _ change: (inout QueueItem) -> Void) {
        let before = state.items[index]
        change(&state.items[index])
        let step = EditHistory.Step(
            item: before.id, changes: EditHistory.Aspect.changes(from: before, to: state.items[index]), subject: subject, moment: moment)
        state.history.add(step, sampleRate: state.sampleRate)
    }

    mutating func undo() {
        if let step = state.history.undo() { take(step.changes.mapValues(\.before), of: step.item) }
    }

    mutating func redo() {
        if let step = state.history.redo() { take(step.changes.mapValues(\.after), of: step.item) }
    }

    private mutating func take(_ values: [EditHistory.Aspect: EditHistory.Value], of item: Int) {
        guard let index = state.items.firstIndex(where: { $0.id == item }) else { return }
        for (aspect, value) in values { aspect.put(value, into: &state.items[index]) }
        if index == state.currentIndex { state.ramps.drop { values[.parameter($0, layer: $1)] != nil } }
        ask(for: index == state.currentIndex ? .glide : .upcoming)
    }
}
