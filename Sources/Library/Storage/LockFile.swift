import Glibc
import OperatingSystem

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
        var descriptor: Int32
        while true {
            do throws(FileError) { descriptor = try RegularFile.openLock(path) } catch { throw .failed(error) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                if code == EINTR { continue }
                throw code == EWOULDBLOCK ? .heldBy(Self.owner(path)) : .failed(FileError(operation: .lock, path: path, code: code))
            }
            // The previous owner may have removed the file between our open and our lock; then this lock is on a file without a name.
            do throws(FileError) {
                if try Self.isNamed(path, descriptor) { break }
            } catch {
                close(descriptor)
                throw .failed(error)
            }
            close(descriptor)
        }
        // As a session is called by any path, the name may be that of another program's file, such as Cargo.lock.
        guard Self.holdsAtMostPID(descriptor) else {
            close(descriptor)
            throw .failed(FileError(operation: .lock, path: path, code: EEXIST))
        }
        self.descriptor = descriptor
        ftruncate(descriptor, 0)
        // The lock works without a pid in it, so a full disk does not matter here.
        _ = "\(getpid())\n".withCString { Glibc.write(descriptor, $0, strlen($0)) }
    }

    /// Takes a lock that others hold for a moment only, such as while they write a file. Waits for it, for some seconds at most.
    static func waiting(for path: String) throws(Refusal) -> LockFile {
        for _ in 0..<100 {
            do throws(Refusal) {
                return try LockFile(path: path)
            } catch {
                if case .failed = error { throw error }
                usleep(20_000)
            }
        }
        return try LockFile(path: path)
    }

    deinit {
        // If somebody has removed the file, another process may have made it again and hold that lock.
        if (try? Self.isNamed(path, descriptor)) == true { unlink(path) }
        close(descriptor)
    }

    /// Whether the open file is empty or holds a pid, as those of this program do.
    private static func holdsAtMostPID(_ descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return (0..<bytes.count).contains(count) && bytes.prefix(count).allSatisfy { $0 == 0x0A || (0x30...0x39).contains($0) }
    }

    /// Whether the open file is the one at the path.
    private static func isNamed(_ path: String, _ descriptor: Int32) throws(FileError) -> Bool {
        var ours = stat()
        guard fstat(descriptor, &ours) == 0 else { throw FileError(operation: .lock, path: path, code: errno) }
        let visible = try RegularFile.status(of: path, for: .lock)
        return visible?.st_ino == ours.st_ino && visible?.st_dev == ours.st_dev
    }

    private static func owner(_ path: String) -> Int32? {
        guard let bytes = try? Files.read(path, limit: 32) else { return nil }
        return Int32(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber })
    }
}
