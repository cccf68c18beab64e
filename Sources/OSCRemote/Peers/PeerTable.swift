import OSC

/// The known peers, by the address for answers.
final class PeerTable {
    static let maximumCount = 64
    /// Maximum number of addresses that one peer may send from.
    private static let maximumSourceCount = 4

    private var peers: [PeerAddress: Peer] = [:]
    /// Maps the addresses of peers that asked for answers on another port to that port.
    private var redirections: [PeerAddress: PeerAddress] = [:]

    var all: some Collection<Peer> { peers.values }

    /// The peer that gets its answers at `endpoint`.
    subscript(endpoint: PeerAddress) -> Peer? { peers[endpoint] }

    /// The time at which `source` was last heard; `nil` if it is not known.
    func lastHeard(at source: PeerAddress) -> Double? { peers[redirections[source] ?? source]?.lastHeard }

    /// The peer that receives the answers to `source`. If there is no room for a new peer, it is answered but not stored.
    func peer(at source: PeerAddress, role: Role, at seconds: Double) -> Peer {
        if let known = peers[redirections[source] ?? source] {
            known.lastHeard = seconds
            known.unreachableCount = 0
            return known
        }
        let newcomer = Peer(source, role: role, at: seconds)
        add(newcomer)
        return newcomer
    }

    /// Moves answers of `peer`, heard from `source`, to `endpoint`, another port of its address.
    ///
    /// - Returns: The peer at that port; `nil` if there is no room.
    func redirect(_ peer: Peer, heardAt source: PeerAddress, to endpoint: PeerAddress, at seconds: Double) -> Peer? {
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
    func add(_ peer: Peer) -> Bool {
        guard peers.count < Self.maximumCount else { return false }
        peers[peer.endpoint] = peer
        return true
    }

    /// The peer to forget so that a new peer at `source` can be stored: the one that was silent longest, of those that have no
    /// subscriptions, hold nothing and have no bundles waiting. `nil` if there is room, or none can be forgotten.
    func peerToEvict(for source: PeerAddress, _ schedule: BundleSchedule) -> Peer? {
        guard peers.count >= Self.maximumCount, peers[redirections[source] ?? source] == nil else { return nil }
        let idle = peers.values.filter { $0.subscriptions.isEmpty && !$0.isPermanent && $0.holds.isEmpty && !schedule.hasAny(of: $0) }
        return idle.min { $0.lastHeard < $1.lastHeard }
    }

    func isKept(_ peer: Peer) -> Bool { peers[peer.endpoint] === peer }

    func remove(_ peer: Peer) {
        peers[peer.endpoint] = nil
        for source in redirections.filter({ $0.value == peer.endpoint }).keys { redirections[source] = nil }
    }
}
