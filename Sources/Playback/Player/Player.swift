import Patches

/// The player as a value: it takes commands and events, changes its state and emits effects. It does no input or output and has no clock.
package struct Player: Sendable {
    package internal(set) var state: PlayerState
    var effects: [Effect] = []
    /// The sender of the current command; `nil` is the program itself.
    package var sender: String?
    var followed = FollowedTransport()
    /// The time of day, for items that follow it.
    package var dayClock: DayClock?

    package init(_ state: PlayerState = PlayerState()) { self.state = state }

    /// Returns and clears the effects since the last call, in order.
    package mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    package mutating func ask(for effect: Effect) { effects.append(effect) }

    // MARK: Transport

    package mutating func play(at moment: Moment) {
        if isFollowing {
            followed.resume()
            return ask(for: .transport(.start))
        }
        switch state.playback {
        case .playing, .interrupted: return
        case .paused: begin(at: state.anchor.position, moment)
        case .stopped: begin(at: startPosition(at: moment), moment)
        }
    }

    package mutating func pause(at moment: Moment) {
        if isFollowing { return stopTransport(silencingWith: state.isFading ? .short : nil, at: moment) }
        switch state.playback {
        case .paused, .stopped: return
        case .playing:
            state.rest(.paused, position: state.position(at: moment), at: moment)
            effects.append(.sound(.silence(.short)))
            lead(.stop, .locate(state.anchor.position))
        case .interrupted: state.playback = .paused
        }
        endFade()
    }

    /// Stops playing and ends the sleep timer.
    package mutating func stop(at moment: Moment, fade: SoundChange.Fade = .short) {
        state.heldSeek = nil
        defer { state.mixer.sleep = nil }
        if isFollowing {
            let isUrgent = fade == .panic || state.isFading
            return stopTransport(locatingTo: 0, silencingWith: isUrgent ? fade : nil, at: moment)
        }
        if state.playback == .playing { effects.append(.sound(.silence(fade))) }
        state.rest(.stopped, position: 0, at: moment)
        lead(.stop, .locate(0))
        endFade()
    }

    /// Seeks to a position of the current item, in frames. At or past its end, the item ends.
    package mutating func seek(to position: Int64, at moment: Moment) {
        if isFollowing { return ask(for: .transport(.locate(max(0, min(position, state.length ?? position))))) }
        if let length = state.length, position >= length {
            itemEnded(at: moment)
            return
        }
        let position = min(max(0, position), 1_000_000_000_000_000)  // Skips add up, and are divided by the rate.
        switch state.playback {
        case .playing: begin(at: position, moment)
        case .interrupted, .paused, .stopped:
            state.anchor = .init(position: position, moment: moment)
            if state.playback == .stopped, position > 0 { state.playback = .paused }
            lead(.locate(position))
        }
    }

    /// Makes an item current, at its start; it plays if the one before it did. A followed transport stays where it is.
    /// `shortest` is the least length of a crossfade in seconds; without it, the preference decides, and only for an endless item.
    package mutating func select(_ index: Int, at moment: Moment, crossfadingAtLeast shortest: Double? = nil) {
        let leavesEndless = state.patch != nil && state.length == nil && index != state.currentIndex
        state.setCurrent(index, at: moment)
        if isFollowing { return takeUpTransport(at: moment) }
        if state.playback == .playing {
            begin(at: startPosition(at: moment), moment, crossfade: shortest ?? (leavesEndless ? 0 : nil))
        } else {
            let position = state.playback == .stopped ? 0 : startPosition(at: moment)
            state.anchor = .init(position: position, moment: moment)
            lead(.locate(position))
        }
    }

    /// Handles the end of the current item: the following one begins, or the player stops at the first item.
    package mutating func itemEnded(at moment: Moment) {
        if let following = state.followingIndex {
            select(following, at: moment)
        } else {
            state.setCurrent(state.firstIndex, at: moment)
            stop(at: moment)
        }
    }

    /// Changes the speed of the timeline, from here on.
    package mutating func changeRate(to rate: Double, at moment: Moment) {
        guard rate != state.chosenRate else { return }
        state.anchor = .init(position: state.position(at: moment), moment: moment)
        state.chosenRate = rate
        if state.playback == .playing { effects.append(.sound(.crossfadeInPlace)) }
    }

    mutating func begin(at position: Int64, _ moment: Moment, crossfade: Double? = nil) {
        let softStart = SoftStart(moment: moment, afterSilence: state.playback != .playing)
        state.anchor = .init(position: position, moment: moment)
        state.playback = state.hasAudio ? .playing : .interrupted
        guard state.hasAudio else { return }
        effects += softStart.sound(.start(at: position, crossfade: crossfade), in: &state).map { .sound($0) }
        lead(.locate(position), .start)
    }
}

extension Player {
    mutating func take(_ step: PlayerStep?, at moment: Moment) {
        switch step {
        case .begin(let position): begin(at: position, moment)
        case .stop: stop(at: moment)
        case .sound(let change): ask(for: .sound(change))
        case nil: break
        }
    }
}

extension Player {
    /// The frame at which the current item would start now: its beginning, or the time of day if it follows that.
    func startPosition(at moment: Moment) -> Int64 {
        guard let patch = state.patch, let dayClock else { return 0 }
        return state.frames(dayClock.start(of: patch, at: moment, sampleRate: state.sampleRate))
    }
}
