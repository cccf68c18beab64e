import OSC
import OperatingSystem
import Patches
import Playback

/// Reports changes of the state to subscribers: compares the watched values with those reported last, and queues what has changed.
final class Feedback {
    let table: AddressTable
    let state: CurrentState
    let peers: PeerTable
    let admission: Admission
    private let sender: FeedbackSender
    var watched = WatchedValues()
    /// The snapshot that was last reported, and when the values that move by themselves were last compared.
    private var reported: Snapshot?
    private var movingComparedAt = -Double.infinity
    /// Whether something may have changed since the last comparison.
    private(set) var needsComparison = false
    /// The values set since the last comparison, which are reported differently to their sender.
    private(set) var sentValues: [SentValue] = []
    /// Ids of bundles that have started no ramp; their end is reported together with their effects.
    var finishedAtOnce: [Int32] = []
    private var depth = 0
    /// Limits comparisons during a flood of packets; beyond it, changes wait for the next tick.
    private var comparisons = TokenBucket(perSecond: 200, burst: 50)

    /// The time in seconds between two comparisons of values that move by themselves (layers moved by chapters, clocks).
    private static let movingInterval = 0.045

    init(table: AddressTable, state: CurrentState, peers: PeerTable, admission: Admission, transmitter: Transmitter) {
        (self.table, self.state, self.peers, self.admission) = (table, state, peers, admission)
        sender = FeedbackSender(table: table, state: state, admission: admission, transmitter: transmitter)
    }

    /// Runs something that may change the player, and afterwards informs the peers.
    func process(_ body: () -> Void) {
        depth += 1
        body()
        depth -= 1
        guard depth == 0, needsComparison, comparisons.take(at: state.now.seconds) else { return }
        reportChanges(includingMoving: true)
        // Reading a thousand values takes milliseconds.
        comparisons.charge(min(Double(watched.values.count) / 500, 20), at: state.now.seconds)
    }

    /// Called when something that subscribers see may have changed, but not the player.
    func requestComparison() { needsComparison = true }

    /// Called when the player may have changed.
    func recordChange() {
        state.invalidate()
        needsComparison = true
    }

    func record(_ sent: SentValue) {
        sentValues.append(sent)
        needsComparison = true
    }

    /// Sends as much of what is queued for a peer as its budget allows.
    func flush(_ peer: Peer) { sender.flush(peer, watched) }

    /// Sends everything that is queued for a peer.
    func flushAll(_ peer: Peer) { sender.flushAll(peer, watched) }

    private func reportChanges(includingMoving: Bool) {
        defer {
            sentValues = []
            finishedAtOnce = []
        }
        needsComparison = false
        let watchers = watchers
        watched.keep(watchers.keys)
        guard !watchers.isEmpty else {
            reported = nil
            return
        }
        let snapshot = state.snapshot
        watched.adopt(snapshot.player)
        let changed = watched.refresh(watchers.keys, table, state.reading(), includingMoving: includingMoving)
        if includingMoving { movingComparedAt = state.now.seconds }
        reportReleased(snapshot, since: reported)
        reportSelected(snapshot, since: reported)
        for sent in latestSentValues { takeIntoAccount(sent, changed) }
        for (topic, peers) in watchers {
            for key in watched.members(of: topic, table, snapshot.player).keys where changed.contains(key) {
                for peer in peers { report(key, to: peer) }
            }
        }
        if snapshot.nowPlaying != reported?.nowPlaying {
            for peer in watchers[.group(.now)] ?? [] { peer.outbox.addNowPlaying() }
        }
        if let reported, !reported.player.hasSameItem(as: snapshot.player) {
            for peer in watchers[.group(.layers)] ?? [] { queueSnapshot(of: .group(.layers), for: peer) }
        }
        reportRamps(snapshot, since: reported, to: watchers[.group(.layers)] ?? [])
        reported = snapshot
        for peer in peers.all { flush(peer) }
    }

    private var watchers: [Topic: [Peer]] {
        var watchers: [Topic: [Peer]] = [:]
        for peer in peers.all {
            for subscription in peer.subscriptions { watchers[subscription.topic, default: []].append(peer) }
        }
        return watchers
    }

    /// The number of addresses in a topic that is sent on change.
    func count(of topic: Topic) -> Int {
        let player = state.snapshot.player
        watched.adopt(player)
        return watched.members(of: topic, table, player).keys.count
    }

    /// Queues all values of a topic, then its end. The values are looked up when the packets are made.
    func queueSnapshot(of topic: Topic, for peer: Peer) {
        switch topic {
        case .group(.now): peer.outbox.addNowPlaying()
        case .tick: peer.outbox.addTick()
        case .meters: peer.outbox.addMeter()
        case .group, .pattern:
            let player = state.snapshot.player
            watched.adopt(player)
            for key in watched.members(of: topic, table, player).keys { peer.outbox.add(key) }
        }
        peer.outbox.add(OSCMessage("\(OSCAddress.root)/snapshot/end", [.text(topic.name)]))
    }

    /// Sends everything that is due by now: moving layers, held echoes, clocks, meters and `alive` messages.
    func sendWhatIsDue() {
        let now = state.now.seconds
        let isTime = now - movingComparedAt >= Self.movingInterval
        reportChanges(includingMoving: needsComparison || isTime && watchesMoving)
        for peer in peers.all where !peer.subscriptions.isEmpty {
            for (key, echo) in peer.outbox.echoes where echo.due <= now {
                peer.outbox.echoes[key] = nil
                if !isHeld(key, by: peer) { peer.outbox.add(key) }
            }
            peer.queueClocks(at: now)
            flush(peer)
            if !peer.isPermanent, peer.outbox.nextAlive <= now { sender.sendAlive(to: peer) }
        }
    }

    /// Whether anybody has subscribed to values that move by themselves now.
    private var watchesMoving: Bool {
        guard hasSubscribers else { return false }
        if watched.holdsClock { return true }
        let player = state.snapshot.player
        return watched.holdsLayers && player.playback == .playing
            && player.patch.map { !$0.chapters.isEmpty || !$0.cues.isEmpty } ?? false
    }

    private var hasSubscribers: Bool { peers.all.contains { !$0.subscriptions.isEmpty } }

    /// The time in seconds at which time alone will have brought something to send; `nil` if nothing will. A change may come before.
    var nextDue: Double? {
        var due: [Double] = watchesMoving ? [movingComparedAt + Self.movingInterval] : []
        for peer in peers.all where !peer.subscriptions.isEmpty {
            // Messages that the peer's budget has held back.
            if !peer.outbox.isEmpty || needsComparison { return state.now.seconds }
            due += peer.outbox.echoes.values.map(\.due)
            due += peer.subscriptions.filter { $0.topic.interval != nil }.map(\.nextSending)
            if peer.isPermanent { continue }
            due.append(peer.outbox.nextAlive)
            // Others hear at once that it no longer holds anything.
            due += peer.subscriptions.map { peer.lastHeard + $0.lease } + [peer.expiry]
        }
        return due.min()
    }

    /// Drops cached data that can be recomputed, to save memory.
    func dropCaches() { watched.dropCaches() }
}

extension Peer {
    /// Queues the messages of topics with a rate that are due.
    fileprivate func queueClocks(at seconds: Double) {
        for (index, subscription) in subscriptions.enumerated() {
            guard let interval = subscription.topic.interval, subscription.nextSending <= seconds else { continue }
            // On a grid, so that the rate is right on average; missed messages are not made up for after a pause.
            let next = subscription.nextSending + interval
            subscriptions[index].nextSending = next > seconds ? next : seconds + interval
            if case .tick = subscription.topic { outbox.addTick() } else { outbox.addMeter() }
        }
    }
}

extension PlayerState {
    func hasSameItem(as other: PlayerState) -> Bool {
        currentIndex == other.currentIndex && current?.reference == other.current?.reference
            && patch?.layers.map(\.kind) == other.patch?.layers.map(\.kind)
            && patch?.layers.map(\.effects) == other.patch?.layers.map(\.effects)
    }
}
