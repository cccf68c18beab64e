import Patches

/// The movement of a level that a control has set, or of the master in a fade. A control that raises a level by more than 6 dB at once does so
/// slowly, whichever control it is.
struct LevelMove: Equatable, Sendable {
    /// In dB.
    private let origin: Double
    let target: Double
    /// When the move begins, which may be later than now.
    private var begin: Moment
    /// The ramp of the move: the one that was asked for, or that of a slow rise.
    let ramp: Ramp
    private let law: Patch.GainLaw

    /// dB by which a level rises at once.
    static let step = 6.0
    /// dB a second of a larger rise.
    static let slope = 12.0
    /// dB below which nothing is heard, so that a rise up to there is no sudden one.
    static let inaudible = -60.0
    /// The easing of a rise from silence: most of its time is spent where the level is audible.
    private static let softly = Easing.quadOut

    /// The move from one level to another, both in dB.
    ///
    /// - Parameters:
    ///   - ramp: The ramp that was asked for; `nil` for none.
    ///   - law: What moves: the level, or the amplitude.
    ///   - limit: The most seconds of a slow rise.
    /// - Returns: `nil` if the level is there at once.
    init?(
        from origin: Double, to target: Double, _ ramp: Ramp?, _ law: Patch.GainLaw = .decibels, at moment: Moment,
        within limit: Double = .infinity
    ) {
        guard ramp != nil || Self.isSudden(from: origin, to: target) else { return nil }
        (self.origin, self.target, self.law, begin) = (origin, target, law, moment)
        let seconds = (target - origin) / Self.slope
        // The cube makes an amplitude rise about evenly in dB.
        let easing = law == .decibels ? limit < seconds ? Self.softly : .linear : .cubicIn
        self.ramp = ramp ?? Ramp(seconds: min(seconds, limit), easing: easing)
    }

    /// The soft start of a sound: where it can be heard, it is about as slow as any other rise to a level in dB, and it is never shorter than some
    /// seconds.
    init(softlyTo target: Double, over shortest: Double, at moment: Moment) {
        (origin, self.target, law, begin) = (Parameter.off, target, .decibels, moment)
        ramp = Ramp(seconds: max(shortest, (target - Self.inaudible) / Self.slope), easing: Self.softly)
    }

    /// Whether it began at silence and leads to a level.
    var risesFromSilence: Bool { origin <= Parameter.off && target > origin }

    /// Whether a level in dB that follows another one at once is too loud for that.
    static func isSudden(from origin: Double, to target: Double) -> Bool { target - max(origin, inaudible) > step }

    /// The seconds that are left.
    func rest(at moment: Moment, sampleRate: Int) -> Double {
        max(0, ramp.seconds - Double(moment.frame - begin.frame) / Double(sampleRate))
    }

    /// The level in dB; `nil` if the move is over.
    func level(at moment: Moment, sampleRate: Int) -> Double? {
        let rest = rest(at: moment, sampleRate: sampleRate)
        guard rest > 0 else { return nil }
        let time = 1 - min(1, rest / ramp.seconds)
        // Without an easing a move from rest is smooth: its slope and curvature are 0 at both ends.
        let progress = ramp.easing?.value(at: time) ?? time * time * time * (10 + time * (6 * time - 15))
        switch law {
        case .decibels: return origin + (target - origin) * progress
        case .amplitude:
            let (from, to) = (Amplitude.ratio(origin), Amplitude.ratio(target))
            return Amplitude.decibels(from + (to - from) * progress)
        }
    }

    /// The same move on another clock.
    func converted(_ converted: (Moment) -> Moment) -> Self {
        var move = self
        move.begin = converted(begin)
        return move
    }
}
