/// The completion handlers that wait until everything requested so far is audible.
struct AudibleWaiters {
    private var waiting: [(mark: UInt64, done: () -> Void)] = []

    var isEmpty: Bool { waiting.isEmpty }

    /// - Parameter mark: the last request to wait for.
    mutating func add(_ mark: UInt64, _ done: @escaping () -> Void) { waiting.append((mark, done)) }

    /// Removes and returns the handlers whose requests are audible.
    mutating func takeReady(_ isReady: (UInt64) -> Bool) -> [() -> Void] {
        let ready = waiting.filter { isReady($0.mark) }
        waiting.removeAll { isReady($0.mark) }
        return ready.map(\.done)
    }
}
