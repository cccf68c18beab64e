import Playback

extension Player {
    /// Arranges a state as if commands had led to it.
    mutating func update(_ change: (inout PlayerState) -> Void) {
        var state = state
        change(&state)
        self = Player(state)
    }
}

extension TestServer {
    /// Arranges the player's state, and lets the server notice.
    func rearrange(_ change: (inout PlayerState) -> Void) { self.change { $0.player.update(change) } }
}
