/// Handles reports of the engine and JACK.
extension Player {
    /// The engine has carried out a start or a silence: `position` is exact at that moment.
    package mutating func landed(position: Int64, at moment: Moment) {
        // A followed transport reports its own position.
        guard state.playback != .stopped, !isFollowing else { return }
        if state.playback == .paused, position != state.anchor.position { lead(.locate(position)) }
        state.anchor = .init(position: position, moment: moment)
    }

    /// The engine has advanced to the first frame of an item. It is the item that followed when the engine was prepared; the queue may have
    /// changed since. A pause may be pending.
    ///
    /// - Parameter item: its ``QueueItem/id``. If it has left the queue meanwhile, the item that follows now is started.
    package mutating func advanced(to item: Int, at moment: Moment) {
        guard state.playback == .playing || state.playback == .paused else { return }
        guard let index = state.items.firstIndex(where: { $0.id == item }) else {
            if state.playback == .playing { itemEnded(at: moment) }
            return
        }
        let wasCurrent = index == state.currentIndex
        state.setCurrent(index, at: moment)
        state.anchor = .init(position: 0, moment: moment)
        // Its repetition has begun at the levels that are set.
        if wasCurrent { state.mixer.ramps.endMovesOfLayers() }
        if !wasCurrent, state.patch?.clock != nil, state.playback == .playing { return begin(at: startPosition(at: moment), moment) }
        lead(.locate(0))
    }

    /// The engine has reached the end of the current item and had no item to follow it.
    package mutating func ended(at moment: Moment) {
        // A followed transport rolls on past the end of an item, in silence.
        guard state.playback == .playing || state.playback == .paused, !isFollowing else { return }
        // An item was added, or the mode changed, too late for the engine.
        if state.playback == .playing, let following = state.followingIndex { return select(following, at: moment) }
        state.setCurrent(state.firstIndex, at: moment)
        state.rest(.stopped, position: 0, at: moment)
        lead(.stop, .locate(0))
        endFade()
        state.mixer.sleep = nil
    }

    /// JACK runs the callback at this sample rate, after `unrendered` seconds: interrupted playing resumes at the frame where it stopped.
    package mutating func audioAvailable(sampleRate: Int, at moment: Moment, unrendered: Double = 0) {
        state.convert(to: sampleRate, at: moment, unrendered: unrendered)
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
        state.mixer.breakFadesOff()
        if state.playback == .playing { state.rest(.interrupted, position: position ?? state.position(at: moment), at: moment) }
        state.hasAudio = false
    }
}

extension PlayerState {
    /// Converts positions and moments, as seen from `moment`, to another sample rate.
    ///
    /// - Parameter unrendered: Seconds before `moment` of which the render clock knows nothing.
    fileprivate mutating func convert(to sampleRate: Int, at moment: Moment, unrendered: Double) {
        mixer.heard?.unrendered += max(0, unrendered)
        guard sampleRate != self.sampleRate else { return }
        let factor = Double(sampleRate) / Double(self.sampleRate)
        func converted(_ other: Moment) -> Moment {
            Moment(frame: moment.frame + Int64((Double(other.frame - moment.frame) * factor).rounded()))
        }
        self.sampleRate = sampleRate
        anchor.position = Int64((Double(anchor.position) * factor).rounded())
        mixer.convertEnds(after: moment, converted)
        heldSeek?.convertMoments(converted)
    }
}
