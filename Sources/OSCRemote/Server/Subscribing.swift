import OSC
import Playback

extension RemoteServer {
    func subscribe(_ peer: Peer, _ request: Request) throws(Refusal) {
        guard let topic = Topic(request.text(0) ?? "") else {
            throw Refusal(.badArguments, "Expected a topic: now commands layers mixer session jack log tick/HZ meters/MS /PATTERN.")
        }
        guard canTell(topic) else {
            throw Refusal(
                .unknownAddress,
                "Nothing matches: for jack/*, session/* and preferences/* use the topics jack and session.")
        }
        try check(cookie: request.text(3), of: peer)
        let subscriber = try self.subscriber(peer, port: UInt16(request.integer(1) ?? 0))
        let asked = Double(request.integer(2) ?? 0)
        let lease = asked > 0 ? min(asked, Peer.longestLease) : Peer.defaultLease
        let id: Int32
        if let index = subscriber.subscriptions.firstIndex(where: { $0.topic == topic }) {
            subscriber.subscriptions[index].lease = lease
            id = subscriber.subscriptions[index].id
        } else {
            guard subscriber.subscriptions.count < Peer.maximumSubscriptionCount else {
                throw Refusal(.queueFull, "A peer may subscribe to at most \(Peer.maximumSubscriptionCount) topics: unsubscribe from one.")
            }
            id = subscribe(subscriber, to: topic, lease: lease)
        }
        answer(
            subscriber, "subscribed",
            [.text(topic.name), .int32(id), .int32(Int32(lease)), .int32(Int32(subscriber.endpoint.endpoint?.port ?? 0))])
        queueSnapshot(of: topic, for: subscriber)
        hasNews = true
    }

    /// Adds a surface configured at the start.
    func addFeedbackPeer(_ surface: FeedbackPeer) {
        let role = configuration.role(of: .udp(surface.endpoint)) ?? .view
        let peer = Peer(.udp(surface.endpoint), role: role, isPermanent: true, at: now.seconds)
        guard peers.add(peer) else { return logger.error("OSC: too many peers: the feedback peer \(surface.endpoint) was not added.") }
        for topic in surface.topics {
            if !canTell(topic) {
                logger.warning("OSC: the feedback peer \(surface.endpoint) cannot subscribe to \(topic.name): there is no such address.")
            }
            _ = subscribe(peer, to: topic, lease: .infinity)
        }
        hasNews = true
    }

    private func canTell(_ topic: Topic) -> Bool {
        guard case .pattern(let text) = topic, let pattern = try? AddressPattern(text) else { return true }
        return table.canTell(pattern)
    }

    func unsubscribe(_ peer: Peer, _ request: Request) throws(Refusal) {
        guard let name = request.text(0) else {
            let names = peer.subscriptions.map(\.topic.name)
            peer.subscriptions = []
            for name in names { answer(peer, "unsubscribed", [.text(name)]) }
            return
        }
        guard let topic = Topic(name) else { throw Refusal(.badArguments, "There is no such topic: send it as it was subscribed.") }
        peer.subscriptions.removeAll { $0.topic == topic }
        answer(peer, "unsubscribed", [.text(topic.name)])
    }

    private func subscribe(_ peer: Peer, to topic: Topic, lease: Double) -> Int32 {
        let id = nextSubscriptionID
        nextSubscriptionID &+= 1
        peer.subscriptions.append(.init(id: id, topic: topic, lease: lease, nextSending: now.seconds + (topic.interval ?? 0)))
        return id
    }

    /// The peer itself, or the one at the port that it asks for; throws 413 if there is no room.
    private func subscriber(_ peer: Peer, port: UInt16) throws(Refusal) -> Peer {
        let full = Refusal(.queueFull, "There are already \(PeerTable.maximumCount) subscribed peers: end one of them.")
        guard peer.endpoint.canBeAnswered else { throw Refusal(.badArguments, "An unnamed socket cannot be answered: bind it to a path.") }
        guard port != 0, let source else {
            makeRoom(for: peer.endpoint)
            guard peers.isKept(peer) || peers.add(peer) else { throw full }
            return peer
        }
        guard var endpoint = source.endpoint else {
            throw Refusal(.badArguments, "Feedback to a Unix socket goes to its own path: omit the port, or send 0.")
        }
        guard !(source.isLocal && port == configuration.identity.port) else {
            throw Refusal(.badArguments, "Port \(port) is the server's own: send the one that you listen on.")
        }
        endpoint.port = port
        makeRoom(for: .udp(endpoint))
        guard let subscriber = peers.redirect(peer, heardAt: source, to: .udp(endpoint), at: now.seconds) else { throw full }
        guard peers.isKept(subscriber) || peers.add(subscriber) else { throw full }
        if subscriber !== peer {
            moveHolds(of: peer, to: subscriber)
            if peer.subscriptions.isEmpty { peers.remove(peer) }
        }
        return subscriber
    }

    func endLeases() {
        for peer in peers.peers.values where !peer.isPermanent {
            let (live, ended) = peer.subscriptions.partitioned { peer.lastHeard + $0.lease > now.seconds }
            peer.subscriptions = live
            for subscription in ended { answer(peer, "expired", [.text(subscription.topic.name)]) }
            // A peer whose subscriptions have all ended is forgotten even before the default lease is over.
            if peer.expiry <= now.seconds || (live.isEmpty && !ended.isEmpty) { forget(peer) }
        }
    }
}

extension Array {
    fileprivate func partitioned(_ isFirst: (Element) -> Bool) -> (first: [Element], second: [Element]) {
        (filter(isFirst), filter { !isFirst($0) })
    }
}
