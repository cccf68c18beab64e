import OSC

/// Messages whose time has not come.
struct BundleSchedule {
    /// Seconds.
    static let horizon = 60.0
    /// Messages that may wait, of one peer and of all; a bundle without any counts as one.
    static let limitPerPeer = 256
    static let limit = 4096

    /// What takes effect together.
    struct Entry {
        let due: TimeTag
        let messages: [Message]
        var peer: Peer
        /// Where the bundle came from.
        let source: PeerAddress?

        var weight: Int { max(1, messages.count) }
    }

    /// The earliest last, so that it is cheap to take; of those due together the first one in comes out first.
    private var entries: [Entry] = []
    /// The weight of all that wait.
    private var count = 0
    /// The same of each peer of whom something waits.
    private var weights: [ObjectIdentifier: Int] = [:]
    var bundleCount: Int { entries.count }

    var nextDue: TimeTag? { entries.last?.due }

    /// - Returns: False when there is no room.
    mutating func add(_ entry: Entry, now: TimeTag) -> Bool {
        let own = weights[ObjectIdentifier(entry.peer), default: 0]
        guard own + entry.weight <= Self.limitPerPeer, count + entry.weight <= Self.limit else { return false }
        weights[ObjectIdentifier(entry.peer)] = own + entry.weight
        count += entry.weight
        let wait = entry.due.seconds(since: now)
        let place = entries.firstIndex { $0.due.seconds(since: now) <= wait } ?? entries.count
        entries.insert(entry, at: place)
        return true
    }

    /// The first one, if it is due within so many seconds.
    mutating func takeDue(within lead: Double, of now: TimeTag) -> Entry? {
        guard let entry = entries.last, entry.due.seconds(since: now) <= lead else { return nil }
        entries.removeLast()
        count -= entry.weight
        let left = weights[ObjectIdentifier(entry.peer), default: 0] - entry.weight
        weights[ObjectIdentifier(entry.peer)] = left > 0 ? left : nil
        return entry
    }

    func hasAny(of peer: Peer) -> Bool { weights[ObjectIdentifier(peer)] != nil }

    /// - Returns: What waited, the earliest first.
    mutating func removeAll() -> [Entry] {
        defer { self = BundleSchedule() }
        return entries.reversed()
    }

    mutating func hand(over peer: Peer, to other: Peer) {
        guard peer !== other, let weight = weights.removeValue(forKey: ObjectIdentifier(peer)) else { return }
        for index in entries.indices where entries[index].peer === peer { entries[index].peer = other }
        weights[ObjectIdentifier(other), default: 0] += weight
    }

    /// - Returns: What waited of this peer, the earliest first.
    mutating func removeAll(of peer: Peer) -> [Entry] {
        guard let weight = weights.removeValue(forKey: ObjectIdentifier(peer)) else { return [] }
        defer { entries.removeAll { $0.peer === peer } }
        count -= weight
        return entries.filter { $0.peer === peer }.reversed()
    }
}

extension Bundle {
    /// The messages by the time at which they take effect, `nil` being at once. A bundle inside of another one has its own time, but not
    /// one before the other's; without one it is that of the other.
    func messages(notBefore outer: TimeTag? = nil) -> [(due: TimeTag?, messages: [Message])] {
        // pyliblo and others write 0 for "now"; OSC writes 1.
        let own = timeTag.rawValue > 1 ? timeTag : nil
        let due = if let own, let outer { own.seconds(since: outer) > 0 ? own : outer } else { own ?? outer }
        var groups: [(due: TimeTag?, messages: [Message])] = []
        func add(_ messages: [Message], due: TimeTag?) {
            if let index = groups.firstIndex(where: { $0.due == due }) {
                groups[index].messages += messages
            } else {
                groups.append((due, messages))
            }
        }
        for element in elements {
            switch element {
            case .message(let message): add([message], due: due)
            case .bundle(let bundle): for group in bundle.messages(notBefore: due) { add(group.messages, due: group.due) }
            }
        }
        return groups
    }
}
