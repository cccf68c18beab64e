import Patches

/// Keeps the output from becoming suddenly or too loud. It is set once, at the start of the program.
package struct HearingProtection: Equatable, Sendable {
    /// The highest master level in dB, which no command, session or fader exceeds.
    package let highestMasterGain: Double
    /// The shortest time in seconds of a soft start; 0 for none.
    private let softStart: Double
    /// Whether the next sound comes in softly: the first one, or one that is much louder than what was heard before.
    private(set) var isPending: Bool

    /// - Parameters:
    ///   - softStart: The shortest time in seconds in which the level comes in when something sounds for the first time; 0 for none.
    ///   - highestMasterGain: In dB, at most 0.
    package init(softStart: Double = 0, highestMasterGain: Double = 0) {
        (self.softStart, isPending) = (softStart, softStart > 0)
        self.highestMasterGain = highestMasterGain
    }

    /// Lets the next sound come in softly if its level in dB is much above the one that was heard before; `nil` if nothing was.
    mutating func prepare(for gain: Double, after heard: Double?) {
        if softStart > 0, let heard { isPending = LevelMove.isSudden(from: heard, to: gain) }
    }

    /// Whether sounds come in softly at all.
    var hasSoftStart: Bool { softStart > 0 }

    /// The seconds of the soft start to a level in dB; `nil` if it would be there at once, or not be heard.
    package func riseTime(to gain: Double) -> Double? {
        guard isPending, gain > LevelMove.inaudible else { return nil }
        return LevelMove(softlyTo: gain, over: softStart, at: Moment(frame: 0)).ramp.seconds
    }

    /// Begins the soft start.
    ///
    /// - Parameter rest: The seconds that are left of a move under way. The soft start is not over before it.
    /// - Returns: The move of the master to a level in dB.
    mutating func begin(to gain: Double, over rest: Double, at moment: Moment) -> LevelMove {
        isPending = false
        return LevelMove(softlyTo: gain, over: max(softStart, rest), at: moment)
    }

    /// The protection during a rise of the level over this many seconds: if it is not faster than the soft start, it replaces
    /// the soft start, which would end it.
    package func replaced(byRiseOver seconds: Double) -> Self {
        guard isPending, softStart <= seconds else { return self }
        var protection = self
        protection.isPending = false
        return protection
    }

    /// A notice for the user if a session's master level is lowered; `nil` if it is not.
    func notice(ofLowering gain: Double) -> String? {
        guard gain > highestMasterGain else { return nil }
        return """
            The session's master level of \(NumberText.string(from: gain)) dB is above the preference maximumLevel: it is now \
            \(NumberText.string(from: highestMasterGain)) dB.
            """
    }
}

extension Preferences {
    /// The protection that the preferences ask for.
    package var hearingProtection: HearingProtection { HearingProtection(softStart: self.softStart, highestMasterGain: self.maximumLevel) }
}
