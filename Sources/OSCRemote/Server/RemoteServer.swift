import Logging
import OSC
import Playback

/// The remote control: packets in, packets out, commands to the receiver, feedback to who has asked for it.
///
/// Not for more than one thread: it belongs to the control actor. It opens no socket and reads no clock: bytes, addresses and instants
/// come in, bytes and addresses go out through `send`. After every change of state it wants ``changed(at:)``, and ``tick(at:)`` every
/// 25 ms or so.
package final class RemoteServer {
    let table = AddressTable.standard
    private(set) var configuration: RemoteConfiguration
    let logger: Logger
    var peers = PeerTable()
    var surface = Surface()
    var schedule = BundleSchedule()
    /// The instant of the call that is being answered.
    var now = Instant(seconds: 0, timeTag: .immediate)
    /// Where the packet that is being answered came from.
    var source: PeerAddress?
    /// When it came.
    var arrival = TimeTag.immediate
    /// Messages of the packet that is being answered that were answers themselves.
    var ignoredAnswers = 0
    /// Sets of the packet that is being answered, whose senders are told apart from the others.
    var sentValues: [SentValue] = []
    /// What the peers were told last, and when that of it was compared which may move by itself.
    var told: Snapshot?
    var movingComparedAt = -Double.infinity
    /// Something may have changed since the last comparison.
    var hasNews = false
    var nextSubscriptionID: Int32 = 1
    /// Commands that must not run inside of a bundle.
    var postponed: [() -> Void] = []
    var isInBundle = false
    /// What the ramps of the bundle that is being applied are told the end of together.
    var rampGroup: RampGroup?
    /// Ids of bundles that have begun no ramp: they are told to have finished with what they did.
    var finishedAtOnce: [Int32] = []
    var bundleNumber = 0
    var gates = Gates()
    package internal(set) var statistics = Statistics()

    private let receiverReference: Weak
    let send: ([UInt8], PeerAddress) -> Void
    let cookies = Cookies()
    var strangerBudget = TokenBucket(perSecond: RemoteServer.answersToStrangers, burst: RemoteServer.answersToStrangers)
    private var depth = 0
    /// So that a flood of packets does not make a flood of comparisons; beyond these, changes wait for the next tick.
    private var comparisons = TokenBucket(perSecond: 200, burst: 50)
    /// Of all those for whom there was no room in the table.
    var crowdErrorBudget = TokenBucket(perSecond: Peer.errorsPerSecond, burst: Peer.errorsPerSecond)
    /// Taken anew after every change, and for every bundle.
    var freshSnapshot: Snapshot? {
        didSet { freshNowPlaying = nil }
    }
    /// The messages of the snapshot's now playing, made once for all who are told.
    var freshNowPlaying: [[UInt8]]?
    private var strangers = Complaint(interval: 60)
    private var malformed = Complaint(interval: 1)

    package struct Statistics: Equatable, Sendable {
        package var malformedPackets = 0
        /// From addresses that may not talk to us.
        package var strangersPackets = 0
        /// Bundles that could not take effect on their frame any more.
        package var lateBundles = 0
        /// Packets for a Unix socket that has no name.
        package var unanswered = 0
        /// Bundles too far ahead, or for which there was no room.
        package var refusedBundles = 0
    }

    /// The receiver owns the server, not the other way round.
    private struct Weak {
        weak let receiver: (any CommandReceiver)?
    }

    /// - Parameter send: Hands a packet to the network without waiting.
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

    /// `info` tells another name from now on.
    package func rename(_ name: String) { configuration.identity.name = name }

    /// A packet has come; `arrived` is when it came to this machine, if that is known.
    package func receive(_ bytes: [UInt8], from source: PeerAddress, at now: Instant, arrived: TimeTag? = nil) {
        self.now = now
        arrival = arrived ?? now.timeTag
        freshSnapshot = nil
        guard let role = configuration.role(of: source) else {
            statistics.strangersPackets += 1
            if let count = strangers.add(at: now.seconds) {
                logger.warning("OSC: \(count) packets from addresses that --osc-allow does not name, the last one from \(source).")
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
                // Nobody listens who only answers: two programs that tell each other would go on for ever.
                if let heardBefore, ignoredAnswers > 0, ignoredAnswers == packet.messageCount { peer.lastHeard = heardBefore }
            } catch {
                refuseMalformed(error, source, peer)
            }
        }
        self.source = nil
    }

    /// The network says that nobody is at an address.
    package func unreachable(_ endpoint: PeerAddress, at now: Instant) {
        self.now = now
        guard let peer = peers.peers[endpoint], !peer.isPermanent else { return }
        peer.unreachableCount += 1
        guard peer.unreachableCount >= Peer.unreachableLimit else { return }
        logger.info("OSC: \(endpoint) has gone.")
        forget(peer)
    }

    /// The player, or anything else that surfaces show, may have changed.
    package func changed(at now: Instant) {
        self.now = now
        freshSnapshot = nil
        process { hasNews = true }
    }

    /// Time has passed: bundles fall due, leases end, clocks and meters are sent.
    package func tick(at now: Instant) {
        self.now = now
        arrival = now.timeTag
        freshSnapshot = nil
        process { runDueBundles() }
        endLeases()
        sendWhatIsDue()
    }

    /// When a waiting bundle has to be looked after; `nil` when none waits. A ``tick(at:)`` at that time makes it punctual.
    package var nextDue: TimeTag? { schedule.nextDue?.advanced(bySeconds: -(receiver?.lead ?? 0)) }

    /// Says goodbye to all subscribers.
    package func close(reason: String, at now: Instant) {
        self.now = now
        for peer in peers.peers.values where !peer.subscriptions.isEmpty { answer(peer, "bye", [.text(reason)]) }
        for peer in peers.peers.values { forget(peer) }
    }

    // MARK: Inside

    /// Does something that may change the player, and afterwards tells who has to know.
    func process(_ body: () -> Void) {
        depth += 1
        body()
        depth -= 1
        if depth == 0, hasNews, comparisons.take(at: now.seconds) { tellChanges(includingMoving: true) }
    }

    /// Taken once for as long as nothing changes.
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
    /// Those of inner bundles counted with it.
    fileprivate var messageCount: Int {
        switch self {
        case .message: 1
        case .bundle(let bundle): bundle.elements.reduce(0) { $0 + $1.messageCount }
        }
    }
}

/// Logs no more often than every so many seconds, and says how often it would have.
struct Complaint {
    let interval: Double
    private var count = 0
    private var last = -Double.infinity

    init(interval: Double) { self.interval = interval }

    /// - Returns: How many there were since the last line, when it is time for a line.
    mutating func add(at seconds: Double) -> Int? {
        count += 1
        guard seconds - last >= interval else { return nil }
        last = seconds
        defer { count = 0 }
        return count
    }
}
