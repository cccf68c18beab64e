/// Following and leading JACK's transport.
extension Player {
    /// Whether the transport decides what plays. While JACK is away, the player decides.
    var isFollowing: Bool { state.transportMode == .follow && state.hasAudio }

    mutating func changeTransportMode(to mode: TransportMode, at moment: Moment) {
        guard mode != state.transportMode else { return }
        let wasFollowing = isFollowing
        state.transportMode = mode
        // Also that which waits for an item without sound files.
        if mode == .follow { state.chosenRate = 1 }
        awaitsStandstill = false
        ask(for: .sound(.upcoming))
        if wasFollowing, state.playback == .playing, let length = state.length, state.runningPosition(at: moment) >= length {
            // Only the transport continues past the end of an item.
            itemEnded(at: moment)
        } else if state.playback == .playing {
            lead(.locate(state.position(at: moment)), .start)
        } else {
            lead(.stop, .locate(state.anchor.position))
        }
    }

    // MARK: Follow

    /// Handles the transport's state in one cycle while it is followed.
    ///
    /// - Parameters:
    ///   - frame: the transport's frame at `moment`.
    package mutating func follow(isRolling: Bool, frame: Int64, at moment: Moment) {
        guard isFollowing else { return }
        if !isRolling { awaitsStandstill = false }
        guard !awaitsStandstill else { return }
        if isRolling, state.patch != nil {
            if state.playback == .playing, state.runningPosition(at: moment) == frame { return }
            begin(at: frame, moment)
        } else {
            let position = state.patch == nil ? 0 : min(frame, state.length ?? frame)
            if state.playback == .playing { ask(for: .sound(.silence(.short))) }
            state.playback = position == 0 ? .stopped : .paused
            if state.anchor.position != position { state.anchor = .init(position: position, moment: moment) }
        }
    }

    /// Another item became current while the transport stays where it is.
    mutating func takeUpTransport(at moment: Moment) {
        guard state.playback == .playing else { return }
        if state.patch != nil {
            begin(at: state.runningPosition(at: moment), moment)
        } else {
            ask(for: .sound(.silence(.short)))
            state.playback = .stopped
            state.anchor = .init(position: 0, moment: moment)
        }
    }

    /// Asks the transport to stop.
    ///
    /// - Parameter fade: the fade with which the sound is silenced now, without waiting for the transport; `nil` for none.
    mutating func stopTransport(locatingTo position: Int64? = nil, silencingWith fade: SoundChange.Fade?, at moment: Moment) {
        ask(for: .transport(.stop))
        if let position { ask(for: .transport(.locate(position))) }
        guard let fade else { return }
        awaitsStandstill = true
        if state.playback == .playing {
            ask(for: .sound(.silence(fade)))
            state.anchor = .init(position: state.position(at: moment), moment: moment)
            state.playback = .paused
        }
        endFade(.masterWhenSilent)
    }

    // MARK: Lead

    /// Sends requests to the transport if it is led.
    mutating func lead(_ requests: TransportRequest...) {
        guard state.transportMode == .lead, state.hasAudio else { return }
        for request in requests { ask(for: .transport(request)) }
    }
}
