import Logging
import OSC
import Playback

/// The peers' subscriptions and leases, and the cleanup when a peer is forgotten.
final class Subscriptions {
    private let table: AddressTable
    private let state: CurrentState
    private let peers: PeerTable
    private let schedule: BundleSchedule
    private let admission: Admission
    private let answers: AnswerSender
    private let feedback: Feedback
    private let commands: CommandPerformer
    private let logger: Logger
    private var nextID: Int32 = 1

    init(
        table: AddressTable, state: CurrentState, peers: PeerTable, schedule: BundleSchedule, admission: Admission, answers: AnswerSender,
        feedback: Feedback, commands: CommandPerformer, logger: Logger
    ) {
        self.table = table
        self.state = state
        self.peers = peers
        self.schedule = schedule
        self.admission = admission
        self.answers = answers
        self.feedback = feedback
        self.commands = commands
        self.logger = logger
    }

    func subscribe(_ request: OSCRequest, _ context: PacketContext) throws(Refusal) {
        guard let topic = Topic(request.text(0) ?? "") else {
            throw Refusal(.badArguments, "Expected a topic: now commands layers mixer session jack log tick/HZ meters/MS /PATTERN.")
        }
        guard canSend(topic) else {
            throw Refusal(
                .unknownAddress,
                "Nothing matches: for jack/*, session/* and preferences/* use the topics jack and session.")
        }
        try admission.check(cookie: request.text(3), in: context)
        if topic.isPattern {
            try admission.charge(forPatternOf: context.peer, at: context.now.seconds) { () throws(Refusal) in feedback.count(of: topic) }
        }
        let subscriber = try self.subscriber(context, port: UInt16(request.integer(1) ?? 0))
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
        answers.answer(
            subscriber, "subscribed",
            [.text(topic.name), .int32(id), .int32(Int32(lease)), .int32(Int32(subscriber.endpoint.endpoint?.port ?? 0))])
        feedback.queueSnapshot(of: topic, for: subscriber)
        feedback.requestComparison()
    }

    /// Adds a surface configured at the start.
    func addFeedbackPeer(_ configured: FeedbackPeer) {
        let role = admission.role(of: .udp(configured.endpoint)) ?? .view
        let peer = Peer(.udp(configured.endpoint), role: role, isPermanent: true, at: state.now.seconds)
        guard peers.add(peer) else { return logger.error("OSC: too many peers: the feedback peer \(configured.endpoint) was not added.") }
        for topic in configured.topics {
            if !canSend(topic) {
                logger.warning("OSC: the feedback peer \(configured.endpoint) cannot subscribe to \(topic.name): there is no such address.")
            }
            _ = subscribe(peer, to: topic, lease: .infinity)
        }
        feedback.requestComparison()
    }

    private func canSend(_ topic: Topic) -> Bool {
        guard case .pattern(let text) = topic, let pattern = try? AddressPattern(text) else { return true }
        return table.canSend(pattern)
    }

    func unsubscribe(_ peer: Peer, _ request: OSCRequest) throws(Refusal) {
        guard let name = request.text(0) else {
            let names = peer.subscriptions.map(\.topic.name)
            peer.subscriptions = []
            for name in names { answers.answer(peer, "unsubscribed", [.text(name)]) }
            return
        }
        guard let topic = Topic(name) else { throw Refusal(.badArguments, "There is no such topic: send it as it was subscribed.") }
        peer.subscriptions.removeAll { $0.topic == topic }
        answers.answer(peer, "unsubscribed", [.text(topic.name)])
    }

    private func subscribe(_ peer: Peer, to topic: Topic, lease: Double) -> Int32 {
        let id = nextID
        nextID &+= 1
        peer.subscriptions.append(.init(id: id, topic: topic, lease: lease, nextSending: state.now.seconds + (topic.interval ?? 0)))
        return id
    }

    /// The peer itself, or the one at the port that it asks for; throws 413 if there is no room.
    private func subscriber(_ context: PacketContext, port: UInt16) throws(Refusal) -> Peer {
        let (peer, source) = (context.peer, context.source)
        let full = Refusal(.queueFull, "There are already \(PeerTable.maximumCount) subscribed peers: end one of them.")
        guard peer.endpoint.canBeAnswered else { throw Refusal(.badArguments, "An unnamed socket cannot be answered: bind it to a path.") }
        guard port != 0 else {
            makeRoom(for: peer.endpoint)
            guard peers.isKept(peer) || peers.add(peer) else { throw full }
            return peer
        }
        guard var endpoint = source.endpoint else {
            throw Refusal(.badArguments, "Feedback to a Unix socket or a WebSocket goes to that socket: omit the port, or send 0.")
        }
        guard !(source.isLocal && port == state.identity.port) else {
            throw Refusal(.badArguments, "Port \(port) is the server's own: send the one that you listen on.")
        }
        endpoint.port = port
        makeRoom(for: .udp(endpoint))
        guard let subscriber = peers.redirect(peer, heardAt: source, to: .udp(endpoint), at: context.now.seconds) else { throw full }
        guard peers.isKept(subscriber) || peers.add(subscriber) else { throw full }
        if subscriber !== peer {
            commands.moveHolds(of: peer, to: subscriber)
            if peer.subscriptions.isEmpty { peers.remove(peer) }
        }
        return subscriber
    }

    // MARK: Peers come and go

    func makeRoom(for source: PeerAddress) {
        if let idle = peers.peerToEvict(for: source, schedule) { forget(idle) }
    }

    func forget(_ peer: Peer) {
        commands.endHolds(of: peer)
        for entry in schedule.removeAll(of: peer) { feedback.finish(entry.messages, from: peer) }
        peers.remove(peer)
    }

    func endLeases() {
        let now = state.now.seconds
        for peer in peers.all where !peer.isPermanent {
            let (live, ended) = peer.subscriptions.partitioned { peer.lastHeard + $0.lease > now }
            peer.subscriptions = live
            for subscription in ended { answers.answer(peer, "expired", [.text(subscription.topic.name)]) }
            // A peer whose subscriptions have all ended is forgotten even before the default lease is over.
            if peer.expiry <= now || (live.isEmpty && !ended.isEmpty) { forget(peer) }
        }
    }
}

extension Array {
    fileprivate func partitioned(_ isFirst: (Element) -> Bool) -> (first: [Element], second: [Element]) {
        (filter(isFirst), filter { !isFirst($0) })
    }
}
