import OSC
import Playback

/// What lasts as long as a peer holds it: the one button, a seek, a control.
extension RemoteServer {
    /// Handles a phone's acceleration in g. Peers that may not give commands are ignored.
    func feel(_ peer: Peer, x: Double, y: Double, z: Double) {
        guard peer.shakes.isShake(x: x, y: y, z: z, at: now.seconds), peer.role >= .control, reading().shakeCommand != nil else { return }
        give(.shake, from: peer.hand) { [logger] result in
            if result.status != .success { logger.info("OSC: shake failed: \(result.message)") }
        }
    }

    func noteHold(_ command: Command, by peer: Peer) {
        switch command {
        case .button(let isDown):
            // There is one button for all peers.
            for other in peers.peers.values { other.pressesButton = false }
            peer.pressesButton = isDown
        case .seek(let direction, let begins): peer.heldSeek = begins ? direction : nil
        case .touch(let fader, true): peer.touched.insert(fader)
        case .touch(let fader, false): peer.touched.remove(fader)
        case .touchTogether(let faders, true): peer.touched.formUnion(faders)
        case .touchTogether(let faders, false): peer.touched.subtract(faders)
        default: break
        }
    }

    /// Only peers with a lease may touch a control, since the end of the lease releases it.
    func refuseTouch(_ commands: [Command], of peer: Peer) throws(Refusal) {
        let touches = commands.contains {
            switch $0 {
            case .touch(_, true), .touchTogether(_, true): true
            default: false
            }
        }
        if touches, !peers.isKept(peer) { throw Refusal(.queueFull, "There are already \(PeerTable.maximumCount) peers: end one of them.") }
    }

    /// Releases everything that a peer held, since it is gone.
    func endHolds(of peer: Peer) {
        var ends = peer.touched.map { Command.touch($0, false) }
        if let direction = peer.heldSeek { ends.append(.seek(direction, begins: false)) }
        if peer.pressesButton { ends.append(.button(isDown: false)) }
        guard !ends.isEmpty else { return }
        peer.heldSeek = nil
        peer.pressesButton = false
        peer.touched = []
        for command in ends { give(command, from: peer.hand) { _ in } }
    }

    /// Transfers holds and waiting bundles when a peer gets its answers at another address.
    func moveHolds(of peer: Peer, to other: Peer) {
        schedule.hand(over: peer, to: other)
        guard peer.holdsSomething else { return }
        // The player knows the holds of the two under different names, so they cannot be merged.
        guard !other.holdsSomething else { return endHolds(of: peer) }
        (other.hand, other.heldSeek, other.touched, other.pressesButton) = (peer.hand, peer.heldSeek, peer.touched, peer.pressesButton)
        (peer.heldSeek, peer.touched, peer.pressesButton) = (nil, [], false)
    }

    // MARK: Values that a peer holds are not sent to it

    func isHeld(_ key: AddressTable.Key, by peer: Peer) -> Bool {
        guard !snapshot.player.held.isEmpty else { return false }
        return faders(of: key).contains { fader in snapshot.player.held[fader].map { isHand(of: $0, peer) } ?? false }
    }

    /// Sends released values to the peers that held them.
    func tellReleased(_ snapshot: Snapshot, since told: Snapshot?) {
        guard let told, told.player.held != snapshot.player.held else { return }
        let released = told.player.held.filter { snapshot.player.held[$0.key]?.holder != $0.value.holder }
        for peer in peers.peers.values {
            let mine = Set(released.filter { isHand(of: $0.value, peer) }.keys)
            guard !mine.isEmpty else { continue }
            for subscription in peer.subscriptions {
                for key in surface.members(of: subscription.topic, table, snapshot.player).keys
                where !mine.isDisjoint(with: faders(of: key)) {
                    peer.outbox.echoes[key] = nil
                    peer.outbox.add(key)
                }
            }
        }
    }

    /// Sends the addresses of the newly selected layer to peers that held something, since these values were withheld from them.
    func tellSelected(_ snapshot: Snapshot, since told: Snapshot?) {
        guard let told, told.player.selectedLayer != snapshot.player.selectedLayer else { return }
        for peer in peers.peers.values where told.player.held.values.contains(where: { isHand(of: $0, peer) }) {
            for subscription in peer.subscriptions {
                for key in surface.members(of: subscription.topic, table, snapshot.player).keys
                where key.layer == .selected && !isHeld(key, by: peer) { peer.outbox.add(key) }
            }
        }
    }

    /// A surface that gets feedback on a separate port touches from another one: only the address is the same.
    private func isHand(of held: HeldFader, _ peer: Peer) -> Bool {
        if held.holder == peer.hand { return true }
        guard peer.isPermanent, let host = peer.endpoint.endpoint?.host else { return false }
        return held.holder.flatMap { Endpoint($0) }?.host == host
    }

    private func faders(of key: AddressTable.Key) -> [Fader] {
        table.row(key).faders(layer: key.layer?.index(in: snapshot.player))
    }
}
