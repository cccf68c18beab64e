import OSC
import Patches
import Playback

/// A value set by a peer. The others are sent it; the peer itself only if it came out different, or once it has stopped moving it.
struct SentValue {
    let key: AddressTable.Key
    let source: PeerAddress?
    let peer: Peer
    /// The address's value had it been accepted unchanged; `nil` if it was refused.
    let asSent: [Argument]?
}

/// Queues the changes of a state for each subscriber.
extension RemoteServer {
    /// Seconds between two comparisons of values that move by themselves (layers moved by chapters, clocks); a little less than two ticks.
    private static let movingInterval = 0.045

    func tellChanges(includingMoving: Bool) {
        defer {
            sentValues = []
            finishedAtOnce = []
        }
        hasNews = false
        let watchers = watchers
        guard !watchers.isEmpty else {
            told = nil
            return
        }
        let snapshot = snapshot
        surface.adopt(snapshot.player)
        let changed = surface.refresh(watchers.keys, table, reading(), includingMoving: includingMoving)
        if includingMoving { movingComparedAt = now.seconds }
        tellReleased(snapshot, since: told)
        tellSelected(snapshot, since: told)
        for sent in sentValues { takeIntoAccount(sent, changed) }
        for (topic, peers) in watchers {
            for key in surface.members(of: topic, table, snapshot.player).keys where changed.contains(key) {
                for peer in peers { tell(peer, key) }
            }
        }
        if snapshot.nowPlaying != told?.nowPlaying {
            for peer in watchers[.group(.now)] ?? [] { peer.outbox.addNowPlaying() }
        }
        if let told, !told.player.hasSameItem(as: snapshot.player) {
            for peer in watchers[.group(.layers)] ?? [] { queueSnapshot(of: .group(.layers), for: peer) }
        }
        tellRamps(snapshot, since: told, to: watchers[.group(.layers)] ?? [])
        told = snapshot
        for peer in peers.peers.values { flush(peer) }
    }

    private var watchers: [Topic: [Peer]] {
        var watchers: [Topic: [Peer]] = [:]
        for peer in peers.peers.values {
            for subscription in peer.subscriptions { watchers[subscription.topic, default: []].append(peer) }
        }
        return watchers
    }

    /// Queues all values of a topic, then its end. The values are looked up when the packets are made.
    func queueSnapshot(of topic: Topic, for peer: Peer) {
        switch topic {
        case .group(.now): peer.outbox.addNowPlaying()
        case .tick: peer.outbox.addTick()
        case .meters: peer.outbox.addMeter()
        case .group, .pattern:
            surface.adopt(snapshot.player)
            for key in surface.members(of: topic, table, snapshot.player).keys { peer.outbox.add(key) }
        }
        peer.outbox.add(Message("\(AddressTable.root)/snapshot/end", [.text(topic.name)]))
    }

    private func takeIntoAccount(_ sent: SentValue, _ changed: Set<AddressTable.Key>) {
        // A surface that gets feedback on a separate port sends from another one: only the address is the same.
        let surfaces = peers.peers.values.filter { surface in
            surface.isPermanent && surface !== sent.peer && surface.endpoint.endpoint?.host == sent.source?.endpoint?.host
        }
        for peer in [sent.peer] + surfaces {
            let isSubscribed = peer.subscriptions.contains { surface.members(of: $0.topic, table, snapshot.player).set.contains(sent.key) }
            guard isSubscribed, !isHeld(sent.key, by: peer) else { continue }
            guard let expected = sent.asSent?.prefix(table.row(sent.key).outputCount), let value = surface.values[sent.key],
                value.isAlike(Array(expected))
            else {
                peer.outbox.echoes[sent.key] = nil
                peer.outbox.add(sent.key)
                continue
            }
            // A set that changed nothing is not echoed; otherwise two programs subscribed to each other would loop.
            guard changed.contains(sent.key) || peer.outbox.echoes[sent.key] != nil else { continue }
            peer.outbox.echoes[sent.key] = .init(expected: Array(expected), due: now.seconds + Outbox.echoDelay)
        }
    }

    private func tell(_ peer: Peer, _ key: AddressTable.Key) {
        if isHeld(key, by: peer) { return }
        if let echo = peer.outbox.echoes[key] {
            if let value = surface.values[key], value.isAlike(echo.expected) { return }
            peer.outbox.echoes[key] = nil
        }
        peer.outbox.add(key)
    }

    /// Queues what time requires: moving layers, held echoes, clocks, meters and `alive` messages.
    func sendWhatIsDue() {
        let player = peers.peers.values.contains { !$0.subscriptions.isEmpty } ? snapshot.player : PlayerState()
        let isMoving = player.playback == .playing && player.patch.map { !$0.chapters.isEmpty || !$0.cues.isEmpty } ?? false
        let isTime = now.seconds - movingComparedAt >= Self.movingInterval
        tellChanges(includingMoving: hasNews || isTime && (isMoving || surface.holdsClock))
        for peer in peers.peers.values where !peer.subscriptions.isEmpty {
            for (key, echo) in peer.outbox.echoes where echo.due <= now.seconds {
                peer.outbox.echoes[key] = nil
                if !isHeld(key, by: peer) { peer.outbox.add(key) }
            }
            queueClocks(for: peer)
            flush(peer)
            if !peer.isPermanent, peer.outbox.nextAlive <= now.seconds { sendAlive(to: peer) }
        }
    }

    private func queueClocks(for peer: Peer) {
        for (index, subscription) in peer.subscriptions.enumerated() {
            guard let interval = subscription.topic.interval, subscription.nextSending <= now.seconds else { continue }
            // On a grid, so that the rate is right on average; missed messages are not made up for after a pause.
            let next = subscription.nextSending + interval
            peer.subscriptions[index].nextSending = next > now.seconds ? next : now.seconds + interval
            if case .tick = subscription.topic { peer.outbox.addTick() } else { peer.outbox.addMeter() }
        }
    }
}

extension PlayerState {
    func hasSameItem(as other: PlayerState) -> Bool {
        currentIndex == other.currentIndex && current?.reference == other.current?.reference
            && patch?.layers.map(\.kind) == other.patch?.layers.map(\.kind)
    }
}
