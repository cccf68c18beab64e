import OSC
import OperatingSystem

/// The messages queued for one peer. It holds the names of what changed; the values are looked up when a packet is made, so only the latest
/// is sent.
struct Outbox {
    enum Entry {
        case value(AddressTable.Key)
        /// The whole now-playing set.
        case nowPlaying
        case tick, meter
        /// A message that is sent unchanged, such as the end of a snapshot.
        case message(OSCMessage)
        /// An event: never replaced by a later one.
        case event(OSCMessage)
    }

    /// Maximum number of events queued for one peer.
    static let eventLimit = 256

    /// A value that the peer set itself. It is only sent back if it came out different, or once the peer has stopped moving it.
    struct Echo {
        let expected: [OSCArgument]
        let due: Double
    }

    /// The time in seconds without another set after which a peer is sent its own value.
    static let echoDelay = 0.15
    /// At most 50 packets in any second: burst, rate, the second packet of now playing and four `alive` messages.
    private var budget = TokenBucket(perSecond: 36, burst: 9)
    var echoes: [AddressTable.Key: Echo] = [:]
    /// The number of the last packet with a change.
    var changeNumber: Int32 = 0
    var lastChange = -Double.infinity
    var nextAlive = 0.0

    private var entries: [Entry] = []
    private var first = 0
    private var waiting: Set<AddressTable.Key> = []
    private var isNowPlayingWaiting = false
    private var isTickWaiting = false
    private var isMeterWaiting = false
    private var eventCount = 0

    var isEmpty: Bool { first == entries.count }

    mutating func takeBudget(at seconds: Double) -> Bool { budget.take(at: seconds) }

    /// Charges the budget for a packet that has to be sent together with another one.
    mutating func overdrawBudget(at seconds: Double) { budget.charge(at: seconds) }

    mutating func add(_ key: AddressTable.Key) {
        if waiting.insert(key).inserted { entries.append(.value(key)) }
    }

    mutating func addNowPlaying() {
        if !isNowPlayingWaiting { entries.append(.nowPlaying) }
        isNowPlayingWaiting = true
    }

    mutating func addTick() {
        if !isTickWaiting { entries.append(.tick) }
        isTickWaiting = true
    }

    mutating func addMeter() {
        if !isMeterWaiting { entries.append(.meter) }
        isMeterWaiting = true
    }

    /// Queues a message; if the same one is queued already, it moves to the end.
    mutating func add(_ message: OSCMessage) {
        entries = entries[first...].filter {
            if case .message(let other) = $0 { other != message } else { true }
        }
        first = 0
        entries.append(.message(message))
    }

    /// Queues an event. Beyond the limit the oldest one is dropped; the gap in the change numbers reveals it to the peer.
    mutating func add(event message: OSCMessage) {
        entries.append(.event(message))
        eventCount += 1
        guard eventCount > Self.eventLimit else { return }
        let oldest = entries[first...].firstIndex { if case .event = $0 { true } else { false } }
        if let oldest { entries.remove(at: oldest) }
        eventCount -= 1
        changeNumber &+= 1
    }

    var next: Entry? { isEmpty ? nil : entries[first] }

    mutating func removeFirst() {
        switch entries[first] {
        case .value(let key): waiting.remove(key)
        case .nowPlaying: isNowPlayingWaiting = false
        case .tick: isTickWaiting = false
        case .meter: isMeterWaiting = false
        case .event: eventCount -= 1
        case .message: break
        }
        first += 1
        if isEmpty {
            entries.removeAll(keepingCapacity: true)
            first = 0
        }
    }
}
