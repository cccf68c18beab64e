import OSC

/// Packets that have come and wait for their turn, a line for each sender.
///
/// The kernel has one short line for all: who sends too much would fill it and lose the packets of others. So it is emptied while
/// packets are being answered, and here everybody has turns; what is too much is lost for its sender alone.
struct Inbox {
    struct Entry {
        let bytes: [UInt8]
        let source: PeerAddress
        /// When it came to this machine, if that is known.
        let arrived: TimeTag?
    }

    /// Packets of one sender; more than these are dropped.
    static let packetsPerSender = 512
    /// Bytes of all; senders without end have no more room than this.
    static let capacity = 4 << 20

    private struct Line {
        var entries: [Entry] = []
        var head = 0
    }

    private var lines: [PeerAddress: Line] = [:]
    /// Who has something in line; the turn goes round.
    private var senders: [PeerAddress] = []
    private var turn = 0
    private var byteCount = 0
    /// Packets for which there was no room.
    private(set) var droppedCount = 0

    var isEmpty: Bool { senders.isEmpty }

    mutating func add(_ entry: Entry) {
        guard byteCount + entry.bytes.count <= Self.capacity else {
            droppedCount += 1
            return
        }
        var line = lines.removeValue(forKey: entry.source) ?? Line()
        if line.entries.isEmpty { senders.append(entry.source) }
        if line.entries.count - line.head < Self.packetsPerSender {
            line.entries.append(entry)
            byteCount += entry.bytes.count
        } else {
            droppedCount += 1
        }
        lines[entry.source] = line
    }

    /// The first packet of the sender whose turn it is.
    mutating func next() -> Entry? {
        guard !senders.isEmpty else { return nil }
        if turn >= senders.count { turn = 0 }
        let sender = senders[turn]
        guard var line = lines.removeValue(forKey: sender) else { return nil }
        let entry = line.entries[line.head]
        line.head += 1
        byteCount -= entry.bytes.count
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
