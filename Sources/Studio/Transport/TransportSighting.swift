import JACK

/// What the render thread saw of JACK's transport in its last cycle.
package struct TransportSighting: BitwiseCopyable, Sendable {
    /// First frame of that cycle, as the engine counts.
    package var engineFrame: Int64 = 0
    /// The transport's at that frame.
    package var frame: Int64 = 0
    /// Quarter notes a minute; 0 where nobody says.
    package var tempo = 0.0
    /// From bar 1 to that frame.
    package var wholeNotes = 0.0
    /// A ``State``, as a whole word.
    private var stateNumber: Int64 = 0
    /// What was rendered with: engine frames of another engine mean nothing.
    private(set) var renderer: UInt = 0

    package typealias State = Transport.State

    package init(
        _ state: State = .stopped, frame: Int64 = 0, engineFrame: Int64 = 0, renderer: UInt = 0, tempo: Double = 0, wholeNotes: Double = 0
    ) {
        self.engineFrame = engineFrame
        self.frame = frame
        stateNumber = state.rawValue
        self.renderer = renderer
        self.tempo = tempo
        self.wholeNotes = wholeNotes
    }

    package var state: State { State(rawValue: stateNumber) ?? .stopped }
}

/// Judges from one sighting to the next whether the transport rolls.
package struct TransportWatch {
    /// Engine frame at which it was first seen about to roll.
    private var startingSince: Int64?

    /// Between a locate and rolling on there is a cycle or two; more only where a client needs time, in seconds.
    private static let patience = 0.1

    package init() {}

    /// `nil` while it may be about to roll on.
    ///
    /// - Parameter sampleRate: in hertz.
    package mutating func isRolling(_ sighting: TransportSighting, sampleRate: Int) -> Bool? {
        guard sighting.state == .starting else {
            startingSince = nil
            return sighting.state == .rolling
        }
        let since = startingSince ?? sighting.engineFrame
        startingSince = since
        return Double(sighting.engineFrame - since) < Self.patience * Double(sampleRate) ? nil : false
    }
}
