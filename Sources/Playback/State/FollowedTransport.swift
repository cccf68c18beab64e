/// JACK's transport while the player follows it: its position determines what plays.
struct FollowedTransport: Equatable, Sendable {
    /// The transport is ignored until it has stopped, since silence was requested.
    private var awaitsStandstill = false

    /// Follows the transport from now on, even if silence was requested before.
    mutating func resume() { awaitsStandstill = false }

    /// Handles the transport's state in one cycle.
    ///
    /// - Parameter frame: the transport's frame at `moment`.
    mutating func follow(isRolling: Bool, frame: Int64, at moment: Moment, _ state: inout PlayerState) -> PlayerStep? {
        if !isRolling { awaitsStandstill = false }
        guard !awaitsStandstill else { return nil }
        if isRolling, state.patch != nil {
            return state.playback == .playing && state.runningPosition(at: moment) == frame ? nil : .begin(frame)
        }
        let position = state.patch == nil ? 0 : min(frame, state.length ?? frame)
        let wasPlaying = state.playback == .playing
        SoftStart(moment: moment).recordHeard(in: &state)
        state.playback = position == 0 ? .stopped : .paused
        if state.anchor.position != position { state.anchor = .init(position: position, moment: moment) }
        return wasPlaying ? .sound(.silence(.short)) : nil
    }

    /// Another item became current while the transport stays where it is.
    func takeUp(at moment: Moment, _ state: inout PlayerState) -> PlayerStep? {
        guard state.playback == .playing else { return nil }
        if state.patch != nil { return .begin(state.runningPosition(at: moment)) }
        state.rest(.stopped, position: 0, at: moment)
        return .sound(.silence(.short))
    }

    /// Silence was requested: the transport is ignored until it has stopped.
    mutating func silence(with fade: SoundChange.Fade, at moment: Moment, _ state: inout PlayerState) -> PlayerStep? {
        awaitsStandstill = true
        guard state.playback == .playing else { return nil }
        state.rest(.paused, position: state.position(at: moment), at: moment)
        return .sound(.silence(fade))
    }
}
