import OSCRemote

/// Limits how many calls are carried out, so that no program on the bus can occupy the control queue. A refused call costs little.
struct CallBudget {
    private var shares: [String: TokenBucket] = [:]
    private var total = TokenBucket(perSecond: 2 * Self.perSecond, burst: 2 * Self.burst)
    /// Opening reads files.
    private var opening = TokenBucket(perSecond: 10, burst: 20)

    private static let perSecond = 1000.0
    private static let burst = 1000.0
    private static let mostShares = 64

    mutating func allows(from sender: String, at seconds: Double) -> Bool {
        if shares.count >= Self.mostShares { shares = shares.filter { !$0.value.isFull(at: seconds) } }
        // With very many callers at once, the total decides.
        if shares[sender] != nil || shares.count < Self.mostShares {
            guard shares[sender, default: TokenBucket(perSecond: Self.perSecond, burst: Self.burst)].take(at: seconds) else { return false }
        }
        return total.take(at: seconds)
    }

    mutating func allowsOpening(at seconds: Double) -> Bool { opening.take(at: seconds) }
}
