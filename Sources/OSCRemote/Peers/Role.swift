import OSC

/// What a peer may do; each role includes those before it.
package enum Role: String, CaseIterable, Comparable, Sendable {
    /// Read and subscribe.
    case view
    /// Give commands and set properties.
    case control
    /// End the program.
    case admin

    package static func < (a: Role, b: Role) -> Bool {
        switch (a, b) {
        case (.view, .control), (.view, .admin), (.control, .admin): true
        default: false
        }
    }
}

/// `CIDR=view|control|admin`: the role of an address range beyond this machine.
package struct AccessRule: Hashable, Sendable, LosslessStringConvertible {
    package let range: IPAddressRange
    package let role: Role

    package init?(_ text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, let range = IPAddressRange(String(parts[0])), let role = Role(rawValue: String(parts[1])) else {
            return nil
        }
        self.range = range
        self.role = role
    }

    package var description: String { "\(range)=\(role.rawValue)" }
}

/// `HOST:PORT=TOPIC[,TOPIC…]`: a surface that cannot subscribe and gets feedback without a lease.
package struct FeedbackPeer: Hashable, Sendable, LosslessStringConvertible {
    package let endpoint: Endpoint
    /// At least one.
    package let topics: [Topic]

    package init?(_ text: String) {
        guard let equals = text.firstIndex(of: "="), let endpoint = Endpoint(String(text[..<equals])), endpoint.port != 0 else {
            return nil
        }
        let names = text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
        let topics = names.compactMap { Topic(String($0)) }
        guard topics.count == names.count, topics.count <= Peer.maximumSubscriptionCount else { return nil }
        self.endpoint = endpoint
        self.topics = topics
    }

    package var description: String { "\(endpoint)=" + topics.map(\.name).joined(separator: ",") }
}
