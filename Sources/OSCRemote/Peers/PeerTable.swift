import OSC

/// Who is known, by where answers go.
struct PeerTable {
    static let maximumCount = 64
    /// Sources that one peer may send from.
    private static let maximumSourceCount = 4

    private(set) var peers: [PeerAddress: Peer] = [:]
    /// From the sources of peers that asked for answers on another port.
    private var redirections: [PeerAddress: PeerAddress] = [:]

    /// When something came from `source`; `nil` while it is not known.
    func lastHeard(at source: PeerAddress) -> Double? { peers[redirections[source] ?? source]?.lastHeard }

    /// Whom answers to a packet from `source` go to. A newcomer for whom there is no room is answered but not kept.
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
        guard peers.count < Self.maximumCount else { return false }
        peers[peer.endpoint] = peer
        return true
    }

    /// Who has to be forgotten before the peer of `source`, if it is a newcomer, can be kept: the one that was silent longest, of those
    /// that subscribe to nothing, hold nothing and have sent nothing ahead. `nil` when there is room, or nobody can go.
    func peerToEvict(for source: PeerAddress, _ schedule: BundleSchedule) -> Peer? {
        guard peers.count >= Self.maximumCount, peers[redirections[source] ?? source] == nil else { return nil }
        let idle = peers.values.filter { $0.subscriptions.isEmpty && !$0.isPermanent && !$0.holdsSomething && !schedule.hasAny(of: $0) }
        return idle.min { $0.lastHeard < $1.lastHeard }
    }

    func isKept(_ peer: Peer) -> Bool { peers[peer.endpoint] === peer }

    mutating func remove(_ peer: Peer) {
        peers[peer.endpoint] = nil
        for source in redirections.filter({ $0.value == peer.endpoint }).keys { redirections[source] = nil }
    }
}
