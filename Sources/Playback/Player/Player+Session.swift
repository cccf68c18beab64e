/// Replaces the open session by another one.
extension Player {
    /// - Parameters:
    ///   - restored: queue, current item, modes and levels of the new session; its playback state decides whether it plays.
    ///   - position: seconds from the start of its current item.
    package mutating func restore(_ restored: PlayerState, position: Double, at moment: Moment) {
        let fadesAway = state.playback == .playing && state.isFading
        if state.playback == .playing { ask(for: .sound(.silence(.short))) }
        let (sampleRate, hasAudio, ramps, sleep, tempo) = (state.sampleRate, state.hasAudio, state.ramps, state.sleep, state.tempo)
        state = restored
        state.tempo = tempo
        state.ramps = ramps
        state.ramps.dropAll()
        // The sleep timer continues in the new session.
        state.sleep = sleep
        state.sleep?.isFading = false
        state.sampleRate = sampleRate
        state.hasAudio = hasAudio
        let frame = max(0, state.frames(position))
        let isInside = restored.playback != .stopped && state.patch != nil && state.length.map { frame < $0 } ?? true
        state.anchor = .init(position: isInside ? frame : 0, moment: moment)
        state.playback = restored.playback != .stopped && state.patch != nil ? .paused : .stopped
        // A sound that a fade has made softer does not become louder again before it is silent, unless another one starts at once.
        let starts = restored.playback == .playing || restored.playback == .interrupted
        ask(for: .sound(fadesAway && !starts ? .masterWhenSilent : .master(.shortLevel)))
        // A followed transport has no rate.
        if state.transportMode == .follow { state.chosenRate = 1 }
        guard !isFollowing else { return }
        // Items that follow the time of day resume at the present one.
        if restored.playback == .playing, state.patch?.clock != nil { state.anchor.position = startPosition(at: moment) }
        if restored.playback == .playing || restored.playback == .interrupted, state.patch != nil { play(at: moment) }
    }
}
