// Several threads: each makes one file after the other, and the one that has asked looks on.
import Foundation
import Synchronization

/// Makes several files, some of them at once.
final class RenderPool: Sendable {
    private let jobs: [RenderJob]
    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    private struct State {
        var next = 0
        var running = 0
        var done: Int64 = 0
        var isStopped = false
        var failure: (any Error)?
        /// Samples that the ceiling has cut, by job that is complete.
        var finished: [Int: UInt64] = [:]
    }

    init(_ jobs: [RenderJob]) { self.jobs = jobs }

    /// Returns when all is made, or nothing goes on.
    ///
    /// - Parameters:
    ///   - limit: how many files at once.
    ///   - look: told the frames that are done, ten times a second; false gives up.
    /// - Returns: Samples that the ceiling has cut, by job that is complete.
    /// - Throws: the first `AudioFileError`; what was being made then is gone.
    func run(atOnce limit: Int, look: (Int64) -> Bool) throws -> [Int: UInt64] {
        let count = min(limit, jobs.count)
        state.withLock { $0.running = count }
        for _ in 0..<count {
            let thread = Thread { self.work() }
            thread.name = "render"
            // The encoders of libsndfile keep their blocks there.
            thread.stackSize = 8 << 20
            thread.start()
        }
        while true {
            _ = news.wait(timeout: .now() + .milliseconds(100))
            let (done, isOver) = state.withLock { ($0.done, $0.running == 0) }
            if isOver { break }
            if !look(done) { state.withLock { $0.isStopped = true } }
        }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.finished
        }
    }

    private func work() {
        while let index = take() {
            do {
                let atCeiling = try jobs[index].run { count in
                    state.withLock { state in
                        state.done += count
                        return !state.isStopped
                    }
                }
                state.withLock { $0.finished[index] = atCeiling }
            } catch is RenderJob.Stopped {
                break
            } catch {
                state.withLock { state in
                    state.failure = state.failure ?? error
                    state.isStopped = true
                }
            }
        }
        state.withLock { $0.running -= 1 }
        news.signal()
    }

    private func take() -> Int? {
        state.withLock { state in
            guard !state.isStopped, state.next < jobs.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }
}
