import OSC

/// Who is known, by where answers go.
struct PeerTable {
    static let maximumCount = 64
    /// Sources that one peer may send from.
    private static let maximumSourceCount = 4

    private(set) var peers: [PeerAddress: Peer] = [:]
    /// From the sources of peers that asked for answers on another port.
    private var redirections: [PeerAddress: PeerAddress] = [:]

    /// Whom answers to a packet from `source` go to. A newcomer takes the place of the peer that was silent longest and subscribes to
    /// nothing; when there is none such, it is answered but not kept.
    mutating func peer(at source: PeerAddress, role: Role, at seconds: Double) -> Peer {
        if let known = peers[redirections[source] ?? source] {
            known.lastHeard = seconds
            known.unreachableCount = 0
            return known
        }
        let newcomer = Peer(source, role: role, at: seconds)
        add(newcomer)
        return newcomer
    }

    /// The peer that `peer`, heard from `source`, becomes by asking for answers at `endpoint`, another port of its address.
    ///
    /// - Returns: `nil` when there is no room.
    mutating func redirect(_ peer: Peer, heardAt source: PeerAddress, to endpoint: PeerAddress, at seconds: Double) -> Peer? {
        guard endpoint != peer.endpoint else { return peer }
        let target = peers[endpoint] ?? Peer(endpoint, role: peer.role, at: seconds)
        target.lastHeard = seconds
        target.replies = peer.replies
        guard peers[endpoint] != nil || add(target) else { return nil }
        if endpoint == source {
            redirections[source] = nil
        } else {
            let others = redirections.filter { $0.value == endpoint && $0.key != source }.keys
            if others.count >= Self.maximumSourceCount, let one = others.first { redirections[one] = nil }
            redirections[source] = endpoint
        }
        return target
    }

    @discardableResult
    mutating func add(_ peer: Peer) -> Bool {
        if peers.count >= Self.maximumCount {
            let idle = peers.values.filter { $0.subscriptions.isEmpty && !$0.isPermanent && $0.touched.isEmpty }
            guard let oldest = idle.min(by: { $0.lastHeard < $1.lastHeard }) else { return false }
            remove(oldest)
        }
        peers[peer.endpoint] = peer
        return true
    }

    func isKept(_ peer: Peer) -> Bool { peers[peer.endpoint] === peer }

    mutating func remove(_ peer: Peer) {
        peers[peer.endpoint] = nil
        for source in redirections.filter({ $0.value == peer.endpoint }).keys { redirections[source] = nil }
    }
}
