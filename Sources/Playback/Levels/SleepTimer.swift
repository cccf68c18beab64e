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

extension Mixer {
    /// Seconds by which the fade of the sleep timer is requested in advance, so that it begins on its frame.
    private static let sleepLead = 0.5

    /// Advances the sleep timer, which runs on the render clock: a pause, a seek or another item do not delay it. Its fade applies only while
    /// something plays; an interrupted fade restarts over the remaining time.
    mutating func advanceSleep(to moment: Moment, isPlaying: Bool, sampleRate: Int) -> PlayerStep? {
        guard let sleep else { return nil }
        guard sleep.end > moment else {
            // If paused, it stays paused.
            if !isPlaying { self.sleep = nil }
            return isPlaying ? .stop : nil
        }
        func frames(_ seconds: Double) -> Int64 { Moment.frames(seconds, sampleRate: sampleRate) }
        let start = Moment(frame: sleep.end.frame - frames(max(sleep.fade, Ramp.shortLevel.seconds)))
        guard isPlaying, !isMasterMuted, !isFading, start.frame - frames(Self.sleepLead) <= moment.frame else { return nil }
        // A sound that is still rising has hardly been heard. The fade waits, unless too little time would be left for it.
        let rise = ramps.restOfRise(of: .masterGain, at: moment, sampleRate: sampleRate)
        if let rise, moment.frame + frames(rise + 2 * Self.sleepLead) < sleep.end.frame { return nil }
        self.sleep?.isFading = true
        recordHeard(at: moment, sampleRate: sampleRate)
        let level = masterLevel(at: moment, sampleRate: sampleRate)
        ramps.set(.masterGain, nil, at: moment, sampleRate: sampleRate)
        recordFade(of: level, from: max(start, moment), until: sleep.end, sleep.easing, sampleRate: sampleRate)
        return .sound(.fadeMaster(from: start, until: sleep.end, sleep.easing))
    }
}
