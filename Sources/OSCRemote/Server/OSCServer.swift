import Logging
import OSC
import Playback

/// The remote control: packets in, packets out, commands to the receiver, feedback to subscribers.
///
/// Not thread-safe: it belongs to control. It opens no socket and reads no clock: bytes, addresses and times are passed in, bytes
/// and addresses are passed to `send`. Call ``changed(at:)`` after every change of state, and ``tick(at:)`` at the times that
/// ``nextFeedback`` and ``nextDue`` give, at most every 20 ms.
package final class OSCServer {
    private let table = AddressTable.standard
    private let logger: Logger
    private let peers = PeerTable()
    private let schedule = BundleSchedule()
    private let state: CurrentState
    private let admission: Admission
    private let transmitter: Transmitter
    private let answers: AnswerSender
    let feedback: Feedback
    private let subscriptions: Subscriptions
    private let dispatcher: Dispatcher
    private let waiting = WaitingSenders()
    private var malformed = ThrottledLog(interval: 1)
    private var malformedCount = 0

    package struct Statistics: Equatable, Sendable {
        package var malformedPackets = 0
        /// The number of packets from addresses that are not allowed.
        package var strangersPackets = 0
        /// The number of bundles that came too late for their frame.
        package var lateBundles = 0
        /// The number of packets for Unix sockets without a name.
        package var unanswered = 0
        /// The number of bundles that were too far ahead, or for which there was no room.
        package var refusedBundles = 0
    }

    /// - Parameter send: Sends a packet to the network without waiting.
    package init(
        _ configuration: OSCServerConfiguration, receiver: any CommandReceiver, logger: Logger,
        send: @escaping ([UInt8], PeerAddress) -> Void
    ) {
        self.logger = logger
        transmitter = Transmitter(send: send)
        state = CurrentState(configuration.identity, receiver: receiver, schedule: schedule)
        admission = Admission(configuration, peers: peers, logger: logger)
        answers = AnswerSender(state: state, admission: admission, transmitter: transmitter)
        feedback = Feedback(table: table, state: state, peers: peers, admission: admission, transmitter: transmitter)
        let commands = CommandPerformer(
            state: state, peers: peers, schedule: schedule, admission: admission, answers: answers, feedback: feedback, waiting: waiting,
            logger: logger)
        subscriptions = Subscriptions(
            table: table, state: state, peers: peers, schedule: schedule, admission: admission, answers: answers, feedback: feedback,
            commands: commands, logger: logger)
        dispatcher = Dispatcher(
            table: table, state: state, peers: peers, schedule: schedule, admission: admission, answers: answers, feedback: feedback,
            commands: commands, subscriptions: subscriptions, honoursTimeTags: configuration.honoursTimeTags)
        for peer in configuration.feedback { subscriptions.addFeedbackPeer(peer) }
    }

    package var statistics: Statistics {
        Statistics(
            malformedPackets: malformedCount, strangersPackets: admission.strangersPackets, lateBundles: schedule.lateCount,
            unanswered: transmitter.unanswered, refusedBundles: schedule.refusedCount)
    }

    /// Whether somebody has subscribed to changes.
    package var hasSubscribers: Bool { peers.all.contains { !$0.subscriptions.isEmpty } }

    /// The address space as OSCQuery shows it now. Its values have no time tags, so those that change with time are of this moment.
    package var queryTree: QueryTree {
        state.invalidate()
        return QueryTree(table: table, reading: state.reading().atPresent, role: admission.localRole)
    }

    /// Changes the name reported by `info`.
    package func rename(_ name: String) { state.identity.name = name }

    /// Handles a packet; `arrived` is when it reached this machine, if known.
    package func receive(_ bytes: [UInt8], from source: PeerAddress, at now: Instant, arrived: TimeTag? = nil) {
        state.now = now
        state.invalidate()
        guard let role = admission.role(of: source) else {
            admission.countStranger(source, at: now.seconds)
            if let answer = admission.answer(toStranger: source, bytes, at: now.seconds) { transmitter.transmit(answer, to: source) }
            return
        }
        subscriptions.makeRoom(for: source)
        let heardBefore = peers.lastHeard(at: source)
        let peer = peers.peer(at: source, role: role, at: now.seconds)
        let context = PacketContext(peer: peer, source: source, now: now, arrival: arrived ?? now.timeTag)
        feedback.process {
            do throws(PacketError) {
                let packet = try OSCPacket(decoding: bytes)
                let ignored = dispatcher.apply(packet, context)
                // A peer that sends only answers does not renew its lease; otherwise two programs subscribed to each other would never end.
                if let heardBefore, ignored > 0, ignored == packet.messageCount { peer.lastHeard = heardBefore }
            } catch {
                refuseMalformed(error, context)
            }
        }
    }

    /// Whether a sender's packets wait until its change of session is done.
    func waits(_ sender: PeerAddress, at now: Instant) -> Bool { waiting.contains(sender, at: now.seconds) }

    func waitingSenders(at now: Instant) -> Set<PeerAddress> { waiting.all(at: now.seconds) }

    private func refuseMalformed(_ error: PacketError, _ context: PacketContext) {
        malformedCount += 1
        if let count = malformed.add(at: context.now.seconds) {
            logger.warning("OSC: \(count) malformed packets, the last one from \(context.source): \(error)")
        }
        answers.reply(to: context.peer, error.address ?? "", Refusal(.badArguments, "\(error)"))
    }

    /// Admits the client of a WebSocket, until ``closed(_:at:)``.
    ///
    /// - Parameter name: the name with which its device was paired; `nil` on this machine.
    package func opened(_ webSocket: PeerAddress, as role: Role, named name: String? = nil) {
        admission.add(webSocket: webSocket, as: role, named: name)
    }

    /// Forgets the client of a WebSocket, and releases what it held.
    package func closed(_ webSocket: PeerAddress, at now: Instant) {
        state.now = now
        state.invalidate()
        admission.remove(webSocket: webSocket)
        guard let peer = peers[webSocket] else { return }
        feedback.process { subscriptions.forget(peer) }
    }

    /// Handles the network's report that a packet could not be delivered. After several in a row, the peer is removed.
    package func unreachable(_ endpoint: PeerAddress, at now: Instant) {
        state.now = now
        guard let peer = peers[endpoint], !peer.isPermanent else { return }
        peer.unreachableCount += 1
        guard peer.unreachableCount >= Peer.unreachableLimit else { return }
        logger.info("OSC: \(endpoint) is unreachable and was removed.")
        subscriptions.forget(peer)
    }

    /// Call when the player, or anything else that clients see, may have changed.
    package func changed(at now: Instant) {
        state.now = now
        feedback.process { feedback.recordChange() }
    }

    /// Handles the passing of time: due bundles, ended leases, clocks and meters.
    package func tick(at now: Instant) {
        state.now = now
        state.invalidate()
        feedback.process { dispatcher.runDueBundles() }
        subscriptions.endLeases()
        feedback.sendWhatIsDue()
    }

    /// The time at which the next waiting bundle is to be handled; `nil` if none waits. Call ``tick(at:)`` at that time.
    package var nextDue: TimeTag? { schedule.nextDue?.advanced(bySeconds: -(state.receiver?.lead ?? 0)) }

    /// The time in seconds, as ``Instant/seconds``, at which time alone will have brought something to send to subscribers; `nil` if nothing will.
    /// Call ``tick(at:)`` at that time.
    package var nextFeedback: Double? { feedback.nextDue }

    /// Moves the value of an address below the root to a controller's position, on the curve of its normalized twin if it has one.
    ///
    /// - Parameters:
    ///   - sender: the name of the sender, by which undo and held controls distinguish senders.
    ///   - answer: gets the result; not called for a release without meaning.
    package func move(
        _ address: String, to position: ControllerPosition, by sender: String, at now: Instant, answer: @escaping (CommandResult) -> Void
    ) {
        state.now = now
        dispatcher.move(address, to: position, by: sender, answer: answer)
    }

    /// Sends an event to its subscribers.
    package func publish(_ event: FeedbackEvent, at now: Instant) {
        state.now = now
        feedback.report(event)
    }

    /// Drops cached data that can be recomputed, to save memory.
    package func dropCaches() { feedback.dropCaches() }

    /// Sends all subscribers what is queued for them, and `bye`.
    package func close(reason: String, at now: Instant) {
        state.now = now
        for peer in peers.all where !peer.subscriptions.isEmpty {
            feedback.flushAll(peer)
            answers.answer(peer, "bye", [.text(reason)])
        }
        for peer in peers.all { subscriptions.forget(peer) }
    }
}

extension OSCPacket {
    /// The number of messages, including those of inner bundles.
    fileprivate var messageCount: Int {
        switch self {
        case .message: 1
        case .bundle(let bundle): bundle.elements.reduce(0) { $0 + $1.messageCount }
        }
    }
}
