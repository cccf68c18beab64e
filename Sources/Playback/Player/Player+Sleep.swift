import Patches

/// A time at which the sound will have faded away.
package struct SleepTimer: Equatable, Sendable {
    /// The first frame of silence.
    package var end: Moment
    /// Seconds before it in which the master fades.
    package var fade: Double
    package var easing: Easing
    /// The fade has been asked for, and nothing has broken it off.
    package internal(set) var isFading = false

    /// Seconds: a day.
    package static let longest = 86_400.0
}

/// The sleep timer runs on the clock of the sound: a pause, a seek or another item do not put it off. Only what plays is faded; a fade
/// that is broken off begins anew over what is left of the time.
extension Player {
    /// Seconds by which the fade is asked for beforehand, so that it begins on its frame.
    private static let lead = 0.5
    /// Seconds over which the level comes back when a timer that fades already is given up.
    private static let returnTime = 1.0

    /// Sets the timer anew, or gives it up.
    ///
    /// - Parameters:
    ///   - seconds: From now to the silence; 0 is no timer.
    ///   - fade: Seconds; as long as the timer at most.
    mutating func sleep(in seconds: Double, fade: Double, easing: Easing, at moment: Moment) {
        let wasFading = state.sleep?.isFading == true
        let end = Moment(frame: moment.frame + max(1, state.frames(seconds)))
        state.sleep = seconds > 0 ? SleepTimer(end: end, fade: fade, easing: easing) : nil
        advanceSleep(to: moment)
        if wasFading, !state.isFading { ask(for: .master(Ramp(seconds: Self.returnTime))) }
    }

    mutating func advanceSleep(to moment: Moment) {
        guard let sleep = state.sleep else { return }
        guard sleep.end > moment else {
            // What is paused stays so.
            if state.playback == .playing { stop(at: moment) } else { state.sleep = nil }
            return
        }
        let start = Moment(frame: sleep.end.frame - state.frames(max(sleep.fade, Ramp.shortLevel.seconds)))
        guard state.playback == .playing, !state.isMasterMuted, !state.isFading, start.frame - state.frames(Self.lead) <= moment.frame
        else { return }
        state.sleep?.isFading = true
        state.ramps.set(.masterGain, nil, at: moment, sampleRate: state.sampleRate)
        ask(for: .fadeMaster(from: start, until: sleep.end, sleep.easing))
    }
}

extension PlayerState {
    /// Seconds until the sleep timer has everything silent; 0 without one.
    package func timeToSleep(at moment: Moment) -> Double {
        sleep.map { Double(max(0, $0.end.frame - moment.frame)) / Double(sampleRate) } ?? 0
    }
}
