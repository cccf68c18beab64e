import Patches

/// The time of day at a moment. The player has no clock, so its owner sets this one from time to time.
package struct DayClock: Equatable, Sendable {
    package var moment: Moment
    /// The time of day in seconds after midnight.
    package var seconds: Double

    package init(moment: Moment, seconds: Double) {
        self.moment = moment
        self.seconds = seconds
    }
}

extension DayClock {
    /// The position in seconds at which an item that follows the time of day starts; other items start at their beginning.
    func start(of patch: Patch, at moment: Moment, sampleRate: Int) -> Double {
        guard patch.clock != nil else { return 0 }
        return patch.start(atTimeOfDay: seconds + Double(moment.frame - self.moment.frame) / Double(sampleRate))
    }
}
