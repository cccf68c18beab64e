import OSC
import OperatingSystem

/// Limits the rate of messages from each address beyond this machine.
///
/// IPv6 addresses are grouped by network, since the owner of one has all addresses in it. If there are as many buckets in use as there may be
/// peers, further addresses share one, so that a large range of addresses gets no higher rate.
struct RateLimits {
    static let messagesPerSecond = 500.0
    static let burst = 1000.0
    /// Addresses with a rate of their own: as many as there may be peers.
    static let maximumCount = 64

    private var buckets: [IPAddress: TokenBucket] = [:]
    private var shared = TokenBucket(perSecond: messagesPerSecond, burst: burst)

    /// Whether one more message from the address may pass at `seconds` on the monotonic clock; if so, it is counted.
    mutating func pass(_ address: IPAddress, at seconds: Double) -> Bool {
        let network = address.network
        if buckets[network] == nil, buckets.count >= Self.maximumCount {
            // RateLimits that have not been used for a while are not needed any more.
            buckets = buckets.filter { !$0.value.isFull(at: seconds) }
            if buckets.count >= Self.maximumCount { return shared.take(at: seconds) }
        }
        return buckets[network, default: TokenBucket(perSecond: Self.messagesPerSecond, burst: Self.burst)].take(at: seconds)
    }
}

extension IPAddress {
    /// The first 64 bits of an IPv6 address; an IPv4 address itself.
    fileprivate var network: IPAddress {
        switch self {
        case .ipv4: self
        case .ipv6(let high, _, let scope): .ipv6(high: high, low: 0, scope: scope)
        }
    }
}
