/// An event that the JACK backend reports to its owner.
package enum BackendEvent: Sendable, Equatable {
    /// The client is open, and its ports are registered and reconnected: at the start, and whenever the server is back. The sample rate is
    /// in hertz, the buffer size in frames.
    case available(sampleRate: Double, bufferSize: Int)
    /// The server is gone or has expelled the client; the backend tries to reopen it until that succeeds.
    case lost(reason: String)
    /// The client is being closed and reopened under that name, as requested; later events are about the new one.
    case reopening(as: String)
    /// There has been no cycle for a while, though nothing indicates that the server is gone.
    case stalled
    /// A callback has not ended within a second after rendering was stopped, and may still be rendering with its engine. That engine must
    /// never be reset or used by anybody else: prepare another. The backend keeps it until the callback has ended, forever if it never
    /// does. Each such event, at most one for a change of the sample rate, a stall or a loss of the server, costs an engine and a second of
    /// recorded sounds.
    case leftBehind
    /// Cycles have resumed after a stall.
    case resumed
    /// The new sample rate in hertz.
    case sampleRateChanged(Double)
    /// The new buffer size in frames.
    case bufferSizeChanged(Int)
    /// The number of deadlines missed since the backend was started.
    case xrun(total: Int)
    /// The outputs' connections; also sent when those of the inputs have changed.
    case connectionsChanged([PortConnections])
    /// The remembered connections, which are made here and on the next server, have changed.
    case connectionsLearnt([PortLink])
    /// The full names of all ports of all clients; `nil` if they are unknown, since there is no client.
    case portsChanged(Set<String>?)
    /// The ports that connections wait for after opening, in order; at least one.
    case waiting(for: [String])
    case freewheelChanged(Bool)
    /// A problem that the user should know but that stops nothing, such as a refused connection.
    case notice(String)
    /// A message of the JACK library, for a log.
    case libraryMessage(String)
}

/// A snapshot of the backend's status.
package struct BackendStatus: Sendable, Equatable {
    package enum Condition: String, Sendable {
        case running, stalled, away
    }

    package var condition = Condition.away
    /// The name assigned by JACK, which has a number if the requested one was taken.
    package var clientName: String
    package var serverName: String
    /// The sample rate in hertz; 0 before the first server.
    package var sampleRate = 0.0
    /// The period in frames; 0 before the first server.
    package var bufferSize = 0
    /// JACK's load, in percent of a cycle.
    package var load = 0.0
    /// The highest load seen since the start.
    package var peakLoad = 0.0
    /// The number of deadlines missed since the start.
    package var xruns = 0
    package var isFreewheeling = false
    /// Connections of the outputs.
    package var connections: [PortConnections] = []
    /// Connections of the inputs, for sound and for MIDI.
    package var inputConnections: [PortConnections] = []
    /// Whether something was disconnected and it is not yet known whether that is permanent.
    package var connectionsAreInDoubt = false
}
