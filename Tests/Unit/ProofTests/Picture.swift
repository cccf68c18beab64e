import OSC

/// The state of a client that follows the contract.
struct Picture {
    /// By address, without the root.
    private(set) var values: [String: [OSCArgument]] = [:]
    /// The time at which the position of now playing was true.
    private(set) var tag = TimeTag.immediate
    private var numbers: [String: Int32] = [:]
    private var boot: Int64?
    /// The number of the last change received.
    private(set) var last: Int32 = 0
    /// Something was lost: the client has to subscribe again.
    private(set) var hasGap = false

    /// Messages that are events, not state.
    private static let words = [
        "alive", "subscribed", "unsubscribed", "snapshot/end", "expired", "bye", "reply", "error", "pong", "synced", "ramp/done",
        "ramp/finished",
        "progress",
    ]

    mutating func take(_ bytes: [UInt8]) {
        guard let packet = try? OSCPacket(decoding: bytes) else { return }
        var messages: [OSCMessage] = []
        var tag = TimeTag.immediate
        switch packet {
        case .message(let message): messages = [message]
        case .bundle(let bundle):
            tag = bundle.timeTag
            messages = bundle.elements.compactMap { if case .message(let message) = $0 { message } else { nil } }
        }
        let root = "/binaural/"
        let reported = messages.map { (String($0.address.dropFirst(root.count)), $0.arguments) }
        let changes = reported.filter { !Self.words.contains($0.0) }
        guard let alive = reported.first(where: { $0.0 == "alive" })?.1, case .int64(let boot) = alive[0],
            case .int32(let number) = alive[1]
        else {
            return take(changes, number: last, tag)
        }
        if boot != self.boot {
            (self.boot, last, numbers, hasGap) = (boot, number, [:], changes.isEmpty && number > 0)
            return take(changes, number: number, tag)
        }
        let isChange = reported.count > 1
        for case ("snapshot/end", let arguments) in reported where number > askedAt {
            if case .string(let topic) = arguments[0] { awaited.remove(topic) }
        }
        if number > last + (isChange ? 1 : 0) { hasGap = true }
        last = max(last, number)
        take(changes, number: number, tag)
    }

    /// Each address keeps the value that was sent last, in whatever order they came.
    private mutating func take(_ changes: [(String, [OSCArgument])], number: Int32, _ tag: TimeTag) {
        for (address, value) in changes where number >= numbers[address] ?? .min {
            numbers[address] = number
            values[address] = value
            if address == "now/elapsed" { self.tag = tag }
        }
    }

    /// Topics whose snapshot is awaited, and the number of the last change when it was asked for.
    private(set) var awaited: Set<String> = []
    private var askedAt: Int32 = 0

    mutating func subscribesAgain(to topics: [String]) {
        hasGap = false
        awaited = Set(topics)
        askedAt = last
    }
}
