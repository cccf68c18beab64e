import OperatingSystem

/// Limits how many calls are carried out and how long they take, so that no program on the bus can occupy the control queue. A refused call
/// costs little.
struct CallBudget {
    private var shares: [String: Share] = [:]
    private var total = Share(factor: 2)
    /// Opening reads files.
    private var opening = TokenBucket(perSecond: 10, burst: 20)

    private static let mostShares = 64

    mutating func allows(from sender: String, at seconds: Double) -> Bool {
        if shares.count >= Self.mostShares { shares = shares.filter { !$0.value.isUnused(at: seconds) } }
        // With very many callers at once, the total decides.
        if shares[sender] != nil || shares.count < Self.mostShares {
            guard shares[sender, default: Share(factor: 1)].take(at: seconds) else { return false }
        }
        return total.take(at: seconds)
    }

    /// Counts the processor time that a call from `sender` has taken, from `begin` on, in seconds on the monotonic clock.
    mutating func charge(_ sender: String, from begin: Double, to end: Double) {
        shares[sender]?.charge(from: begin, to: end)
        total.charge(from: begin, to: end)
    }

    mutating func allowsOpening(at seconds: Double) -> Bool { opening.take(at: seconds) }
}

/// The budget of one program, or of all together: a thousand calls a second, and a fifth of a
/// processor's time, times a factor.
private struct Share {
    private let factor: Double
    private var calls: TokenBucket
    /// The time at which the program has been idle for long enough after its last calls.
    private var due = -Double.infinity

    private static let callsPerSecond = 1000.0
    private static let rest = 5.0
    /// Seconds by which ``due`` may lie ahead: single long calls, and short bursts, are carried out without delay.
    private static let credit = 0.25

    init(factor: Double) {
        self.factor = factor
        calls = TokenBucket(perSecond: factor * Self.callsPerSecond, burst: factor * Self.callsPerSecond)
    }

    mutating func take(at seconds: Double) -> Bool { due <= seconds + Self.credit && calls.take(at: seconds) }

    mutating func charge(from begin: Double, to end: Double) { due = max(due, begin) + Self.rest / factor * max(0, end - begin) }

    func isUnused(at seconds: Double) -> Bool { due <= seconds && calls.isFull(at: seconds) }
}
