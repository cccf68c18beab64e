import Foundation

/// Returns memory that was freed after many commands to the system. The C library would keep it, since blocks in use lie between.
struct FreedMemory {
    private var commandCount = 0
    private var last = 0.0
    /// Remaining repetitions: plans come back from the render thread a moment later.
    private var rounds = 0
    /// Reports a shortage of memory; `nil` before the start and after the end.
    var pressure: MemoryPressure?

    /// The number of commands below which too little memory is freed to matter.
    private static let fewest = 100
    /// Minimum seconds between two calls.
    private static let interval = 2.0

    mutating func countCommand() { commandCount += 1 }

    /// - Parameter now: The time in seconds on the monotonic clock.
    mutating func giveBack(at now: Double) {
        guard commandCount >= Self.fewest || rounds > 0, now - last >= Self.interval else { return }
        rounds = commandCount >= Self.fewest ? 2 : rounds - 1
        (commandCount, last) = (0, now)
        Self.giveBack()
    }

    /// Calls `malloc_trim` if the C library has it.
    static func giveBack() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        // SAFETY: malloc(3) declares it as int malloc_trim(size_t).
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }
}
