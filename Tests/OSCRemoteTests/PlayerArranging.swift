import Playback

extension Player {
    /// Arranges a state as if commands had led to it.
    mutating func update(_ change: (inout PlayerState) -> Void) {
        var state = state
        change(&state)
        self = Player(state)
    }
}
