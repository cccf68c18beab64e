import Synchronization

/// The lock on a session's file, from ``take()`` until it is released or deallocated. Any thread may release it, also before it is taken: then it never
/// is, so that a program that is ended at any moment leaves no lock.
package final class SessionLock: Sendable {
    private struct State: ~Copyable {
        var file: LockFile?
        var isReleased = false
    }

    private let path: String
    private let state = Mutex(State())

    init(path: String) { self.path = path }

    /// Takes the lock; does nothing after the release.
    func take() throws(LockFile.Refusal) {
        try state.withLock { state throws(LockFile.Refusal) in
            if !state.isReleased { state.file = try LockFile(path: path) }
        }
    }

    /// Takes the lock on the file that has to be made again, since its folder was removed; does nothing without a lock.
    func renew() throws(LockFile.Refusal) {
        try state.withLock { state throws(LockFile.Refusal) in
            if state.file != nil { state.file = try LockFile(path: path) }
        }
    }

    /// Removes the lock's file; later calls do nothing.
    package func release() {
        state.withLock { state in
            state.isReleased = true
            state.file = nil
        }
    }
}
