/// The connections that a session remembers, and when their ports were last there.
///
/// A port that has not been seen for ``patience`` days is forgotten. That a port is missing is reported once, until it has been seen again.
package struct RememberedConnections: Equatable, Sendable {
    /// `nil` if no connection was ever made.
    package private(set) var saved: [Session.SavedConnection]?
    /// All ports that exist; `nil` while that is unknown, since JACK is away.
    private var present: Set<String>?

    /// Days for which a missing port is remembered.
    package static let patience = 30

    package init(_ saved: [Session.SavedConnection]?) { self.saved = saved }

    /// Replaces the connections by another session's; which ports exist stays known.
    package mutating func replace(with saved: [Session.SavedConnection]?) { self.saved = saved }

    /// Adopts the connections to remember, as ports; what is known about each port is kept.
    package mutating func learn(_ ports: [(port: String, other: String)], on today: Day) {
        let known = Dictionary((saved ?? []).map { ($0.other, $0) }) { first, _ in first }
        saved = ports.map { port, other in
            var connection = Session.SavedConnection(port: port, other: other)
            connection.seen = known[other]?.seen ?? today
            connection.isReported = known[other]?.isReported ?? false
            return connection
        }
    }

    /// Notes which ports exist; `nil` if that is unknown.
    package mutating func see(_ ports: Set<String>?, on today: Day) {
        present = ports
        recordSightings(on: today)
    }

    /// Forgets the ports that have not been seen for too long, once it is known which ports exist.
    ///
    /// - Returns: the forgotten connections.
    package mutating func age(on today: Day) -> [Session.SavedConnection] {
        recordSightings(on: today)
        guard present != nil else { return [] }
        return remove { ($0.seen ?? today).number + Self.patience < today.number }
    }

    /// Forgets the connections of a missing port, or of all missing ports.
    ///
    /// - Returns: the forgotten connections.
    package mutating func forget(_ port: String?) -> [Session.SavedConnection] {
        let present = present
        return remove { connection in
            guard let port else { return present?.contains(connection.other) == false }
            return connection.other == port && present?.contains(port) != true
        }
    }

    package func remembers(_ port: String) -> Bool { saved?.contains { $0.other == port } ?? false }

    /// Whether it is known which ports exist.
    package var isCertain: Bool { present != nil }

    /// The missing ports that were not reported since they were last seen; from now on they count as reported.
    package mutating func takeUnreported(_ missing: [String]) -> [String] {
        let connections = saved ?? []
        let ports = missing.filter { port in connections.contains { $0.other == port && !$0.isReported } }
        for index in connections.indices where missing.contains(connections[index].other) { saved?[index].isReported = true }
        return ports
    }

    private mutating func recordSightings(on today: Day) {
        for (index, connection) in (saved ?? []).enumerated() {
            if present?.contains(connection.other) == true {
                saved?[index].seen = today
                saved?[index].isReported = false
            } else if connection.seen.map({ $0 > today }) ?? true {
                // The file is from an older version, or the clock was wrong.
                saved?[index].seen = today
            }
        }
    }

    private mutating func remove(_ isForgotten: (Session.SavedConnection) -> Bool) -> [Session.SavedConnection] {
        let forgotten = (saved ?? []).filter(isForgotten)
        if !forgotten.isEmpty { saved?.removeAll(where: isForgotten) }
        return forgotten
    }
}
