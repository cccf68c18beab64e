import Dispatch
import POSIX

/// How control wakes from rare ticks.
extension Control {
    /// To be called first by everything that comes from outside the tick: after rare ticks, control catches up.
    func attend() {
        guard pace.countActivity(at: time.seconds) else { return }
        // Inside a bundle a tick would be part of it.
        if performance.isGathering { pace.hurry() } else { tick() }
    }

    /// Runs something that comes from outside, such as the answer of another thread.
    nonisolated func enter(_ body: @escaping @MainActor (Control) -> Void) {
        DispatchQueue.main.async {
            self.attend()
            body(self)
        }
    }
}
