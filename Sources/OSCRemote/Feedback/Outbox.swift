import OSC

/// What one peer is still to be told, latest wins: it names what changed, and the value is looked up when a packet is made.
struct Outbox {
    enum Entry {
        case value(AddressTable.Key)
        /// The whole set of now playing.
        case nowPlaying
        case tick, meter
        /// As it is, such as the end of a snapshot.
        case message(Message)
        /// Something that happened: none is left out for the sake of a later one.
        case event(Message)
    }

    /// Events that wait for one peer, at most.
    static let eventLimit = 256

    /// What a peer set by itself, and need not be told unless it came out different or the hand has rested.
    struct Echo {
        let expected: [Argument]
        let due: Double
    }

    /// Seconds without another set after which a peer is told its own value.
    static let echoDelay = 0.15
    /// Burst, rate, the second packet of now playing and four signs of life make 50 packets in any second, at most.
    private var budget = TokenBucket(perSecond: 36, burst: 9)
    var echoes: [AddressTable.Key: Echo] = [:]
    /// Of the last packet with a change in it.
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

    /// For a packet that goes along with another one at once.
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

    /// Queued behind what waits already; one that waits already is moved to the end.
    mutating func add(_ message: Message) {
        entries = entries[first...].filter {
            if case .message(let other) = $0 { other != message } else { true }
        }
        first = 0
        entries.append(.message(message))
    }

    /// Beyond the limit the oldest one is lost; the gap in the numbers of the changes tells the peer so.
    mutating func add(event message: Message) {
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
