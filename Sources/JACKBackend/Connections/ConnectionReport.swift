/// A report of a ``ConnectionKeeper``.
enum ConnectionReport: Sendable {
    /// The present connections, different from those of the last report.
    case present(outputs: [PortConnections], inputs: [PortConnections])
    /// The remembered connections have changed to these.
    case remembered([PortLink])
    /// All ports of all clients; `nil` if they are unknown.
    case existing(Set<String>?)
    /// The ports that connections wait for.
    case waiting([String])
    /// A sentence for the user about something that was not connected.
    case notice(String)
}

/// The connections of one of the program's ports, by full names such as "system:playback_1".
package struct PortConnections: Sendable, Equatable {
    package let port: String
    package let connectedTo: [String]

    package init(port: String, connectedTo: [String]) {
        self.port = port
        self.connectedTo = connectedTo
    }
}
