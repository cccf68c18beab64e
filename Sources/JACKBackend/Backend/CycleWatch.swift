/// Detects a stalled server by the count of cycles.
package struct CycleWatch {
    package enum Verdict {
        case running, stalled
    }

    /// Checks needed to detect a stall: if this program itself was suspended, the first checks afterwards find an old cycle and say nothing
    /// about the server.
    private static let looksForStall = 3

    private var count: UInt64 = 0
    private var lastChange: ContinuousClock.Instant?
    private var looksWithoutChange = 0

    package init() {}

    /// To be called regularly. The server is stalled if several checks find no cycle for longer than `limit`.
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
