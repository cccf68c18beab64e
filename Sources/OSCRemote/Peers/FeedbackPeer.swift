import OSC

/// `HOST:PORT=TOPIC[,TOPIC…]`, where HOST is a numeric address or `localhost`, which is 127.0.0.1: a surface that cannot subscribe and gets feedback without a lease.
package struct FeedbackPeer: Hashable, Sendable, LosslessStringConvertible {
    package let endpoint: Endpoint
    /// The topics that it gets; at least one.
    package let topics: [Topic]

    package init?(_ text: String) {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        let peer = text[..<equals]
        let numeric = peer.hasPrefix("localhost:") ? "\(IPAddress.loopback)" + peer.dropFirst(9) : String(peer)
        guard let endpoint = Endpoint(numeric), endpoint.port != 0 else { return nil }
        let names = text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false)
        let topics = names.compactMap { Topic(String($0)) }
        guard topics.count == names.count, topics.count <= Peer.maximumSubscriptionCount else { return nil }
        self.endpoint = endpoint
        self.topics = topics
    }

    /// The sentence about the first topic that does not exist; `nil` if all do.
    package static func unknownTopic(in text: String) -> String? {
        text.firstIndex(of: "=").flatMap { Topic.fault(inList: text[text.index(after: $0)...]) }
    }

    package var description: String { "\(endpoint)=" + topics.map(\.name).joined(separator: ",") }
}
