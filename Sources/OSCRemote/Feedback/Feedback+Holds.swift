import OSC
import Playback

/// Values that a peer holds are not sent to it until it releases them.
extension Feedback {
    func isHeld(_ key: AddressTable.Key, by peer: Peer) -> Bool {
        let held = state.snapshot.player.held
        guard !held.isEmpty else { return false }
        return faders(of: key).contains { fader in held[fader].map { isHand(of: $0, peer) } ?? false }
    }

    /// Sends released values to the peers that held them.
    func reportReleased(_ snapshot: Snapshot, since reported: Snapshot?) {
        guard let reported, reported.player.held != snapshot.player.held else { return }
        let released = reported.player.held.filter { snapshot.player.held[$0.key]?.holder != $0.value.holder }
        for peer in peers.all {
            let mine = Set(released.filter { isHand(of: $0.value, peer) }.keys)
            guard !mine.isEmpty else { continue }
            for subscription in peer.subscriptions {
                for key in watched.members(of: subscription.topic, table, snapshot.player).keys
                where !mine.isDisjoint(with: faders(of: key)) {
                    peer.outbox.echoes[key] = nil
                    peer.outbox.add(key)
                }
            }
        }
    }

    /// Sends the addresses of the newly selected layer to peers that held something, since these values were withheld from them.
    func reportSelected(_ snapshot: Snapshot, since reported: Snapshot?) {
        guard let reported, reported.player.selectedLayer != snapshot.player.selectedLayer else { return }
        for peer in peers.all where reported.player.held.values.contains(where: { isHand(of: $0, peer) }) {
            for subscription in peer.subscriptions {
                for key in watched.members(of: subscription.topic, table, snapshot.player).keys
                where key.layer == .selected && !isHeld(key, by: peer) { peer.outbox.add(key) }
            }
        }
    }

    /// A surface that gets feedback on a separate port touches from another one: only the address is the same.
    private func isHand(of held: HeldFader, _ peer: Peer) -> Bool {
        if held.holder == peer.holds.sender { return true }
        guard peer.isPermanent, let host = peer.endpoint.endpoint?.host else { return false }
        return held.holder.flatMap { Endpoint($0) }?.host == host
    }

    private func faders(of key: AddressTable.Key) -> [Fader] {
        table.row(key).faders(layer: key.layer?.index(in: state.snapshot.player))
    }
}
