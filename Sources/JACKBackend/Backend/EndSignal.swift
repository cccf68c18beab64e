// Any thread signals, any task waits.
import Dispatch
import Synchronization

/// A one-time event that can be awaited with a time limit.
final class EndSignal: Sendable {
    private struct State {
        var hasCome = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextToken = 0
    }

    private let state = Mutex(State())

    func signal() {
        let waiting = state.withLock { state in
            state.hasCome = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        waiting.values.forEach { $0.resume() }
    }

    /// Returns when the event has occurred or `limit` has passed.
    func wait(within limit: Duration) async {
        await withCheckedContinuation { continuation in
            let token = state.withLock { state -> Int? in
                if state.hasCome { return nil }
                state.nextToken += 1
                state.waiting[state.nextToken] = continuation
                return state.nextToken
            }
            guard let token else { return continuation.resume() }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit.timeInterval) {
                self.state.withLock { $0.waiting.removeValue(forKey: token) }?.resume()
            }
        }
    }
}
