import Patches

/// What the clock on the wall showed at a moment. The player has no clock: whoever owns it sets this one from time to time.
package struct DayClock: Equatable, Sendable {
    package var moment: Moment
    /// After midnight.
    package var seconds: Double

    package init(moment: Moment, seconds: Double) {
        self.moment = moment
        self.seconds = seconds
    }
}

extension Player {
    /// Where the current item begins when it begins now: at its start, or where the time of day is in it.
    func startPosition(at moment: Moment) -> Int64 {
        guard let patch = state.patch, patch.clock != nil, let dayClock else { return 0 }
        let passed = Double(moment.frame - dayClock.moment.frame) / Double(state.sampleRate)
        return state.frames(patch.start(atTimeOfDay: dayClock.seconds + passed))
    }
}
