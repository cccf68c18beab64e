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

    /// Sets a value of the current item from now on, as one step; does nothing if the timeline has that value anyway.
    mutating func edit(_ setting: Setting, _ subject: EditHistory.Subject, at moment: Moment) {
        guard let item = state.current, let patch = item.patch else { return }
        let position = state.elapsed(at: moment)
        let automation = patch.automation(of: setting.parameter, layer: setting.layer, edits: item.edits, rate: state.rate)
        if automation?.value(at: position) == setting.value, automation?.rest(at: position) == setting.value { return }
        edit(subject, at: moment) { $0.edits.apply(LiveEdit(setting: setting, position: position), in: $0.patch) }
    }

    mutating func undo() {
        if let step = state.history.undo() { take(step.changes.mapValues(\.before), of: step.item, "Undone") }
    }

    mutating func redo() {
        if let step = state.history.redo() { take(step.changes.mapValues(\.after), of: step.item, "Redone") }
    }

    private mutating func take(_ values: [EditHistory.Aspect: EditHistory.Value], of item: Int, _ what: String) {
        guard let index = state.items.firstIndex(where: { $0.id == item }) else { return }
        for (aspect, value) in values { aspect.put(value, into: &state.items[index]) }
        guard index != state.currentIndex else {
            state.ramps.drop { values[.parameter($0, layer: $1)] != nil }
            return ask(for: .sound(.glide))
        }
        ask(for: .sound(.upcoming))
        // The user is notified, since a change of another item is neither heard nor shown.
        ask(
            for: .request(
                .notice("\(what) in queue item \(index + 1), '\(state.items[index].title)', which is not the current one.")))
    }
}

extension Automation {
    /// The value that is reached before the next move begins.
    fileprivate func rest(at position: Double) -> Double { moves.last { $0.start <= position }?.target ?? base }
}
