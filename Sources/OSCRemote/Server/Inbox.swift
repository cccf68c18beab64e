import OSC

/// Received packets waiting to be handled, queued by sender.
///
/// The kernel has one short queue for all senders: one that sends too much would fill it and lose the packets of others. So it is emptied
/// while packets are being handled, and senders take turns here; excess packets are lost for their sender only.
struct Inbox {
    struct Entry {
        let bytes: [UInt8]
        let source: PeerAddress
        /// The time at which the packet reached this machine, if known.
        let arrived: TimeTag?

        /// Bytes of memory that the entry takes: those of the packet, the header of their array, and the entry itself.
        var size: Int { bytes.count + 32 + MemoryLayout<Entry>.stride }
    }

    /// Maximum number of packets queued for one sender; more are dropped.
    static let packetsPerSender = 512
    /// Maximum memory for all queued packets in bytes, however many senders there are.
    static let capacity = 4 << 20

    struct Line {
        /// The queued entries from `head` on; those before it were taken.
        var entries: [Entry?] = []
        var head = 0
    }

    private(set) var lines: [PeerAddress: Line] = [:]
    /// Senders with queued packets, which take turns.
    private var senders: [PeerAddress] = []
    private var turn = 0
    private var byteCount = 0
    /// Packets dropped for lack of room.
    private(set) var droppedCount = 0

    /// Drops what a sender has queued.
    mutating func drop(_ sender: PeerAddress) {
        guard let line = lines.removeValue(forKey: sender) else { return }
        byteCount -= line.entries.reduce(0) { $0 + ($1?.size ?? 0) }
        senders.removeAll { $0 == sender }
    }

    var isEmpty: Bool { senders.isEmpty }

    /// Whether there is a packet of a sender that does not wait.
    func hasAny(except waits: (PeerAddress) -> Bool) -> Bool { senders.contains { !waits($0) } }

    mutating func add(_ entry: Entry) {
        guard byteCount + entry.size <= Self.capacity else {
            droppedCount += 1
            return
        }
        var line = lines.removeValue(forKey: entry.source) ?? Line()
        if line.entries.isEmpty { senders.append(entry.source) }
        if line.entries.count - line.head < Self.packetsPerSender {
            line.entries.append(entry)
            byteCount += entry.size
        } else {
            droppedCount += 1
        }
        lines[entry.source] = line
    }

    /// Removes and returns the first packet of the sender whose turn it is; senders that wait have no turn.
    mutating func next(except waits: (PeerAddress) -> Bool = { _ in false }) -> Entry? {
        if turn >= senders.count { turn = 0 }
        guard let offset = senders.indices.first(where: { !waits(senders[(turn + $0) % senders.count]) }) else { return nil }
        turn = (turn + offset) % senders.count
        let sender = senders[turn]
        guard var line = lines.removeValue(forKey: sender), let entry = line.entries[line.head] else { return nil }
        // A sender that always has a packet waiting would otherwise keep all that came before it in memory.
        line.entries[line.head] = nil
        line.head += 1
        byteCount -= entry.size
        if line.head == line.entries.count {
            senders.remove(at: turn)
            return entry
        }
        if line.head >= Self.packetsPerSender {
            line.entries.removeFirst(line.head)
            line.head = 0
        }
        lines[sender] = line
        turn += 1
        return entry
    }
}
