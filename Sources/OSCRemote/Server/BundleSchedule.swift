import OSC
import Playback

/// Bundles whose time has not come.
struct BundleSchedule {
    /// Seconds.
    static let horizon = 60.0
    /// Messages that may wait, of one peer and of all.
    static let limitPerPeer = 256
    static let limit = 4096

    private struct Entry {
        let due: TimeTag
        let peer: Peer
        let elements: [Packet]
    }

    /// The earliest last, so that it is cheap to take; of those due together the first one in comes out first.
    private var entries: [Entry] = []
    private var count = 0

    var nextDue: TimeTag? { entries.last?.due }

    /// - Returns: False when there is no room.
    mutating func add(_ elements: [Packet], due: TimeTag, of peer: Peer, now: TimeTag) -> Bool {
        let weight = Self.weight(elements)
        let own = entries.reduce(0) { $1.peer === peer ? $0 + Self.weight($1.elements) : $0 }
        guard own + weight <= Self.limitPerPeer, count + weight <= Self.limit else { return false }
        count += weight
        let wait = due.seconds(since: now)
        let place = entries.firstIndex { $0.due.seconds(since: now) <= wait } ?? entries.count
        entries.insert(Entry(due: due, peer: peer, elements: elements), at: place)
        return true
    }

    mutating func takeDue(at now: TimeTag) -> (elements: [Packet], peer: Peer)? {
        guard let entry = entries.last, entry.due.seconds(since: now) <= 0 else { return nil }
        entries.removeLast()
        count -= Self.weight(entry.elements)
        return (entry.elements, entry.peer)
    }

    mutating func removeAll() {
        entries = []
        count = 0
    }

    mutating func removeAll(of peer: Peer) {
        entries.removeAll { $0.peer === peer }
        count = entries.reduce(0) { $0 + Self.weight($1.elements) }
    }

    private static func weight(_ elements: [Packet]) -> Int {
        elements.reduce(1) { sum, element in
            if case .bundle(let bundle) = element { sum + weight(bundle.elements) } else { sum + 1 }
        }
    }
}

extension RemoteServer {
    /// At once when its time is now, has passed, or tags are not honoured.
    func applyWhenDue(_ bundle: Bundle, from peer: Peer) {
        // pyliblo and others write 0 for "now"; OSC writes 1.
        guard bundle.timeTag.rawValue > 1, configuration.honoursTimeTags else { return applyNow(bundle.elements, from: peer) }
        let wait = bundle.timeTag.seconds(since: now.timeTag)
        guard wait > 0 else {
            if wait < 0 { statistics.lateBundles += 1 }
            return applyNow(bundle.elements, from: peer)
        }
        guard wait <= BundleSchedule.horizon else {
            return reply(to: peer, "#bundle", CommandResult(.tooFarInFuture, "A bundle may be at most 60 s ahead: send it later."))
        }
        if !schedule.add(bundle.elements, due: bundle.timeTag, of: peer, now: now.timeTag) {
            reply(to: peer, "#bundle", CommandResult(.queueFull, "Too much waits already: 256 messages a peer, 4096 in all."))
        }
    }

    func runDueBundles() {
        while let (elements, peer) = schedule.takeDue(at: now.timeTag) { applyNow(elements, from: peer) }
    }
}
