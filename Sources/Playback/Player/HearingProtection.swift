import Patches

/// Keeps the output from becoming suddenly or too loud. It is set once, at the start of the program.
package struct HearingProtection: Equatable, Sendable {
    /// The highest master level in dB, which no command, session or fader exceeds.
    package let highestMasterGain: Double
    private var softStart: SoftStart

    private enum SoftStart: Equatable, Sendable {
        /// There is none, or it is over.
        case none
        /// Nothing has sounded yet; in seconds.
        case pending(Double)
        /// The level is coming in until this moment.
        case running(until: Moment)
    }

    /// - Parameters:
    ///   - softStart: The time in seconds in which the level comes in when something sounds for the first time; 0 for none.
    ///   - highestMasterGain: In dB, at most 0.
    package init(softStart: Double = 0, highestMasterGain: Double = PlayerState.highestMasterGain) {
        self.softStart = softStart > 0 ? .pending(softStart) : .none
        self.highestMasterGain = highestMasterGain
    }

    /// Whether nothing has sounded yet, and the first sound will come in softly.
    var isPending: Bool { if case .pending = softStart { true } else { false } }

    /// Lets the level come in if this is the first sound.
    ///
    /// - Returns: The ramp of the master; `nil` if the level stays as it is.
    mutating func begin(at moment: Moment, sampleRate: Int) -> Ramp? {
        guard case .pending(let seconds) = softStart else { return nil }
        softStart = .running(until: Moment(frame: moment.frame + PlayerState.frames(seconds, sampleRate: sampleRate)))
        // Most of the time is spent where the level is audible.
        return Ramp(seconds: seconds, easing: .quadOut)
    }

    /// Converts the end of the soft start to another sample rate.
    mutating func convertEnd(_ converted: (Moment) -> Moment) {
        if case .running(let end) = softStart { softStart = .running(until: converted(end)) }
    }

    /// The protection during a rise of the level over this many seconds: if it is not faster than the soft start, it replaces
    /// the soft start, which would end it.
    package func replaced(byRiseOver seconds: Double) -> Self {
        guard case .pending(let own) = softStart, own <= seconds else { return self }
        return HearingProtection(highestMasterGain: highestMasterGain)
    }

    /// The ramp, or a longer one while the level is still coming in at the start.
    func slowed(_ ramp: Ramp, at moment: Moment, sampleRate: Int) -> Ramp {
        guard case .running(let end) = softStart, end > moment else { return ramp }
        var ramp = ramp
        ramp.seconds = max(ramp.seconds, Double(end.frame - moment.frame) / Double(sampleRate))
        return ramp
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

extension PlayerState {
    /// Applies the preferences for safe levels.
    mutating func protect(_ hearing: HearingProtection) {
        self.hearing = hearing
        masterGain = min(masterGain, hearing.highestMasterGain)
    }

    /// A ramp of the master, or a longer one while the level is still coming in at the start.
    func slowed(_ ramp: Ramp, at moment: Moment) -> Ramp { hearing.slowed(ramp, at: moment, sampleRate: sampleRate) }
}

extension Preferences {
    /// The protection that the preferences ask for.
    package var hearingProtection: HearingProtection { HearingProtection(softStart: self.softStart, highestMasterGain: self.maximumLevel) }
}
