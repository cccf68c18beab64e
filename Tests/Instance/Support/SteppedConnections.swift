import JACK
import JACKBackend
import Playback

/// The ports of a server, and how a device's own are connected: kept and refused as the backend does, but at once, so that nothing is ever in
/// doubt. Only remembered connections are made at the start; `--connect` connects nothing here.
struct SteppedConnections {
    /// Other clients' ports, of sound.
    private static let sinks = ["system:playback_1", "system:playback_2"]
    private static let sources = ["system:capture_1", "system:capture_2"]

    private static let outputs = ["out_left", "out_right"]
    private static let inputs = ["in_left", "in_right", "midi_in"]

    private(set) var memory: ConnectionMemory
    private var present: [PortLink] = []

    init(_ remembered: [PortLink]?) { memory = ConnectionMemory(remembered) }

    /// The full names of all ports of all clients, this one's included.
    func ports(of client: String) -> Set<String> {
        Set(Self.sinks + Self.sources + (Self.outputs + Self.inputs).map { "\(client):\($0)" })
    }

    /// Remembered connections to ports that do not exist.
    var waiting: [String] { (memory.wanted ?? []).map(\.other).filter { !(Self.sinks + Self.sources).contains($0) } }

    func outputs(of client: String) -> [PortConnections] { listed(Self.outputs, client) }

    func inputs(of client: String) -> [PortConnections] { listed(Self.inputs, client) }

    private func listed(_ ports: [String], _ client: String) -> [PortConnections] {
        ports.map { port in
            PortConnections(port: "\(client):\(port)", connectedTo: present.filter { $0.port == port }.map(\.other).sorted())
        }
    }

    /// Makes the remembered connections that are possible.
    mutating func connectMissing() {
        for link in memory.missing where Self.counterparts(of: link.port).contains(link.other) { present.append(link) }
        memory.record(present, at: .now)
    }

    /// The server or the client ends.
    mutating func recordLoss() {
        present = []
        memory.recordLoss()
    }

    mutating func connect(_ port: String, to other: String, client: String) throws(JACKError) {
        let own = try Self.own(port, client)
        guard Self.counterparts(of: own).contains(other) else { throw .noPort(name: other) }
        let link = PortLink(port: own, other: other)
        if !present.contains(link) { present.append(link) }
        memory.record(present, at: .now)
    }

    mutating func disconnect(_ port: String, from other: String, client: String) throws(JACKError) {
        let link = PortLink(port: try Self.own(port, client), other: other)
        guard present.contains(link) || memory.wanted?.contains(link) == true else {
            throw .notConnected(source: "\(client):\(link.port)", destination: other)
        }
        present.removeAll { $0 == link }
        memory.record(present, at: .now)
        memory.forget(link)
    }

    mutating func forget(_ links: [PortLink]) {
        for link in links where !present.contains(link) { memory.forget(link) }
    }

    /// Replaces the connections by another session's; `nil` leaves them.
    mutating func restore(_ links: [PortLink]?) {
        let removed = memory.replace(with: links)
        present.removeAll { removed.contains($0) }
    }

    /// The port's name without the client's.
    private static func own(_ port: String, _ client: String) throws(JACKError) -> String {
        let name = port.hasPrefix("\(client):") ? String(port.dropFirst(client.count + 1)) : port
        guard (outputs + inputs).contains(name) else { throw .noPort(name: port) }
        return name
    }

    /// The ports that one can be connected to; nothing here sends MIDI.
    private static func counterparts(of port: String) -> [String] {
        switch port {
        case "midi_in": []
        case "in_left", "in_right": sources
        default: sinks
        }
    }
}
