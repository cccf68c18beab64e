import Patches

/// A reason for which a parameter cannot be set: what it follows.
enum ParameterLock: Equatable, Sendable {
    case tempo(NoteLength)
    case rate(RateLeader)

    /// `nil` if the parameter of the current item can be set: it follows nothing, or the tempo while none is known.
    init?(of parameter: Parameter, layer: Int, in state: PlayerState) {
        guard let patch = state.patch, patch.layers.indices.contains(layer) else { return nil }
        if let leader = patch.layers[layer].leaders[parameter] {
            self = .rate(leader)
        } else if state.tempo != nil, let note = patch.layers[layer].notes[parameter] {
            self = .tempo(note)
        } else {
            return nil
        }
    }

    /// The words for an error: what it follows, and what to do in order to set it.
    var words: String {
        switch self {
        case .tempo(let note): "follows the tempo (\(note.text)): give it a number in the patch to set it yourself."
        case .rate(let leader): "follows \(leader.text): set that, or give it a number in the patch to set it yourself."
        }
    }
}
