/// What the JACK backend tells its owner.
package enum BackendEvent: Sendable, Equatable {
    /// The client is open, its ports are registered and connected as they were: at first, and whenever the server is back. In hertz and frames.
    case available(sampleRate: Double, bufferSize: Int)
    /// The server is gone or has thrown the client out; reopening is tried until it works.
    case lost(reason: String)
    /// The client is closed, and opened again under that name, as was asked for; what comes afterwards is about the new one.
    case reopening(as: String)
    /// No cycle has come for a while, though nothing said that the server is gone.
    case stalled
    /// A callback has not ended within a second after rendering was stopped, and may still be rendering with the engine that it was given. That
    /// one must never be reset, nor rendered with by anybody else: prepare another. The backend keeps it until the callback has ended, for
    /// ever if it never does: an engine and a second of recorded sounds for each such event, which comes once for a change of the sample
    /// rate, a stall or a loss of the server.
    case leftBehind
    /// Cycles come again after a stall.
    case resumed
    /// In hertz.
    case sampleRateChanged(Double)
    /// In frames.
    case bufferSizeChanged(Int)
    /// Deadlines missed since the backend began.
    case xrun(total: Int)
    /// Those of our outputs; of our inputs, too, when they have changed.
    case connectionsChanged([PortConnections])
    /// What our ports are to be connected to from now on, here and on the next server, has changed.
    case connectionsLearnt([PortLink])
    case freewheelChanged(Bool)
    /// Something the user should know that stops nothing, such as a connection that was refused.
    case notice(String)
    /// What the JACK library itself wrote, for a log.
    case libraryMessage(String)
}

/// What one of our ports is connected to, by full names such as "system:playback_1".
package struct PortConnections: Sendable, Equatable {
    package let port: String
    package let connectedTo: [String]

    package init(port: String, connectedTo: [String]) {
        self.port = port
        self.connectedTo = connectedTo
    }
}

/// The backend at one moment.
package struct BackendStatus: Sendable, Equatable {
    package enum Condition: String, Sendable {
        case running, stalled, away
    }

    package var condition = Condition.away
    /// The name that JACK gave, which has a number where the wanted one was taken.
    package var clientName: String
    package var serverName: String
    /// In hertz; 0 before the first server.
    package var sampleRate = 0.0
    /// In frames; 0 before the first server.
    package var bufferSize = 0
    /// JACK's load, in percent of a cycle.
    package var load = 0.0
    /// The highest load seen since the start.
    package var peakLoad = 0.0
    /// Deadlines missed since the start.
    package var xruns = 0
    package var isFreewheeling = false
    /// Of our outputs.
    package var connections: [PortConnections] = []
    /// Of our inputs, for sound and for MIDI.
    package var inputConnections: [PortConnections] = []
    /// Something was disconnected, and whether that is to stay will be told in a moment.
    package var connectionsAreInDoubt = false
}
