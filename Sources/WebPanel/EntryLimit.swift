import OperatingSystem

/// Limits requests, and failed attempts to enter, by the client's address. Times are seconds on the monotonic clock.
struct EntryLimit {
    /// Failures after which an address has to wait before it may pair a device.
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
        makeRoom(for: address, at: now)
        return records[address, default: Record()].requests.take(at: now)
    }

    /// Whether the address has failed too often. Devices that are paired share it with those that fail, as behind a router or a proxy, so only
    /// tokens are refused then.
    func isBlocked(_ address: String, at now: Double) -> Bool {
        guard let record = records[address] else { return false }
        return record.failures >= Self.failureCount && record.lastFailure + Self.wait > now
    }

    mutating func noteFailure(of address: String, at now: Double) {
        makeRoom(for: address, at: now)
        var record = records[address] ?? Record()
        record.failures = record.lastFailure + Self.wait > now ? record.failures + 1 : 1
        record.lastFailure = now
        records[address] = record
    }

    mutating func noteSuccess(of address: String) { records[address]?.failures = 0 }

    /// Forgets what no longer counts, and if that is not enough, the address whose failure is the oldest: somebody with very many addresses keeps no
    /// other one out.
    private mutating func makeRoom(for address: String, at now: Double) {
        guard records[address] == nil, records.count >= Self.maximumCount else { return }
        records = records.filter { $0.value.lastFailure + Self.wait > now || !$0.value.requests.isFull(at: now) }
        guard records.count >= Self.maximumCount, let oldest = records.min(by: { $0.value.lastFailure < $1.value.lastFailure }) else {
            return
        }
        records[oldest.key] = nil
    }
}
