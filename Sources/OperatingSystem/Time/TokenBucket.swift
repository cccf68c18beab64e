/// Limits events to an average rate per second, with a burst.
package struct TokenBucket: Sendable {
    private let rate: Double
    private let capacity: Double
    private var tokens: Double
    private var last: Double?

    /// - Parameter capacity: the burst that is allowed after a pause.
    package init(perSecond rate: Double, burst capacity: Double) {
        self.rate = rate
        self.capacity = capacity
        tokens = capacity
    }

    /// Whether one more event is allowed at `seconds` on the monotonic clock; if so, it is counted.
    package mutating func take(at seconds: Double) -> Bool {
        refill(at: seconds)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Charges for an event that cannot be delayed, or for as many as it was worth; later ones wait longer.
    package mutating func charge(_ count: Double = 1, at seconds: Double) {
        refill(at: seconds)
        tokens -= count
    }

    /// Whether one more event is allowed; it is not counted.
    package mutating func hasAny(at seconds: Double) -> Bool {
        refill(at: seconds)
        return tokens >= 1
    }

    /// Whether nothing was counted lately.
    package func isFull(at seconds: Double) -> Bool {
        var later = self
        later.refill(at: seconds)
        return later.tokens >= capacity
    }

    private mutating func refill(at seconds: Double) {
        tokens = min(capacity, tokens + max(0, seconds - (last ?? seconds)) * rate)
        // A packet is judged at the time of its arrival, which may lie before the last event.
        last = max(last ?? seconds, seconds)
    }
}
