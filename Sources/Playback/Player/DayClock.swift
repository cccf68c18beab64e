import Patches

/// The time of day at a moment. The player has no clock, so its owner sets this one from time to time.
package struct DayClock: Equatable, Sendable {
    package var moment: Moment
    /// Seconds after midnight.
    package var seconds: Double

    package init(moment: Moment, seconds: Double) {
        self.moment = moment
        self.seconds = seconds
    }
}

extension Player {
    /// Where the current item starts if it starts now: at its beginning, or at the time of day if it follows that.
    func startPosition(at moment: Moment) -> Int64 {
        guard let patch = state.patch, patch.clock != nil, let dayClock else { return 0 }
        let passed = Double(moment.frame - dayClock.moment.frame) / Double(state.sampleRate)
        return state.frames(patch.start(atTimeOfDay: dayClock.seconds + passed))
    }
}
