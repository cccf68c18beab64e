/// The messages that wait until the bus reads them, by their estimated sizes; libsystemd only counts them.
struct WriteQueue {
    private var sizes: [Int] = []
    /// Bytes of all messages that wait.
    private(set) var size = 0

    /// Messages, and bytes, that may wait; with more, the bus counts as lost.
    private static let mostMessages = 2000
    private static let mostBytes = 16_000_000

    var isTooLong: Bool { sizes.count > Self.mostMessages || size > Self.mostBytes }

    mutating func add(_ size: Int) {
        sizes.append(size)
        self.size += size
    }

    /// Forgets the oldest messages, apart from the `count` newest ones, which still wait.
    mutating func keep(last count: UInt64) {
        let sent = sizes.count - Int(clamping: count)
        guard sent > 0 else { return }
        size -= sizes.prefix(sent).reduce(0, +)
        sizes.removeFirst(sent)
    }
}

extension BusValue {
    /// About as many bytes as the value takes in a message.
    var estimatedSize: Int {
        switch self {
        case .byte, .signature, .bool, .int16, .uint16, .int32, .uint32, .descriptor: 4
        case .int64, .uint64, .double: 8
        case .string(let text), .path(let text): text.utf8.count + 8
        case .array(_, let values), .structure(let values): values.estimatedSize + 8
        case .entry(let key, let value): key.estimatedSize + value.estimatedSize + 8
        case .variant(let value): value.estimatedSize + 8
        }
    }
}

extension [BusValue] {
    var estimatedSize: Int { reduce(0) { $0 + $1.estimatedSize } }
}
