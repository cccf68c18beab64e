import Patches
import Playback

/// The lines at the start about what an earlier run has left, for a person who may have forgotten it.
struct FormerState {
    /// The session's name.
    let session: String
    let state: PlayerState
    /// The rules for the level.
    let hearing: HearingProtection

    /// The level of the master, and how it is reached.
    var level: String {
        let gain = min(state.masterGain, hearing.highestMasterGain)
        let level = gain <= Parameter.off ? "off" : "at \(NumberText.string(from: (gain * 10).rounded() / 10)) dB"
        let rise = state.isMasterMuted ? nil : hearing.riseTime(to: gain)
        return "The master is \(state.isMasterMuted ? "muted, and " : "")\(level), as the session '\(session)' was left."
            + (rise.map { " It rises to that over \(NumberText.string(from: $0.rounded())) s." } ?? "")
    }

    /// The changes to items, and how to discard them; `nil` if there are none.
    var changes: String? {
        let changed = state.items.enumerated().filter { !$0.element.changedParts.isEmpty }
        guard let (index, item) = changed.first else { return nil }
        let command = "'binaural ctl queue/reset \(index + 1)'"
        guard changed.count > 1 else {
            let parts = item.changedParts.inWords
            return "Earlier changes still apply to item \(index + 1), '\(item.title)' (\(parts)): \(command) discards them."
        }
        return
            "Earlier changes still apply to items \(changed.map { "\($0.offset + 1)" }.inWords): \(command) discards those of item \(index + 1)."
    }
}

extension QueueItem {
    /// The parts that a listener has changed: the names of layers, and `chapters` if these begin or last otherwise.
    fileprivate var changedParts: [String] {
        guard let patch else { return [] }
        let layers = patch.layers.indices.filter { isEdited(layer: $0) || mutedLayers.contains($0) }.map { patch.layers[$0].name }
        let hasOtherTimes = course.keys.contains { if case .value = $0 { false } else { true } }
        return layers + (hasOtherTimes ? ["chapters"] : [])
    }
}

extension [String] {
    /// The first four in one phrase.
    fileprivate var inWords: String { prefix(4).joined(separator: ", ") + (count > 4 ? " and \(count - 4) more" : "") }
}
