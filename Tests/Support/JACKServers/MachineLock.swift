import Foundation

/// A lock shared by all test processes of this user, released when its holder releases it or ends in any way: flock(2). Its file is in the
/// user's cache folder, and stays.
///
/// JACK's clients of one name disturb each other while they open, even on different servers: the socket on which a client waits for its
/// server is named after the client alone. One may end at once, or wait forever, or its server may stop answering.
final class MachineLock: Sendable {
    private let file: Int32

    private init(file: Int32) {
        self.file = file
    }

    deinit {
        close(file)
    }

    /// Waits until nobody else holds it.
    static func take(_ name: String) async throws(ProgramFailure) -> MachineLock {
        if let lock = try tryTaking(name) { return lock }
        let result: Result<MachineLock?, ProgramFailure> = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                do throws(ProgramFailure) {
                    continuation.resume(returning: .success(try lock(name, operation: LOCK_EX)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        guard let lock = try result.get() else { throw ProgramFailure("cannot take the lock '\(name)'") }
        return lock
    }

    /// Returns `nil` if it is held by another process.
    static func tryTaking(_ name: String) throws(ProgramFailure) -> MachineLock? {
        try lock(name, operation: LOCK_EX | LOCK_NB)
    }

    private static func lock(_ name: String, operation: Int32) throws(ProgramFailure) -> MachineLock? {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?.path ?? "/tmp"
        let folder = "\(caches)/binaural-tests"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(name).lock"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw ProgramFailure("cannot open \(path): \(String(cString: strerror(errno)))") }
        while flock(file, operation) == -1 {
            if errno == EINTR { continue }
            close(file)
            return nil
        }
        return MachineLock(file: file)
    }
}
