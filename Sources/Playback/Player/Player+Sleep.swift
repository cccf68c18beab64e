import Patches

/// The sleep timer: the time at which the sound will have faded out.
package struct SleepTimer: Equatable, Sendable {
    /// The first frame of silence.
    package var end: Moment
    /// Seconds before the end during which the master fades.
    package var fade: Double
    package var easing: Easing
    /// Whether the fade has been requested from the engine and not been interrupted.
    package internal(set) var isFading = false

    /// Maximum duration in seconds: a day.
    package static let longest = 86_400.0
}

/// The sleep timer runs on the render clock: a pause, a seek or another item do not delay it. The fade applies only while something plays;
/// an interrupted fade restarts over the remaining time.
extension Player {
    /// Seconds by which the fade is requested in advance, so that it begins on its frame.
    private static let lead = 0.5
    /// Seconds that the level takes to return if the timer is cancelled during its fade.
    private static let returnTime = 1.0

    /// Starts or cancels the timer.
    ///
    /// - Parameters:
    ///   - seconds: From now to the silence; 0 cancels the timer.
    ///   - fade: Seconds; at most as long as the timer.
    mutating func sleep(in seconds: Double, fade: Double, easing: Easing, at moment: Moment) {
        let wasFading = state.sleep?.isFading == true
        let end = Moment(frame: moment.frame + max(1, state.frames(seconds)))
        state.sleep = seconds > 0 ? SleepTimer(end: end, fade: fade, easing: easing) : nil
        advanceSleep(to: moment)
        if wasFading, !state.isFading { ask(for: .sound(.master(Ramp(seconds: Self.returnTime)))) }
    }

    mutating func advanceSleep(to moment: Moment) {
        guard let sleep = state.sleep else { return }
        guard sleep.end > moment else {
            // If paused, it stays paused.
            if state.playback == .playing { stop(at: moment) } else { state.sleep = nil }
            return
        }
        let start = Moment(frame: sleep.end.frame - state.frames(max(sleep.fade, Ramp.shortLevel.seconds)))
        guard state.playback == .playing, !state.isMasterMuted, !state.isFading, start.frame - state.frames(Self.lead) <= moment.frame
        else { return }
        state.sleep?.isFading = true
        state.ramps.set(.masterGain, nil, at: moment, sampleRate: state.sampleRate)
        ask(for: .sound(.fadeMaster(from: start, until: sleep.end, sleep.easing)))
    }
}

extension PlayerState {
    /// Seconds until the sleep timer has faded everything out; 0 without a timer.
    package func timeToSleep(at moment: Moment) -> Double {
        sleep.map { Double(max(0, $0.end.frame - moment.frame)) / Double(sampleRate) } ?? 0
    }
}
