/// The master fade, after which the player stops.
extension Player {
    /// Fades the master to silence; the player stops when it is there. Nothing to do unless something plays.
    package mutating func fadeOut(seconds: Double, at moment: Moment) {
        guard state.playback == .playing else { return stop(at: moment) }
        state.sleep?.isFading = false
        state.fadeEnd = Moment(frame: moment.frame + max(1, state.frames(seconds)))
        let ramp = Ramp(seconds: seconds)
        state.ramps.set(.masterGain, ramp, at: moment, sampleRate: state.sampleRate)
        ask(for: .master(ramp))
    }

    /// Time has passed: ends what was to end by now.
    package mutating func tick(at moment: Moment) {
        state.ramps.advance(to: moment, sampleRate: state.sampleRate, isHeard: state.hasAudio)
        if let end = state.fadeEnd, end <= moment { stop(at: moment) }
        advanceSleep(to: moment)
        advanceHeldSeek(to: moment)
    }

    /// The master goes back to the level it was set to: at once, or where all falls silent when that is over.
    package mutating func endFade(_ return: Effect = .master(.shortLevel)) {
        guard state.isFading else { return }
        state.fadeEnd = nil
        state.sleep?.isFading = false
        state.ramps.set(.masterGain, nil, at: state.anchor.moment, sampleRate: state.sampleRate)
        ask(for: `return`)
    }
}

extension PlayerState {
    /// The master is on its way to silence, and the player will stop there.
    package var isFading: Bool { fadeEnd != nil || sleep?.isFading == true }
}

extension Ramp {
    /// 20 ms, for levels.
    package static let shortLevel = Ramp(seconds: 0.02)
}
