extension HeldSeek {
    /// Advances a player's held seek to a moment.
    static func advance(in player: inout Player, to moment: Moment) {
        guard let target = advance(in: &player.state, to: moment) else { return }
        LayerBalance(moment: moment).keep(in: &player) { $0.seek(to: target, at: moment) }
    }

    /// - Returns: Where it jumps, in frames; `nil` if the next jump is not yet due, or the seek has ended.
    private static func advance(in state: inout PlayerState, to moment: Moment) -> Int64? {
        guard let seek = state.heldSeek else { return nil }
        let held = Double(moment.frame - seek.began.frame) / Double(state.sampleRate)
        guard held < longest else {
            state.heldSeek = nil
            return nil
        }
        let passed = Double(moment.frame - seek.lastJump.frame) / Double(state.sampleRate)
        guard passed >= interval else { return nil }
        let distance = state.frames(passed * speed(after: held)) * (seek.direction == .forward ? 1 : -1)
        let target = state.position(at: moment) + distance
        // It stops at both ends of the item: a held button must neither skip through the queue nor restart the item again and again.
        let last = state.length.flatMap { target >= $0 ? max(0, $0 - state.frames(1)) : nil }
        state.heldSeek?.lastJump = moment
        if last != nil || target <= 0 { state.heldSeek = nil }
        return last ?? max(0, target)
    }
}

extension Player {
    mutating func beginSeek(_ direction: SeekDirection, at moment: Moment) {
        state.heldSeek = HeldSeek(direction: direction, holder: sender, began: moment, lastJump: moment)
    }

    /// Ends the seek if the sender holds it: it released the button, or is gone.
    mutating func releaseSeek() {
        if state.heldSeek?.holder == sender { state.heldSeek = nil }
    }
}
