/// A fade of the master to silence; the player stops at its end.
package struct MasterFade: Equatable, Sendable {
    /// The first frame of silence.
    package internal(set) var end: Moment
    /// Whether the fade has been requested from the engine and is still running. A mute or a loss of JACK interrupts it; it is then
    /// restarted over the remaining time.
    package internal(set) var isUnderWay = false
}

extension Player {
    /// Fades the master to silence and then stops; if nothing plays, it stops at once.
    package mutating func fadeOut(seconds: Double, at moment: Moment) {
        guard state.playback == .playing else { return stop(at: moment) }
        state.sleep?.isFading = false
        state.fade = MasterFade(end: Moment(frame: moment.frame + max(1, state.frames(seconds))))
        state.ramps.set(.masterGain, Ramp(seconds: seconds), at: moment, sampleRate: state.sampleRate)
        advanceFade(to: moment)
    }

    private mutating func advanceFade(to moment: Moment) {
        guard let fade = state.fade else { return }
        guard fade.end > moment else { return stop(at: moment) }
        guard !fade.isUnderWay, state.playback == .playing, !state.isMasterMuted else { return }
        state.fade?.isUnderWay = true
        ask(for: .sound(.fadeMaster(from: moment, until: fade.end, nil)))
    }

    /// Advances fades and timers to `moment` and ends those that are over.
    package mutating func tick(at moment: Moment) {
        state.ramps.advance(to: moment, sampleRate: state.sampleRate, isHeard: state.hasAudio)
        advanceFade(to: moment)
        advanceSleep(to: moment)
        advanceHeldSeek(to: moment)
    }

    /// Returns the master to its set level, by default at once.
    package mutating func endFade(_ return: SoundChange = .master(.shortLevel)) {
        guard state.fade != nil || state.isFading else { return }
        state.fade = nil
        state.sleep?.isFading = false
        state.ramps.set(.masterGain, nil, at: state.anchor.moment, sampleRate: state.sampleRate)
        ask(for: .sound(`return`))
    }
}

extension PlayerState {
    /// Whether the master is fading to silence, after which the player stops.
    package var isFading: Bool { fade?.isUnderWay == true || sleep?.isFading == true }

    /// Marks fades as interrupted, since the level was moved or the sound lost; they restart over the remaining time.
    mutating func breakFadesOff() {
        fade?.isUnderWay = false
        sleep?.isFading = false
    }
}

extension Ramp {
    /// 20 ms, the shortest ramp of levels.
    package static let shortLevel = Ramp(seconds: 0.02)
}
