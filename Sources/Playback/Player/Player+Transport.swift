/// Following and leading JACK's transport.
extension Player {
    /// Whether the transport decides what plays. While JACK is away, the player decides.
    var isFollowing: Bool { state.transportMode == .follow && state.hasAudio }

    mutating func changeTransportMode(to mode: TransportMode, at moment: Moment) {
        guard mode != state.transportMode else { return }
        let wasFollowing = isFollowing
        state.transportMode = mode
        // This also resets a rate that has no effect yet because the current item plays sound files.
        if mode == .follow { state.chosenRate = 1 }
        followed.resume()
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
        LayerBalance(moment: moment).keep(in: &self) {
            $0.take($0.followed.follow(isRolling: isRolling, frame: frame, at: moment, &$0.state), at: moment)
        }
        if SoftStart(moment: moment).prepareInSilence(in: &state) { ask(for: .sound(.masterWhenSilent)) }
    }

    /// Another item became current while the transport stays where it is.
    mutating func takeUpTransport(at moment: Moment) { take(followed.takeUp(at: moment, &state), at: moment) }

    /// Asks the transport to stop.
    ///
    /// - Parameter fade: the fade with which the sound is silenced now, without waiting for the transport; `nil` for none.
    mutating func stopTransport(locatingTo position: Int64? = nil, silencingWith fade: SoundChange.Fade?, at moment: Moment) {
        ask(for: .transport(.stop))
        if let position { ask(for: .transport(.locate(position))) }
        guard let fade else { return }
        take(followed.silence(with: fade, at: moment, &state), at: moment)
        endFade()
    }

    // MARK: Lead

    /// Sends requests to the transport if it is led.
    mutating func lead(_ requests: TransportRequest...) {
        guard state.transportMode == .lead, state.hasAudio else { return }
        for request in requests { ask(for: .transport(request)) }
    }
}
