/// Judges by the count of cycles whether the server runs or stalls.
package struct CycleWatch {
    package enum Verdict {
        case running, stalled
    }

    /// This program itself may have been stopped: then the first looks after that find an old cycle, and say nothing about the server.
    private static let looksForStall = 3

    private var count: UInt64 = 0
    private var lastChange: ContinuousClock.Instant?
    private var looksWithoutChange = 0

    package init() {}

    /// To be called regularly. Stalled when no cycle came for longer than `limit`, by several looks.
    package mutating func look(at count: UInt64, now: ContinuousClock.Instant, limit: Duration) -> Verdict {
        guard let lastChange, count == self.count else {
            self.count = count
            lastChange = now
            looksWithoutChange = 0
            return .running
        }
        looksWithoutChange += 1
        return looksWithoutChange >= CycleWatch.looksForStall && lastChange + limit <= now ? .stalled : .running
    }
}
