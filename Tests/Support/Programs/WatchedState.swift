import Dispatch
import Synchronization

/// A value shared by threads whose changes can be awaited: tests wait for what they expect, not for time to pass.
package final class WatchedState<State: Sendable>: Sendable {
    private struct Waiter {
        /// Resumes the waiting task and returns true if the state is what it waits for.
        let attempt: @Sendable (State) -> Bool
        let giveUp: @Sendable () -> Void
    }

    private struct Storage {
        var state: State
        var waiters: [Int: Waiter] = [:]
        var nextToken = 0
    }

    private let storage: Mutex<Storage>

    package init(_ state: State) {
        storage = Mutex(Storage(state: state))
    }

    package var value: State {
        storage.withLock { $0.state }
    }

    /// Changes the state under its lock, then wakes those who waited for what it has become.
    @discardableResult
    package func update<Result: Sendable>(_ change: @Sendable (inout State) -> Result) -> Result {
        storage.withLock { storage in
            let result = change(&storage.state)
            for (token, waiter) in storage.waiters where waiter.attempt(storage.state) {
                storage.waiters[token] = nil
            }
            return result
        }
    }

    /// Reads or acts under the lock, so that the state cannot change meanwhile.
    package func withState<Result: Sendable>(_ body: @Sendable (State) -> Result) -> Result {
        storage.withLock { body($0.state) }
    }

    /// The first value that `find` returns for the state as it is or becomes; `nil` when ``Patience/limit`` has passed without one.
    package func wait<Found: Sendable>(
        at file: StaticString = #fileID, _ line: UInt = #line, until find: @escaping @Sendable (State) -> Found?
    ) async -> Found? {
        let start = ContinuousClock.now
        let found = await wait(for: Patience.limit, until: find)
        Patience.note(since: start, file, line)
        return found
    }

    /// The same without a limit: what works for long is ended by the limit of its stage (`scripts/run-tests`).
    func waitForEver<Found: Sendable>(until find: @escaping @Sendable (State) -> Found?) async -> Found? {
        await wait(for: nil, until: find)
    }

    private func wait<Found: Sendable>(for limit: Duration?, until find: @escaping @Sendable (State) -> Found?) async -> Found? {
        await withCheckedContinuation { continuation in
            let token = storage.withLock { storage -> Int? in
                if let found = find(storage.state) {
                    continuation.resume(returning: found)
                    return nil
                }
                let token = storage.nextToken
                storage.nextToken += 1
                storage.waiters[token] = Waiter(
                    attempt: { state in
                        guard let found = find(state) else { return false }
                        continuation.resume(returning: found)
                        return true
                    },
                    giveUp: { continuation.resume(returning: nil) })
                return token
            }
            guard let token, let limit else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit.timeInterval) { [weak self] in
                self?.storage.withLock { $0.waiters.removeValue(forKey: token) }?.giveUp()
            }
        }
    }
}

extension Duration {
    /// The limit in seconds.
    package var timeInterval: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
