import Synchronization

/// A flag that one thread raises when something has changed, and that another thread waits for at times.
final class ChangeFlag: Sendable {
    private let isAwaited = Atomic(false)
    private let flag = Atomic(false)

    /// - Returns: Whether the other thread is to be woken: it waits, and the flag was down.
    func raise() -> Bool {
        guard isAwaited.load(ordering: .relaxed) else { return false }
        return !flag.exchange(true, ordering: .acquiringAndReleasing)
    }

    func setAwaited(_ isAwaited: Bool) { self.isAwaited.store(isAwaited, ordering: .relaxed) }

    var isRaised: Bool { flag.load(ordering: .acquiring) }

    func lower() { flag.store(false, ordering: .releasing) }
}
