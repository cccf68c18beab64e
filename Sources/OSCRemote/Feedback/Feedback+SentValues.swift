import OSC
import Playback

/// A value set by a peer. The other subscribers are sent it; the peer itself gets it only if it came out different, or once the peer has
/// stopped moving it.
struct SentValue {
    let key: AddressTable.Key
    let source: PeerAddress
    let peer: Peer
    /// The address's value had it been accepted unchanged; `nil` if it was refused.
    let asSent: [OSCArgument]?

    init(_ key: AddressTable.Key, _ asSent: [OSCArgument]?, in context: PacketContext) {
        (self.key, self.asSent, source, peer) = (key, asSent, context.source, context.peer)
    }
}

extension Feedback {
    /// The last value that each peer has sent to each address since the last comparison: only that one can be the value now.
    var latestSentValues: [SentValue] {
        struct Sender: Hashable {
            let key: AddressTable.Key
            let peer: ObjectIdentifier
        }
        var last: [Sender: Int] = [:]
        for (index, sent) in sentValues.enumerated() { last[Sender(key: sent.key, peer: ObjectIdentifier(sent.peer))] = index }
        return last.values.sorted().map { sentValues[$0] }
    }

    func takeIntoAccount(_ sent: SentValue, _ changed: Set<AddressTable.Key>) {
        // A surface that gets feedback on a separate port sends from another one: only the address is the same.
        let surfaces = peers.all.filter { surface in
            surface.isPermanent && surface !== sent.peer && surface.endpoint.endpoint?.host == sent.source.endpoint?.host
        }
        for peer in [sent.peer] + surfaces {
            guard isSubscribed(peer, to: sent.key), !isHeld(sent.key, by: peer) else { continue }
            guard let expected = sent.asSent?.prefix(table.row(sent.key).outputCount), let value = watched.values[sent.key],
                value.isAlike(Array(expected))
            else {
                peer.outbox.echoes[sent.key] = nil
                peer.outbox.add(sent.key)
                continue
            }
            // A set that changed nothing is not echoed; otherwise two programs subscribed to each other would loop.
            guard changed.contains(sent.key) || peer.outbox.echoes[sent.key] != nil else { continue }
            peer.outbox.echoes[sent.key] = .init(expected: Array(expected), due: state.now.seconds + Outbox.echoDelay)
        }
        for key in touches(begunBy: sent) where watched.values[key] == [.flag(false)] && isSubscribed(sent.peer, to: key) {
            reportTaken(key, to: sent.peer)
        }
    }

    /// Queues a changed value, unless the peer holds it or has set it so itself.
    func report(_ key: AddressTable.Key, to peer: Peer) {
        if isHeld(key, by: peer) { return }
        if let echo = peer.outbox.echoes[key] {
            if let value = watched.values[key], value.isAlike(echo.expected) { return }
            peer.outbox.echoes[key] = nil
            if isTouch(key), echo.expected == [.flag(true)] { return reportTaken(key, to: peer) }
        }
        peer.outbox.add(key)
    }

    private func isSubscribed(_ peer: Peer, to key: AddressTable.Key) -> Bool {
        let player = state.snapshot.player
        return peer.subscriptions.contains { watched.members(of: $0.topic, table, player).set.contains(key) }
    }

    // MARK: Touches that are taken away

    /// Reports that a touch was taken from its sender, which has not had a report of its beginning yet. The end alone could be that of an earlier one.
    private func reportTaken(_ key: AddressTable.Key, to peer: Peer) {
        for isTouched in [true, false] { peer.outbox.add(event: OSCMessage(table.address(key), [.flag(isTouched)])) }
    }

    private func isTouch(_ key: AddressTable.Key) -> Bool { table.row(key).path.hasPrefix("touch/") }

    /// The addresses that report the touches which a peer has begun: those of both parameters for `xy`.
    private func touches(begunBy sent: SentValue) -> [AddressTable.Key] {
        guard isTouch(sent.key), sent.asSent == [.flag(true)] else { return [] }
        let parts = table.address(sent.key).split(separator: "/").map(String.init)
        let ofParameters = table.row(sent.key).needs.map { parts.prefix(4) + [$0.rawValue] }
        let paths = ofParameters.isEmpty ? [parts.filter { $0 != "norm" }[...]] : ofParameters
        return paths.compactMap { table.key("/" + $0.joined(separator: "/")) }
    }
}

extension [OSCArgument] {
    /// Whether two values of one address are equal for a fader: a float may have been converted by a curve and back.
    fileprivate func isAlike(_ other: [OSCArgument]) -> Bool {
        count == other.count
            && zip(self, other).allSatisfy { one, two in
                guard case .float(let a) = one, case .float(let b) = two else { return one == two }
                return abs(a - b) <= 1e-5 * Swift.max(1, abs(a))
            }
    }
}
