import Patches

extension LayerLevels {
    /// The levels of the current item; `nil` without one, or if it has no patch.
    init?(of state: PlayerState, at moment: Moment) {
        guard let current = state.current, let patch = current.patch else { return nil }
        self.init(
            item: current.id, names: patch.layers.map(\.name), edits: current.edits, course: current.course, held: state.held)
        let set = SetLevels(patch, edits, held, in: state, at: moment)
        for layer in patch.layers.indices where state.isAudible(layer: layer) {
            guard let set = set[layer] else { continue }
            levels[names[layer]] = Level(heard: Self.reached(layer, in: state, at: moment) ?? set, set: set)
        }
    }

    /// By how many dB a layer that was heard is louder now, at most: because a listener has set another level, or because a slow move is over.
    /// The levels of the patch's file do not count, nor do those of another item.
    func surplus(in state: PlayerState, at moment: Moment) -> Double {
        guard let current = state.current, current.id == item, let patch = current.patch else { return 0 }
        let set = SetLevels(patch, current.edits, state.held, in: state, at: moment)
        let unset = unchanged(current).map { SetLevels($0, edits, held, in: state, at: moment) }
        let surpluses = patch.layers.indices.map { layer in
            guard state.isAudible(layer: layer), let before = levels[patch.layers[layer].name], let set = set[layer] else { return 0.0 }
            let level = Self.reached(layer, in: state, at: moment) ?? set
            return min(level - max(before.heard, LevelMove.inaudible), level - (unset?[layer] ?? level) + before.set - before.heard)
        }
        return surpluses.max() ?? 0
    }

    /// The patch of the item without the changes of chapters and cues since then; `nil` if it has other layers by now.
    private func unchanged(_ current: QueueItem) -> Patch? {
        guard let patch = current.patch, patch.layers.map(\.name) == names else { return nil }
        return current.course == course ? patch : current.filePatch.map { CoursePatch($0).changed(by: course) }
    }

    /// The level in dB that the move of a layer has reached; `nil` if none is under way.
    private static func reached(_ layer: Int, in state: PlayerState, at moment: Moment) -> Double? {
        state.ramps.level(of: .parameter(.gain, layer: layer), at: moment, sampleRate: state.sampleRate)
    }
}

/// The levels in dB that are set for the layers of a patch at a moment. There may be a thousand layers, so chapters and cues are read only once.
private struct SetLevels {
    private let index: AutomationIndex
    private let edits: [LiveEdit]
    private let held: [Fader: HeldFader]
    private let position: Double
    private let rate: Double

    init(_ patch: Patch, _ edits: [LiveEdit], _ held: [Fader: HeldFader], in state: PlayerState, at moment: Moment) {
        index = AutomationIndex(of: patch, only: .gain)
        self.edits = edits.filter { $0.setting.parameter == .gain }
        (self.held, position, rate) = (held, state.elapsed(at: moment), state.rate)
    }

    /// `nil` if there is no such layer.
    subscript(layer: Int) -> Double? {
        held[.parameter(.gain, layer: layer)]?.value
            ?? index.automation(of: .gain, layer: layer, edits: edits, rate: rate)?.value(at: position)
    }
}
