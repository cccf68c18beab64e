import Foundation

/// Returns memory that many commands have freed to the system. The C library would keep it as gaps between blocks in use.
struct FreedMemory {
    private var commandCount = 0
    private var last = 0.0
    /// Times to look again: plans come back from the render thread a moment later.
    private var rounds = 0

    /// Fewer free too little to look for.
    private static let fewest = 100
    /// Seconds from one look to the next.
    private static let interval = 2.0

    mutating func noteCommand() { commandCount += 1 }

    /// - Parameter now: On the monotonic clock, in seconds.
    mutating func giveBack(at now: Double) {
        guard commandCount >= Self.fewest || rounds > 0, now - last >= Self.interval else { return }
        rounds = commandCount >= Self.fewest ? 2 : rounds - 1
        (commandCount, last) = (0, now)
        Self.giveBack()
    }

    /// `malloc_trim`, where the C library has it.
    static func giveBack() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        // SAFETY: malloc(3) declares it as int malloc_trim(size_t).
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }
}
