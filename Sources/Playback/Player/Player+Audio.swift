/// Handles reports of the engine and JACK.
extension Player {
    /// The engine has carried out a start or a silence: `position` is exact at that moment.
    package mutating func landed(position: Int64, at moment: Moment) {
        // A followed transport reports its own position.
        guard state.playback != .stopped, !isFollowing else { return }
        if state.playback == .paused, position != state.anchor.position { lead(.locate(position)) }
        state.anchor = .init(position: position, moment: moment)
    }

    /// The engine has gone on to an item at its first frame: the one that followed when the engine was prepared; the queue may have changed
    /// since. A pause may be pending.
    ///
    /// - Parameter item: its ``QueueItem/id``. If it has left the queue meanwhile, the item that follows now is started.
    package mutating func advanced(to item: Int, at moment: Moment) {
        guard state.playback == .playing || state.playback == .paused else { return }
        guard let index = state.items.firstIndex(where: { $0.id == item }) else {
            if state.playback == .playing { itemEnded(at: moment) }
            return
        }
        let wasCurrent = index == state.currentIndex
        setCurrent(index, at: moment)
        state.anchor = .init(position: 0, moment: moment)
        if !wasCurrent, state.patch?.clock != nil, state.playback == .playing { return begin(at: startPosition(at: moment), moment) }
        lead(.locate(0))
    }

    /// The engine has reached the end of the current item and had no item to follow it.
    package mutating func ended(at moment: Moment) {
        // A followed transport rolls on past the end of an item, in silence.
        guard state.playback == .playing || state.playback == .paused, !isFollowing else { return }
        // An item was added, or the mode changed, too late for the engine.
        if state.playback == .playing, let following = state.followingIndex { return select(following, at: moment) }
        setCurrent(state.firstIndex, at: moment)
        state.playback = .stopped
        state.anchor = .init(position: 0, moment: moment)
        lead(.stop, .locate(0))
        endFade(.masterWhenSilent)
        state.sleep = nil
    }

    /// JACK runs the callback at this sample rate: interrupted playing resumes at the frame where it stopped.
    package mutating func audioAvailable(sampleRate: Int, at moment: Moment) {
        convertPositions(to: sampleRate, at: moment)
        state.hasAudio = true
        // The transport's first cycle decides what plays.
        if isFollowing { return }
        if state.playback == .interrupted || state.playback == .playing {
            state.anchor.moment = moment
            // Items that follow the time of day resume at the present one.
            begin(at: state.patch?.clock == nil ? state.anchor.position : startPosition(at: moment), moment)
        }
    }

    /// JACK is away or has stopped calling: `position` is the last frame reached.
    package mutating func audioLost(position: Int64?, at moment: Moment) {
        state.hasAudio = false
        state.breakFadesOff()
        guard state.playback == .playing else { return }
        state.anchor = .init(position: position ?? state.position(at: moment), moment: moment)
        state.playback = .interrupted
    }

    private mutating func convertPositions(to sampleRate: Int, at moment: Moment) {
        guard sampleRate != state.sampleRate else { return }
        let factor = Double(sampleRate) / Double(state.sampleRate)
        func converted(_ other: Moment) -> Moment {
            Moment(frame: moment.frame + Int64((Double(other.frame - moment.frame) * factor).rounded()))
        }
        state.sampleRate = sampleRate
        state.anchor.position = Int64((Double(state.anchor.position) * factor).rounded())
        let next = Moment(frame: moment.frame + 1)
        if let sleep = state.sleep { state.sleep?.end = max(converted(sleep.end), next) }
        if let fade = state.fade { state.fade?.end = max(converted(fade.end), next) }
        state.ramps.convertEnds(converted)
        if let seek = state.heldSeek {
            state.heldSeek?.began = converted(seek.began)
            state.heldSeek?.lastJump = converted(seek.lastJump)
        }
    }
}
