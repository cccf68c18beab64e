/// Detects a stalled server by the count of cycles.
package struct CycleWatch {
    package enum Verdict {
        case running, stalled
    }

    /// The number of checks needed to detect a stall. One is not enough: if this program itself was suspended, its first check afterwards
    /// sees an old cycle even if the server runs.
    private static let looksForStall = 3

    private var count: UInt64 = 0
    private var lastChange: ContinuousClock.Instant?
    private var looksWithoutChange = 0

    /// Whether the last check saw no new cycle, or there was none.
    package var isInDoubt: Bool { looksWithoutChange > 0 || lastChange == nil }

    package init() {}

    /// Checks the count of cycles; call it regularly. The server has stalled if several checks see no new cycle for longer than `limit`.
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
