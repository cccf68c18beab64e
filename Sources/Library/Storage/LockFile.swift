import Glibc
import RegularFiles

/// A lock on a file that holds the owner's pid; the system releases it when the process ends, however it ends.
struct LockFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    enum Refusal: Error {
        /// Another process holds the lock; `nil` if it has not written its pid yet.
        case heldBy(Int32?)
        case failed(FileError)
    }

    init(path: String) throws(Refusal) {
        self.path = path
        while true {
            let descriptor: Int32
            do throws(FileError) { descriptor = try RegularFile.openLock(path) } catch { throw .failed(error) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                if code == EINTR { continue }
                throw code == EWOULDBLOCK ? .heldBy(Self.owner(path)) : .failed(FileError(operation: .lock, path: path, code: code))
            }
            // The previous owner may have removed the file between our open and our lock; then this lock is on a file without a name.
            var ours = stat()
            var visible = stat()
            if fstat(descriptor, &ours) == 0, stat(path, &visible) == 0, ours.st_ino == visible.st_ino, ours.st_dev == visible.st_dev {
                self.descriptor = descriptor
                break
            }
            close(descriptor)
        }
        ftruncate(descriptor, 0)
        // The lock works without a pid in it, so a full disk does not matter here.
        _ = "\(getpid())\n".withCString { Glibc.write(descriptor, $0, strlen($0)) }
    }

    deinit {
        unlink(path)
        close(descriptor)
    }

    private static func owner(_ path: String) -> Int32? {
        guard let bytes = try? Files.read(path, limit: 32) else { return nil }
        return Int32(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber })
    }
}
