import Patches

/// The levels at which the layers of an item are heard, to be compared with those that follow.
struct LayerLevels: Equatable, Sendable {
    /// In dB.
    private struct Level: Equatable {
        let heard: Double
        /// The level that is set, of which a move may have covered only a part.
        let set: Double
    }

    /// The ``QueueItem/id``.
    private let item: Int
    /// The names of all layers.
    private let names: [String]
    /// The levels of the audible layers, by the index.
    private var levels: [Int: Level] = [:]
    /// All that a listener had set.
    private let edits: [LiveEdit]
    private let held: [Fader: HeldFader]

    /// The levels of the current item; `nil` without one, or if it has no patch.
    init?(of state: PlayerState, at moment: Moment) {
        guard let current = state.current, let patch = current.patch else { return nil }
        (item, names, edits, held) = (current.id, patch.layers.map(\.name), current.edits, state.held)
        for layer in patch.layers.indices where state.isAudible(layer: layer) {
            guard let set = state.value(of: .gain, layer: layer, at: moment) else { continue }
            levels[layer] = Level(heard: Self.level(ofLayer: layer, in: state, at: moment) ?? set, set: set)
        }
    }

    /// By how many dB a layer that was heard is louder now, at most: because a listener has set another level, or because a slow move is over.
    /// The levels of the patch and its chapters do not count, nor do those of another item.
    func surplus(in state: PlayerState, at moment: Moment) -> Double {
        guard let current = state.current, current.id == item, let patch = current.patch else { return 0 }
        let isSame = patch.layers.map(\.name) == names
        let surpluses = patch.layers.indices.map { layer in
            guard state.isAudible(layer: layer), let known = names.firstIndex(of: patch.layers[layer].name), let before = levels[known],
                let level = Self.level(ofLayer: layer, in: state, at: moment)
            else { return 0.0 }
            // Without what was set since then, this would be the level here.
            let unset =
                isSame
                ? held[.parameter(.gain, layer: layer)]?.value
                    ?? patch.value(of: .gain, layer: layer, at: state.elapsed(at: moment), edits: edits, rate: state.rate) : nil
            return min(level - max(before.heard, LevelMove.inaudible), level - (unset ?? level) + before.set - before.heard)
        }
        return surpluses.max() ?? 0
    }

    /// The level in dB that a layer has reached; `nil` if there is no such layer.
    private static func level(ofLayer layer: Int, in state: PlayerState, at moment: Moment) -> Double? {
        state.ramps.level(of: .parameter(.gain, layer: layer), at: moment, sampleRate: state.sampleRate)
            ?? state.value(of: .gain, layer: layer, at: moment)
    }
}
