import Patches

extension Player {
    /// Applies the preferences for safe levels. To be called before anything sounds.
    package mutating func protect(_ hearing: HearingProtection) { state.protect(hearing) }

    /// Replaces the open session by another one.
    ///
    /// - Parameters:
    ///   - restored: queue, current item, modes and levels of the new session; its playback state decides whether it plays.
    ///   - position: seconds from the start of its current item.
    ///   - crossfades: Whether a sound crossfades to the new one, instead of ending before.
    package mutating func restore(_ restored: PlayerState, position: Double, crossfades: Bool = false, at moment: Moment) {
        let fadesAway = state.playback == .playing && state.isFading
        let crossfades = crossfades && state.mayCrossfade(to: restored)
        if state.playback == .playing, !crossfades { ask(for: .sound(.silence(.short))) }
        if let notice = state.exchange(for: restored, position: position, at: moment) { ask(for: .request(.notice(notice))) }
        // A sound that a fade has made softer does not become louder again before it is silent, unless another one starts at once.
        let starts = restored.playback == .playing || restored.playback == .interrupted
        let begins = starts && state.patch != nil && !isFollowing
        // A soft start moves the master itself, from the level that is heard.
        if !begins || !SoftStart.isDue(in: state) { ask(for: .sound(fadesAway && !starts ? .masterWhenSilent : .master(.shortLevel))) }
        guard begins else { return }
        // Items that follow the time of day resume at the present one.
        if restored.playback == .playing, state.patch?.clock != nil { state.anchor.position = startPosition(at: moment) }
        begin(at: state.anchor.position, moment, crossfade: crossfades ? SoundChange.askedCrossfade : nil)
    }
}

extension PlayerState {
    /// Whether a sound ends, and another one begins at once.
    fileprivate func mayCrossfade(to restored: PlayerState) -> Bool {
        playback == .playing && restored.playback == .playing && restored.patch != nil && restored.transportMode != .follow
    }

    /// Takes over another session's state at a position in seconds, not yet playing. JACK's own and the sleep timer are kept.
    fileprivate mutating func exchange(for restored: PlayerState, position: Double, at moment: Moment) -> String? {
        let before = self
        let level = HeardLevel(level: mixer.masterLevel(at: moment, sampleRate: sampleRate), moment: moment)
        var heard = playback == .playing ? level : mixer.heard
        if isMasterMuted { heard = HeardLevel(level: Parameter.off, moment: heard?.moment ?? moment) }
        self = restored
        (sampleRate, hasAudio, tempo, hearing) = (before.sampleRate, before.hasAudio, before.tempo, before.hearing)
        mixer.ramps = before.ramps
        mixer.ramps.dropAll()
        mixer.heard = heard
        mixer.sleep = before.sleep
        mixer.sleep?.isFading = false
        let frame = max(0, frames(position))
        let isInside = restored.playback != .stopped && patch != nil && length.map { frame < $0 } ?? true
        anchor = .init(position: isInside ? frame : 0, moment: moment)
        playback = restored.playback != .stopped && patch != nil ? .paused : .stopped
        // A followed transport has no rate.
        if transportMode == .follow { chosenRate = 1 }
        let notice = hearing.notice(ofLowering: masterGain)
        masterGain = min(masterGain, hearing.highestMasterGain)
        hearing.prepare(for: masterGain, after: heard?.level)
        return notice
    }
}
