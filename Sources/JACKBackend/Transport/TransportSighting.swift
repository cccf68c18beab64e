import Engine
import JACK

/// The state of JACK's transport as the render thread saw it in its last cycle.
package struct TransportSighting: BitwiseCopyable, Sendable {
    /// The first frame of that cycle.
    package var engineFrame: EngineFrame = 0
    /// The transport's frame at that time.
    package var frame: Int64 = 0
    /// The tempo in quarter notes a minute; 0 if unknown.
    package var tempo = 0.0
    /// The position in whole notes from bar 1.
    package var wholeNotes = 0.0
    /// The ``State``, stored as a whole word.
    private var stateNumber: Int64 = 0
    /// Identifies the engine: engine frames of another engine are meaningless.
    private(set) var renderer: UInt = 0

    package typealias State = Transport.State

    package init(
        _ state: State = .stopped, frame: Int64 = 0, engineFrame: EngineFrame = 0, renderer: UInt = 0, tempo: Double = 0,
        wholeNotes: Double = 0
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

/// Determines from consecutive sightings whether the transport rolls.
package struct TransportWatch {
    /// The time at which it was first seen about to roll.
    private var startingSince: EngineFrame?

    /// Seconds that the transport may take between a locate and rolling on: normally a cycle or two, more only if a client needs time.
    private static let patience = 0.1

    package init() {}

    /// Whether the transport rolls; `nil` while it may be about to.
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
