/// A fade of the master to silence, at the end of which the player stops.
package struct MasterFade: Equatable, Sendable {
    /// The first frame of silence.
    package internal(set) var end: Moment
    /// It has been asked for, and nothing has broken it off: a mute does, or a loss of JACK. What is left of the time is then faded anew.
    package internal(set) var isUnderWay = false
}

extension Player {
    /// Fades the master to silence; the player stops when it is there. Nothing to do unless something plays.
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
        ask(for: .fadeMaster(from: moment, until: fade.end, nil))
    }

    /// Time has passed: ends what was to end by now.
    package mutating func tick(at moment: Moment) {
        state.ramps.advance(to: moment, sampleRate: state.sampleRate, isHeard: state.hasAudio)
        advanceFade(to: moment)
        advanceSleep(to: moment)
        advanceHeldSeek(to: moment)
    }

    /// The master goes back to the level it was set to: at once, or where all falls silent when that is over.
    package mutating func endFade(_ return: Effect = .master(.shortLevel)) {
        guard state.fade != nil || state.isFading else { return }
        state.fade = nil
        state.sleep?.isFading = false
        state.ramps.set(.masterGain, nil, at: state.anchor.moment, sampleRate: state.sampleRate)
        ask(for: `return`)
    }
}

extension PlayerState {
    /// The master is on its way to silence, and the player will stop there.
    package var isFading: Bool { fade?.isUnderWay == true || sleep?.isFading == true }

    /// The level was moved, or its sound was lost: what is left of a fade begins anew.
    mutating func breakFadesOff() {
        fade?.isUnderWay = false
        sleep?.isFading = false
    }
}

extension Ramp {
    /// 20 ms, for levels.
    package static let shortLevel = Ramp(seconds: 0.02)
}
