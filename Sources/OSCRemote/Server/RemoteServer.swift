import Logging
import OSC
import Playback

/// The remote control: packets in, packets out, commands to the receiver, feedback to subscribers.
///
/// Not thread-safe: it belongs to the control actor. It opens no socket and reads no clock: bytes, addresses and times are passed in, bytes
/// and addresses are passed to `send`. Call ``changed(at:)`` after every change of state, and ``tick(at:)`` every 25 ms or so.
package final class RemoteServer {
    let table = AddressTable.standard
    private(set) var configuration: RemoteConfiguration
    let logger: Logger
    var peers = PeerTable()
    var surface = Surface()
    var schedule = BundleSchedule()
    /// The time of the current call.
    var now = Instant(seconds: 0, timeTag: .immediate)
    /// The sender of the current packet.
    var source: PeerAddress?
    /// When the current packet arrived.
    var arrival = TimeTag.immediate
    /// The number of messages in the current packet that were answers of a server.
    var ignoredAnswers = 0
    /// The values set by the current packet, which are reported differently to their sender.
    var sentValues: [SentValue] = []
    /// The snapshot that was last reported to the peers, and when the values that move by themselves were last compared.
    var told: Snapshot?
    var movingComparedAt = -Double.infinity
    /// Whether something may have changed since the last comparison.
    var hasNews = false
    var nextSubscriptionID: Int32 = 1
    /// Commands that must wait for the end of the bundle.
    var postponed: [() -> Void] = []
    var isInBundle = false
    /// The group of the ramps in the current bundle, whose end is reported together.
    var rampGroup: RampGroup?
    /// Ids of bundles that have started no ramp; their end is reported together with their effects.
    var finishedAtOnce: [Int32] = []
    var bundleNumber = 0
    var gates = Gates()
    package internal(set) var statistics = Statistics()

    private let receiverReference: Weak
    let send: ([UInt8], PeerAddress) -> Void
    let cookies = Cookies()
    var strangerBudget = TokenBucket(perSecond: RemoteServer.answersToStrangers, burst: RemoteServer.answersToStrangers)
    private var depth = 0
    /// Limits comparisons during a flood of packets; beyond it, changes wait for the next tick.
    private var comparisons = TokenBucket(perSecond: 200, burst: 50)
    /// The budget shared by all peers for which the table had no room.
    var crowdErrorBudget = TokenBucket(perSecond: Peer.errorsPerSecond, burst: Peer.errorsPerSecond)
    /// The present snapshot; taken again after every change, and for every bundle.
    var freshSnapshot: Snapshot? {
        didSet { freshNowPlaying = nil }
    }
    /// The snapshot's now-playing messages, made once for all subscribers.
    var freshNowPlaying: [[UInt8]]?
    private var strangers = Complaint(interval: 60)
    private var malformed = Complaint(interval: 1)

    package struct Statistics: Equatable, Sendable {
        package var malformedPackets = 0
        /// Packets from addresses that are not allowed.
        package var strangersPackets = 0
        /// Bundles that came too late for their frame.
        package var lateBundles = 0
        /// Packets for Unix sockets without a name.
        package var unanswered = 0
        /// Bundles that were too far ahead, or for which there was no room.
        package var refusedBundles = 0
    }

    /// The receiver owns the server, so the reference back is weak.
    private struct Weak {
        weak let receiver: (any CommandReceiver)?
    }

    /// - Parameter send: Sends a packet to the network without waiting.
    package init(
        _ configuration: RemoteConfiguration, receiver: any CommandReceiver, logger: Logger, send: @escaping ([UInt8], PeerAddress) -> Void
    ) {
        self.configuration = configuration
        self.logger = logger
        self.send = send
        receiverReference = Weak(receiver: receiver)
        for surface in configuration.feedback { addFeedbackPeer(surface) }
    }

    var receiver: (any CommandReceiver)? { receiverReference.receiver }

    // MARK: What the owner calls

    /// Changes the name reported by `info`.
    package func rename(_ name: String) { configuration.identity.name = name }

    /// Handles a packet; `arrived` is when it reached this machine, if known.
    package func receive(_ bytes: [UInt8], from source: PeerAddress, at now: Instant, arrived: TimeTag? = nil) {
        self.now = now
        arrival = arrived ?? now.timeTag
        freshSnapshot = nil
        guard let role = configuration.role(of: source) else {
            statistics.strangersPackets += 1
            if let count = strangers.add(at: now.seconds) {
                logger.warning("OSC: \(count) packets from addresses not in --osc-allow were refused, the last one from \(source).")
            }
            if let host = source.endpoint?.host { answerStranger(bytes, host, source) }
            return
        }
        self.source = source
        makeRoom(for: source)
        let heardBefore = peers.lastHeard(at: source)
        let peer = peers.peer(at: source, role: role, at: now.seconds)
        ignoredAnswers = 0
        process {
            do throws(PacketError) {
                let packet = try Packet(decoding: bytes)
                apply(packet, from: peer)
                // A peer that sends only answers does not renew its lease; otherwise two programs subscribed to each other would never end.
                if let heardBefore, ignoredAnswers > 0, ignoredAnswers == packet.messageCount { peer.lastHeard = heardBefore }
            } catch {
                refuseMalformed(error, source, peer)
            }
        }
        self.source = nil
    }

    /// Handles a report of the network that nobody is at an address.
    package func unreachable(_ endpoint: PeerAddress, at now: Instant) {
        self.now = now
        guard let peer = peers.peers[endpoint], !peer.isPermanent else { return }
        peer.unreachableCount += 1
        guard peer.unreachableCount >= Peer.unreachableLimit else { return }
        logger.info("OSC: \(endpoint) is unreachable and was removed.")
        forget(peer)
    }

    /// Call when the player, or anything else that surfaces show, may have changed.
    package func changed(at now: Instant) {
        self.now = now
        freshSnapshot = nil
        process { hasNews = true }
    }

    /// Handles the passing of time: due bundles, ended leases, clocks and meters.
    package func tick(at now: Instant) {
        self.now = now
        arrival = now.timeTag
        freshSnapshot = nil
        process { runDueBundles() }
        endLeases()
        sendWhatIsDue()
    }

    /// When the next waiting bundle is to be handled; `nil` if none waits. Call ``tick(at:)`` at that time to be punctual.
    package var nextDue: TimeTag? { schedule.nextDue?.advanced(bySeconds: -(receiver?.lead ?? 0)) }

    /// Sends `bye` to all subscribers.
    package func close(reason: String, at now: Instant) {
        self.now = now
        for peer in peers.peers.values where !peer.subscriptions.isEmpty { answer(peer, "bye", [.text(reason)]) }
        for peer in peers.peers.values { forget(peer) }
    }

    // MARK: Inside

    /// Runs something that may change the player, and afterwards informs the peers.
    func process(_ body: () -> Void) {
        depth += 1
        body()
        depth -= 1
        if depth == 0, hasNews, comparisons.take(at: now.seconds) { tellChanges(includingMoving: true) }
    }

    /// The present snapshot, taken once for as long as nothing changes.
    var snapshot: Snapshot {
        if let freshSnapshot { return freshSnapshot }
        let snapshot = receiver?.snapshot() ?? Snapshot()
        freshSnapshot = snapshot
        return snapshot
    }

    func noteChange() {
        freshSnapshot = nil
        hasNews = true
    }

    func reading(for peer: Peer? = nil) -> Reading {
        Reading(
            snapshot: snapshot, identity: configuration.identity, replies: peer?.replies ?? 1,
            bundles: .init(waiting: schedule.bundleCount, late: statistics.lateBundles, refused: statistics.refusedBundles))
    }

    func transmit(_ bytes: [UInt8], to peer: Peer) {
        guard peer.endpoint.canBeAnswered else {
            statistics.unanswered += 1
            return
        }
        send(bytes, peer.endpoint)
    }

    func takeErrorBudget(of peer: Peer) -> Bool {
        peers.isKept(peer) ? peer.errorBudget.take(at: now.seconds) : crowdErrorBudget.take(at: now.seconds)
    }

    func makeRoom(for source: PeerAddress) {
        if let idle = peers.peerToEvict(for: source, schedule) { forget(idle) }
    }

    func forget(_ peer: Peer) {
        endHolds(of: peer)
        for entry in schedule.removeAll(of: peer) { finish(entry.messages, from: peer) }
        peers.remove(peer)
    }

    private func refuseMalformed(_ error: PacketError, _ source: PeerAddress, _ peer: Peer) {
        statistics.malformedPackets += 1
        if let count = malformed.add(at: now.seconds) {
            logger.warning("OSC: \(count) malformed packets, the last one from \(source): \(error)")
        }
        reply(to: peer, error.address ?? "", CommandResult(.badArguments, "\(error)"))
    }
}

extension Packet {
    /// The number of messages, including those of inner bundles.
    fileprivate var messageCount: Int {
        switch self {
        case .message: 1
        case .bundle(let bundle): bundle.elements.reduce(0) { $0 + $1.messageCount }
        }
    }
}

/// Limits log messages to one per interval, which gives the number of occurrences.
struct Complaint {
    let interval: Double
    private var count = 0
    private var last = -Double.infinity

    init(interval: Double) { self.interval = interval }

    /// - Returns: The number of occurrences since the last log message, if one is due.
    mutating func add(at seconds: Double) -> Int? {
        count += 1
        guard seconds - last >= interval else { return nil }
        last = seconds
        defer { count = 0 }
        return count
    }
}
