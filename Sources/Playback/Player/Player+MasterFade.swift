import Patches

/// Fades of the master to silence, and the sleep timer.
extension Player {
    /// Seconds that the level takes at least to return if the sleep timer is cancelled during its fade.
    private static let returnTime = 1.0

    /// Fades the master to silence and then stops; if nothing plays, it stops at once.
    package mutating func fadeOut(seconds: Double, at moment: Moment) {
        guard state.playback == .playing else { return stop(at: moment) }
        state.mixer.fadeOut(until: Moment(frame: moment.frame + max(1, state.frames(seconds))))
        state.mixer.ramps.set(.masterGain, Ramp(seconds: seconds), at: moment, sampleRate: state.sampleRate)
        take(state.mixer.advanceFade(to: moment, isPlaying: true, sampleRate: state.sampleRate), at: moment)
    }

    /// Starts the sleep timer, with silence in so many seconds and a fade of at most as many; 0 seconds cancel it.
    mutating func sleep(in seconds: Double, fade: Double, easing: Easing, at moment: Moment) {
        let wasFaded = state.fade == nil && state.mixer.isFaded
        let end = Moment(frame: moment.frame + max(1, state.frames(seconds)))
        state.mixer.sleep = seconds > 0 ? SleepTimer(end: end, fade: fade, easing: easing) : nil
        take(state.mixer.advanceSleep(to: moment, isPlaying: state.playback == .playing, sampleRate: state.sampleRate), at: moment)
        guard wasFaded, !state.isFading else { return }
        let change = LevelChange(fader: .masterGain, before: state.masterGain, level: state.masterGain, moment: moment)
        let slew = change.record(in: &state)
        ask(for: .sound(.master(state.mixer.masterRamp(slew ?? Ramp(seconds: Self.returnTime)))))
    }

    /// Advances fades and timers to `moment` and ends those that are over.
    package mutating func tick(at moment: Moment) {
        state.mixer.ramps.advance(to: moment, sampleRate: state.sampleRate, isHeard: state.hasAudio)
        take(state.mixer.advanceFade(to: moment, isPlaying: state.playback == .playing, sampleRate: state.sampleRate), at: moment)
        take(state.mixer.advanceSleep(to: moment, isPlaying: state.playback == .playing, sampleRate: state.sampleRate), at: moment)
        HeldSeek.advance(in: &self, to: moment)
        if SoftStart(moment: moment).prepareAfterSilence(in: &state) { ask(for: .sound(.masterWhenSilent)) }
    }

    /// Returns the master to its set level once everything is silent, or silences it if the next sound is to come in softly.
    package mutating func endFade() {
        let isSilenced = SoftStart(moment: state.anchor.moment).prepare(in: &state)
        guard state.mixer.endFade(at: state.anchor.moment, sampleRate: state.sampleRate) || isSilenced else { return }
        ask(for: .sound(.masterWhenSilent))
    }

    /// Notes that the master rises from silence to its level from now on, over some seconds and with an easing in dB.
    package mutating func recordRise(over seconds: Double, _ easing: Easing, at moment: Moment) {
        let move = LevelMove(from: Parameter.off, to: state.masterGain, Ramp(seconds: seconds, easing: easing), at: moment)
        state.mixer.ramps.record(move, of: .masterGain)
    }
}
