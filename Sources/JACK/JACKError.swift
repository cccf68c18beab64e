import Foundation

/// An operation that JACK refused. All error messages are made here; each says what to do.
public enum JACKError: Error, Equatable {
    /// No server of that name is running.
    case noServer(name: String)
    /// A server of that name is running but does not answer.
    case noAnswer(serverName: String)
    case cannotOpen(clientName: String, serverName: String, status: OpenStatus)
    /// A client must not have the name of its server: jackd would lose its socket, which has that name, when the client ends.
    case nameOfServer(String)
    case cannotRegisterPort(name: String)
    case cannotSetCallback(name: String, code: Int32)
    case cannotActivate(clientName: String, code: Int32)
    case cannotConnect(source: String, destination: String, code: Int32)
    case cannotDisconnect(source: String, destination: String, code: Int32)
    /// There is no port of that name, or none of a type and direction that can be connected.
    case noPort(name: String)
    case notConnected(source: String, destination: String)
    case cannotLocate(frame: UInt32, code: Int32)
    /// The sample rate in hertz is outside the supported range.
    case unplayableSampleRate(Double, serverName: String, playable: ClosedRange<Double>)
}

extension JACKError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noServer(let name):
            "Cannot open a JACK client: no server named '\(name)' is running. Start one first."
        case .noAnswer(let serverName):
            "Cannot open a JACK client: the server '\(serverName)' does not answer. Check whether it is stopped, or restart it. "
                + "If that does not help, stop all JACK servers and remove /dev/shm/jack_db-\(getuid()), which may be locked."
        case .cannotOpen(let clientName, let serverName, let status):
            "Cannot open the JACK client '\(clientName)' on the server '\(serverName)': \(status). "
                + "Check that the server runs as the same user, or restart it."
        case .nameOfServer(let name):
            "Cannot open a JACK client named '\(name)': its server has that name, and would no longer answer afterwards. "
                + "Choose another name for the client."
        case .cannotRegisterPort(let name):
            "Cannot register the port '\(name)': JACK has no free port. Close other clients, or start the server with more ports (jackd -p)."
        case .cannotSetCallback(let name, let code):
            "Cannot set the \(name) callback: JACK refused it (\(code)). Restart the JACK server."
        case .cannotActivate(let clientName, let code):
            "Cannot activate the JACK client '\(clientName)': JACK refused it (\(code)). Restart the JACK server."
        case .cannotConnect(let source, let destination, let code):
            "Cannot connect '\(source)' to '\(destination)': JACK refused it (\(code)). Check that both ports exist (jack_lsp)."
        case .cannotDisconnect(let source, let destination, let code):
            "Cannot disconnect '\(source)' from '\(destination)': JACK refused it (\(code)). Check that both are connected (jack_lsp -c)."
        case .noPort(let name):
            "There is no port '\(name)' to connect. List the ports with jack_lsp."
        case .notConnected(let source, let destination):
            "'\(source)' is not connected to '\(destination)'. List its connections with jack/connections or jack_lsp -c."
        case .cannotLocate(let frame, let code):
            "Cannot locate JACK's transport to frame \(frame): JACK refused it (\(code)). Check what else controls it (jack_transport)."
        case .unplayableSampleRate(let rate, let serverName, let playable):
            "Cannot play on the JACK server '\(serverName)' at \(Int(rate)) Hz. Restart it at a sample rate of \(Int(playable.lowerBound)) to "
                + "\(Int(playable.upperBound)) Hz (jackd -r)."
        }
    }
}
