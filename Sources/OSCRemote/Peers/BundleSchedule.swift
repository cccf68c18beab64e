import OSC

/// Bundles that wait for their time.
final class BundleSchedule {
    /// How far ahead a bundle may be, in seconds.
    static let horizon = 60.0
    /// Maximum number of waiting messages of one peer and of all; an empty bundle counts as one.
    static let limitPerPeer = 256
    static let limit = 4096

    /// Messages that take effect together.
    struct Entry {
        let due: TimeTag
        let messages: [OSCMessage]
        var context: PacketContext

        var peer: Peer { context.peer }
        var weight: Int { max(1, messages.count) }
    }

    /// Sorted with the earliest last, so that it is cheap to remove; entries due together are in order of arrival.
    private var entries: [Entry] = []
    /// The number of all waiting messages.
    private var count = 0
    /// The numbers of waiting messages by peer.
    private var weights: [ObjectIdentifier: Int] = [:]
    /// The number of bundles that came too late for their frame.
    private(set) var lateCount = 0
    /// The number of bundles that were too far ahead, or for which there was no room.
    private(set) var refusedCount = 0
    var bundleCount: Int { entries.count }

    var nextDue: TimeTag? { entries.last?.due }

    /// - Returns: False if there is no room.
    func add(_ entry: Entry, now: TimeTag) -> Bool {
        let own = weights[ObjectIdentifier(entry.peer), default: 0]
        guard own + entry.weight <= Self.limitPerPeer, count + entry.weight <= Self.limit else { return false }
        weights[ObjectIdentifier(entry.peer)] = own + entry.weight
        count += entry.weight
        let wait = entry.due.seconds(since: now)
        let place = entries.firstIndex { $0.due.seconds(since: now) <= wait } ?? entries.count
        entries.insert(entry, at: place)
        return true
    }

    /// Removes and returns the earliest entry if it is due within this many seconds.
    func takeDue(within lead: Double, of now: TimeTag) -> Entry? {
        guard let entry = entries.last, entry.due.seconds(since: now) <= lead else { return nil }
        entries.removeLast()
        count -= entry.weight
        let left = weights[ObjectIdentifier(entry.peer), default: 0] - entry.weight
        weights[ObjectIdentifier(entry.peer)] = left > 0 ? left : nil
        return entry
    }

    func countLate() { lateCount += 1 }

    func countRefused() { refusedCount += 1 }

    func hasAny(of peer: Peer) -> Bool { weights[ObjectIdentifier(peer)] != nil }

    /// - Returns: The entries that waited, the earliest first.
    func removeAll() -> [Entry] {
        defer {
            entries = []
            count = 0
            weights = [:]
        }
        return entries.reversed()
    }

    func transfer(from peer: Peer, to other: Peer) {
        guard peer !== other, let weight = weights.removeValue(forKey: ObjectIdentifier(peer)) else { return }
        for index in entries.indices where entries[index].peer === peer { entries[index].context.peer = other }
        weights[ObjectIdentifier(other), default: 0] += weight
    }

    /// - Returns: The entries of this peer, the earliest first.
    func removeAll(of peer: Peer) -> [Entry] {
        guard let weight = weights.removeValue(forKey: ObjectIdentifier(peer)) else { return [] }
        defer { entries.removeAll { $0.peer === peer } }
        count -= weight
        return entries.filter { $0.peer === peer }.reversed()
    }
}

extension OSCBundle {
    /// The messages by the time at which they take effect, `nil` being at once. An inner bundle has its own time but no earlier one than
    /// the outer bundle; without a time it takes the outer bundle's.
    func messages(notBefore outer: TimeTag? = nil) -> [(due: TimeTag?, messages: [OSCMessage])] {
        // pyliblo and others write 0 for "now"; the standard says 1.
        let own = timeTag.rawValue > 1 ? timeTag : nil
        let due = if let own, let outer { own.seconds(since: outer) > 0 ? own : outer } else { own ?? outer }
        var groups: [(due: TimeTag?, messages: [OSCMessage])] = []
        func add(_ messages: [OSCMessage], due: TimeTag?) {
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
