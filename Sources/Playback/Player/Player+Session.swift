/// Another session takes the place of the one that was open.
extension Player {
    /// - Parameters:
    ///   - restored: queue, current item, modes, levels of the new session; its playback tells what to do.
    ///   - position: seconds from the start of its current item.
    package mutating func restore(_ restored: PlayerState, position: Double, at moment: Moment) {
        if state.playback == .playing { ask(for: .silence(.short)) }
        let (sampleRate, hasAudio, ramps, sleep, tempo) = (state.sampleRate, state.hasAudio, state.ramps, state.sleep, state.tempo)
        state = restored
        state.tempo = tempo
        state.ramps = ramps
        state.ramps.dropAll()
        // Whoever wants to fall asleep does so with this session, too.
        state.sleep = sleep
        state.sleep?.isFading = false
        state.sampleRate = sampleRate
        state.hasAudio = hasAudio
        let frame = max(0, state.frames(position))
        let isInside = restored.playback != .stopped && state.patch != nil && state.length.map { frame < $0 } ?? true
        state.anchor = .init(position: isInside ? frame : 0, moment: moment)
        state.playback = restored.playback != .stopped && state.patch != nil ? .paused : .stopped
        ask(for: .master(.shortLevel))
        // There is no rate in a transport that is followed.
        if state.transportMode == .follow { state.chosenRate = 1 }
        guard !isFollowing else { return }
        // What follows the time of day did so meanwhile.
        if restored.playback == .playing, state.patch?.clock != nil { state.anchor.position = startPosition(at: moment) }
        if restored.playback == .playing || restored.playback == .interrupted, state.patch != nil { play(at: moment) }
    }
}
