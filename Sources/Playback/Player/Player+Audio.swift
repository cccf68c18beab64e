/// What the engine and JACK report.
extension Player {
    /// The engine carried out a start or a silence: this is the exact position at that moment.
    package mutating func landed(position: Int64, at moment: Moment) {
        // Where a followed transport stands is told by itself.
        guard state.playback != .stopped, !isFollowing else { return }
        if state.playback == .paused, position != state.anchor.position { lead(.locate(position)) }
        state.anchor = .init(position: position, moment: moment)
    }

    /// The engine went over to the following item by itself, at its first frame; a pause may have been on its way.
    package mutating func advanced(at moment: Moment) {
        guard state.playback == .playing || state.playback == .paused, let following = state.followingIndex else { return }
        let wasCurrent = following == state.currentIndex
        setCurrent(following, at: moment)
        state.anchor = .init(position: 0, moment: moment)
        if !wasCurrent, state.patch?.clock != nil, state.playback == .playing { return begin(at: startPosition(at: moment), moment) }
        lead(.locate(0))
    }

    /// The engine came to the end of the last item.
    package mutating func ended(at moment: Moment) {
        // A followed transport rolls on past the end of an item, in silence.
        guard state.playback == .playing || state.playback == .paused, !isFollowing else { return }
        setCurrent(state.firstIndex, at: moment)
        state.playback = .stopped
        state.anchor = .init(position: 0, moment: moment)
        lead(.stop, .locate(0))
        endFade(.masterWhenSilent)
        state.sleep = nil
    }

    /// JACK calls us, at this sample rate: what was interrupted goes on at the frame that was lost.
    package mutating func audioAvailable(sampleRate: Int, at moment: Moment) {
        convertPositions(to: sampleRate, at: moment)
        state.hasAudio = true
        // The transport's first cycle tells what goes on.
        if isFollowing { return }
        if state.playback == .interrupted || state.playback == .playing {
            state.anchor.moment = moment
            // What follows the time of day did so meanwhile.
            begin(at: state.patch?.clock == nil ? state.anchor.position : startPosition(at: moment), moment)
        }
    }

    /// JACK is away or calls nobody: `position` is the frame that was reached.
    package mutating func audioLost(position: Int64?, at moment: Moment) {
        state.hasAudio = false
        state.sleep?.isFading = false
        guard state.playback == .playing else { return }
        state.anchor = .init(position: position ?? state.position(at: moment), moment: moment)
        state.playback = .interrupted
    }

    private mutating func convertPositions(to sampleRate: Int, at moment: Moment) {
        guard sampleRate != state.sampleRate else { return }
        let seconds = Double(state.anchor.position) / Double(state.sampleRate)
        let timeToSleep = state.timeToSleep(at: moment)
        state.sampleRate = sampleRate
        let untilSleep = max(1, state.frames(timeToSleep))
        state.sleep?.end.frame = moment.frame + untilSleep
        state.anchor.position = state.frames(seconds)
    }
}
