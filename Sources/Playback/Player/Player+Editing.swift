import Patches

/// Live edits of queue items, each a step that can be undone.
extension Player {
    /// Changes the current item's edits as one step.
    mutating func edit(_ subject: EditHistory.Subject, at moment: Moment, _ change: (inout QueueItem) -> Void) {
        guard let index = state.currentIndex else { return }
        edit(item: index, subject, at: moment, change)
    }

    mutating func edit(item index: Int, _ subject: EditHistory.Subject, at moment: Moment, _ change: (inout QueueItem) -> Void) {
        let before = EditHistory.Edits(state.items[index])
        change(&state.items[index])
        let step = EditHistory.Step(
            reference: state.items[index].reference, before: before, after: EditHistory.Edits(state.items[index]), subject: subject,
            moment: moment)
        state.history.add(step, sampleRate: state.sampleRate)
    }

    mutating func undo() {
        if let step = state.history.undo() { take(step.before, of: step.reference) }
    }

    mutating func redo() {
        if let step = state.history.redo() { take(step.after, of: step.reference) }
    }

    private mutating func take(_ edits: EditHistory.Edits, of reference: String) {
        // The item may have left the queue meanwhile; then there is nothing to put back.
        for index in state.items.indices where state.items[index].reference == reference {
            let before = state.items[index].edits
            state.items[index].edits = edits.edits
            state.items[index].mutedLayers = edits.mutedLayers
            state.items[index].waves = edits.waves
            if index == state.currentIndex {
                state.ramps.drop { before.values(of: $0, layer: $1) != edits.edits.values(of: $0, layer: $1) }
            }
            ask(for: index == state.currentIndex ? .glide : .upcoming)
        }
    }
}

extension [LiveEdit] {
    fileprivate func values(of parameter: Parameter, layer: Int) -> [LiveEdit] {
        filter { $0.setting.parameter == parameter && $0.setting.layer == layer }
    }
}
