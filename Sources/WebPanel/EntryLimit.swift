import OSCRemote

/// Limits failed attempts to enter, and requests, by the client's address. Times are seconds on the monotonic clock.
struct EntryLimit {
    /// Failures after which an address has to wait.
    static let failureCount = 5
    /// Seconds that it has to wait, from the last failure on.
    static let wait = 60.0
    static let requestsPerSecond = 50.0
    static let requestBurst = 200.0
    /// Addresses that are remembered.
    private static let maximumCount = 256

    private struct Record {
        var failures = 0
        var lastFailure = -Double.infinity
        var requests = TokenBucket(perSecond: EntryLimit.requestsPerSecond, burst: EntryLimit.requestBurst)
    }

    private var records: [String: Record] = [:]

    /// Addresses that are remembered at the moment.
    var count: Int { records.count }

    /// Whether a request from the address is answered; if so, it is counted.
    mutating func admits(_ address: String, at now: Double) -> Bool {
        makeRoom(at: now)
        guard records[address] != nil || records.count < Self.maximumCount else { return false }
        var record = records[address] ?? Record()
        if record.lastFailure + Self.wait <= now { record.failures = 0 }
        defer { records[address] = record }
        return record.failures < Self.failureCount && record.requests.take(at: now)
    }

    mutating func noteFailure(of address: String, at now: Double) {
        records[address, default: Record()].failures += 1
        records[address]?.lastFailure = now
    }

    mutating func noteSuccess(of address: String) { records[address]?.failures = 0 }

    private mutating func makeRoom(at now: Double) {
        guard records.count >= Self.maximumCount else { return }
        records = records.filter { $0.value.lastFailure + Self.wait > now || !$0.value.requests.isFull(at: now) }
    }
}
