import Foundation
import Synchronization
import Testing

/// A thread for each test that blocks, such as one that waits on a socket: the threads of Swift's pool are as many as the processors, and on one
/// that is blocked nothing else runs.
package struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let thread = ThreadExecutor()
        defer { thread.end() }
        try await withTaskExecutorPreference(thread) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// The test blocks: it gets a thread of its own.
    package static var ownThread: OwnThread { OwnThread() }
}

/// Runs jobs one after the other on a thread of its own.
private final class ThreadExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while true {
                wake.wait()
                let (jobs, hasEnded) = state.withLock { state in
                    defer { state.jobs = [] }
                    return (state.jobs, state.hasEnded)
                }
                for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
                // A job that the last one has made is still to run.
                if hasEnded && state.withLock(\.jobs.isEmpty) { return }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        wake.signal()
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        wake.signal()
    }
}
