// The backend's worker thread.
import Glibc
import JACK

/// Requests of the backend's owner.
extension ConnectionKeeper {
    /// Connects one of the program's ports, named with or without the client's name.
    mutating func connect(
        _ port: String, to other: String, _ client: borrowing ActiveClient, _ ports: ClientPorts, cyclesBegun: () -> UInt64
    ) throws(JACKError) {
        guard let own = ports.port(named: port) else { throw .noPort(name: port) }
        guard client.counterparts(of: own).contains(other) else { throw .noPort(name: other) }
        try request(PortLink(port: own.shortName, other: other), isConnected: true, client, ports, cyclesBegun: cyclesBegun)
    }

    /// Disconnects one of the program's ports; a remembered connection that waits for its port is forgotten.
    mutating func disconnect(
        _ port: String, from other: String, _ client: borrowing ActiveClient, _ ports: ClientPorts, cyclesBegun: () -> UInt64
    ) throws(JACKError) {
        guard let own = ports.port(named: port) else { throw .noPort(name: port) }
        let link = PortLink(port: own.shortName, other: other)
        if client.connections(of: own).contains(other) {
            try request(link, isConnected: false, client, ports, cyclesBegun: cyclesBegun)
        } else if memory.wanted?.contains(link) != true {
            throw .notConnected(source: own.name, destination: other)
        }
        recordConnections(client, ports)
        memory.forget(link)
    }

    /// No longer remembers a connection that is not there.
    mutating func forget(_ link: PortLink) {
        if !memory.isPresent(link) { memory.forget(link) }
    }

    /// Replaces the present connections by another session's.
    mutating func restore(_ links: [PortLink]?, _ client: borrowing ActiveClient, _ ports: ClientPorts, cyclesBegun: () -> UInt64) {
        recordConnections(client, ports)
        for link in memory.replace(with: links) {
            do throws(JACKError) {
                try request(link, isConnected: false, client, ports, cyclesBegun: cyclesBegun)
            } catch {
                report(.notice(error.description))
            }
        }
        refused = []
        recordConnections(client, ports)
        connectMissing(client, ports, cyclesBegun: cyclesBegun)
    }

    /// Replaces the remembered connections by another session's, while there is no client.
    mutating func restore(_ links: [PortLink]?) {
        _ = memory.replace(with: links)
        refused = []
    }

    /// Connects or disconnects, and waits until JACK reports the change, at most half a second.
    mutating func request(
        _ link: PortLink, isConnected: Bool, _ client: borrowing ActiveClient, _ ports: ClientPorts, cyclesBegun: () -> UInt64
    ) throws(JACKError) {
        guard let port = ports.port(of: link) else { return }
        let (source, destination) = port.isInput ? (link.other, port.name) : (port.name, link.other)
        switch isConnected {
        case true: try client.connect(source, to: destination)
        case false: try client.disconnect(source, from: destination)
        }
        recordChange(cyclesBegun: cyclesBegun())
        let deadline = ContinuousClock.now + .milliseconds(500)
        while client.connections(of: port).contains(link.other) == !isConnected && ContinuousClock.now < deadline { usleep(1000) }
    }
}
