/// A connection of one of our ports, whichever way it leads.
package struct PortLink: Hashable, Sendable {
    /// Our port's name without the client's.
    package let port: String
    /// The full name of the port at the other end.
    package let other: String

    package init(port: String, other: String) {
        self.port = port
        self.other = other
    }
}

/// What our ports are to be connected to: what was there at the start, and what was seen since, whoever connected or disconnected it.
package struct ConnectionMemory {
    /// A server that ends, and a client that leaves, take their connections down just before they go; so long it is open who did it.
    package static let doubt = Duration.seconds(1)

    /// In the order in which they came; `nil` while nothing was ever connected.
    package private(set) var wanted: [PortLink]?
    private var present: [PortLink] = []
    private var doubtful: [(link: PortLink, since: ContinuousClock.Instant)] = []

    package init(_ wanted: [PortLink]? = nil) {
        self.wanted = wanted
    }

    /// Something was disconnected, and it is not yet known whether that is to stay.
    package var isInDoubt: Bool { !doubtful.isEmpty }

    /// What is to be connected as soon as that can be done.
    package var missing: [PortLink] {
        (wanted ?? []).filter { link in !present.contains(link) && !doubtful.contains { $0.link == link } }
    }

    /// Takes down what is connected now.
    package mutating func note(_ current: [PortLink], at now: ContinuousClock.Instant) {
        for link in current where wanted?.contains(link) != true { wanted = (wanted ?? []) + [link] }
        doubtful.removeAll { current.contains($0.link) }
        doubtful += present.filter { !current.contains($0) && wanted?.contains($0) == true }.map { ($0, now) }
        present = current
    }

    /// Decides about what was disconnected, by the ports that exist: one that has gone took its connection along, which comes back with
    /// it; from one that is still there after a while, somebody has disconnected us.
    package mutating func judge(existing: Set<String>, at now: ContinuousClock.Instant) {
        doubtful.removeAll { !existing.contains($0.link.other) }
        let decided = doubtful.filter { $0.since + ConnectionMemory.doubt <= now }.map(\.link)
        doubtful.removeAll { decided.contains($0.link) }
        wanted?.removeAll { decided.contains($0) }
    }

    /// The server is gone: its end disconnected what was disconnected last.
    package mutating func noteLoss() {
        present = []
        doubtful = []
    }

    /// Nobody wants it any more.
    package mutating func forget(_ link: PortLink) {
        wanted?.removeAll { $0 == link }
        doubtful.removeAll { $0.link == link }
    }

    /// Another session's connections take their place; one that has none yet takes over those that are there.
    ///
    /// - Returns: what is connected and is not to be.
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
