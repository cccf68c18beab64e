/// A connection of one of the program's ports, in either direction.
package struct PortLink: Hashable, Sendable {
    /// The port's name without the client's.
    package let port: String
    /// The full name of the port at the other end.
    package let other: String

    package init(port: String, other: String) {
        self.port = port
        self.other = other
    }
}

/// The connections to keep: those given at the start and those seen since, regardless of who made or removed them.
package struct ConnectionMemory {
    /// How long a disconnection is undecided, since a server or client that ends removes its connections just before it goes.
    package static let doubt = Duration.seconds(1)

    /// The connections in the order in which they were made; `nil` if there were never any.
    package private(set) var wanted: [PortLink]?
    private var present: [PortLink] = []
    private var doubtful: [(link: PortLink, since: ContinuousClock.Instant)] = []

    package init(_ wanted: [PortLink]? = nil) {
        self.wanted = wanted
    }

    /// Whether something was disconnected and it is not yet known whether that is permanent.
    package var isInDoubt: Bool { !doubtful.isEmpty }

    /// The connections to make as soon as possible.
    package var missing: [PortLink] {
        (wanted ?? []).filter { link in !present.contains(link) && !doubtful.contains { $0.link == link } }
    }

    /// Records the present connections.
    package mutating func record(_ current: [PortLink], at now: ContinuousClock.Instant) {
        for link in current where wanted?.contains(link) != true { wanted = (wanted ?? []) + [link] }
        doubtful.removeAll { current.contains($0.link) }
        doubtful += present.filter { !current.contains($0) && wanted?.contains($0) == true }.map { ($0, now) }
        present = current
    }

    /// Decides about disconnected ports by which ports exist: if the other port is gone, the connection is remembered and made again when
    /// it returns; if it is still there after a while, somebody has disconnected it on purpose.
    package mutating func judge(existing: Set<String>, at now: ContinuousClock.Instant) {
        doubtful.removeAll { !existing.contains($0.link.other) }
        let decided = doubtful.filter { $0.since + ConnectionMemory.doubt <= now }.map(\.link)
        doubtful.removeAll { decided.contains($0.link) }
        wanted?.removeAll { decided.contains($0) }
    }

    /// Records that the server is gone; disconnections that are undecided are attributed to its end.
    package mutating func recordLoss() {
        present = []
        doubtful = []
    }

    /// Whether a connection exists, as far as is known.
    package func isPresent(_ link: PortLink) -> Bool { present.contains(link) }

    /// Removes a connection that is no longer wanted.
    package mutating func forget(_ link: PortLink) {
        wanted?.removeAll { $0 == link }
        doubtful.removeAll { $0.link == link }
    }

    /// Replaces the remembered connections by another session's; a session without any takes over the present ones.
    ///
    /// - Returns: the connections to remove.
    package mutating func replace(with links: [PortLink]?) -> [PortLink] {
        doubtful = []
        guard let links else {
            if !present.isEmpty { wanted = present }
            return []
        }
        wanted = links
        return present.filter { !links.contains($0) }
    }
}
