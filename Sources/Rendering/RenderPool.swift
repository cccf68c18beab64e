// Several threads: each renders one file after the other, and the calling thread shows the progress.
import Foundation
import Synchronization

/// Renders several files, some of them concurrently.
package final class RenderPool: Sendable {
    private let jobs: [RenderJob]
    private let completed: @Sendable (RenderJob) -> Void
    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)

    private struct State {
        var next = 0
        var running = 0
        var done: Int64 = 0
        var isStopped = false
        var failure: (any Error)?
        /// The results of the completed jobs, by index.
        var finished: [Int: RenderJob.Result] = [:]
    }

    /// - Parameter completed: Gets every file that is complete, one after the other, on any thread.
    package init(_ jobs: [RenderJob], completed: @escaping @Sendable (RenderJob) -> Void) {
        (self.jobs, self.completed) = (jobs, completed)
    }

    /// Returns when all files are complete, or work has stopped.
    ///
    /// - Parameters:
    ///   - limit: the number of concurrent files.
    ///   - look: gets the number of frames done, ten times a second; returning false cancels.
    /// - Returns: How they were rendered, by completed job.
    /// - Throws: the first `AudioFileError`; incomplete files are removed.
    package func run(atOnce limit: Int, look: (Int64) -> Bool) throws -> [Int: RenderJob.Result] {
        let count = min(limit, jobs.count)
        state.withLock { $0.running = count }
        for _ in 0..<count {
            let thread = Thread { self.work() }
            thread.name = "render"
            // libsndfile's encoders keep their blocks on the stack.
            thread.stackSize = 8 << 20
            thread.start()
        }
        while true {
            _ = changed.wait(timeout: .now() + .milliseconds(100))
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
                let result = try jobs[index].run { count in
                    state.withLock { state in
                        state.done += count
                        return !state.isStopped
                    }
                }
                state.withLock { state in
                    state.finished[index] = result
                    completed(jobs[index])
                }
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
        changed.signal()
    }

    private func take() -> Int? {
        state.withLock { state in
            guard !state.isStopped, state.next < jobs.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }
}
