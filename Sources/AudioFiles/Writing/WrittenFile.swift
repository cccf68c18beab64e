import Csndfile
import Glibc

/// The file that libsndfile writes through ``calls``.
///
/// libsndfile forgets errors of the system, above all while it closes a file. So this counts the bytes that the kernel has taken, and keeps the
/// first error.
final class WrittenFile {
    private let descriptor: Int32
    private var position: Int64 = 0
    /// Bytes of the file.
    private(set) var length: Int64 = 0
    /// errno of the first call that failed; 0 if none has.
    private(set) var failure: Int32 = 0

    /// - Parameter descriptor: An empty file, open for reading and writing; it is closed with this object.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Writes bytes at an offset, all of them or as many as the kernel takes. Returns their number. pwrite(2)
    @discardableResult
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int {
        var done = 0
        while failure == 0, done < bytes.count {
            // SAFETY: the call reads at most the bytes from `done` on.
            let count = pwrite(descriptor, bytes.baseAddress.unsafelyUnwrapped + done, bytes.count - done, off_t(offset) + done)
            // A file that takes nothing would be tried for ever.
            let code = count > 0 ? 0 : count == 0 ? EIO : errno
            if code == EINTR { continue }
            if code != 0 { failure = code } else { done += count }
        }
        length = max(length, offset + Int64(done))
        return done
    }

    /// The bytes from an offset on, at most `count`, and fewer only at the end of the file or after a failure. pread(2)
    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, min(count, Int(length - offset))))
        var done = 0
        while failure == 0, done < bytes.count {
            // SAFETY: the call writes at most the bytes from `done` on.
            let (read, code) = bytes.withUnsafeMutableBytes { buffer in
                let read = pread(descriptor, buffer.baseAddress.unsafelyUnwrapped + done, buffer.count - done, off_t(offset) + done)
                return (read, read > 0 ? 0 : read == 0 ? EIO : errno)
            }
            if code == EINTR { continue }
            if code != 0 { failure = code } else { done += read }
        }
        bytes.removeLast(bytes.count - done)
        return bytes
    }

    /// ftruncate(2)
    func truncate(to length: Int64) {
        guard failure == 0 else { return }
        if ftruncate(descriptor, off_t(length)) == 0 { self.length = length } else { failure = errno }
    }

    /// fsync(2)
    func sync() {
        guard failure == 0 else { return }
        if fsync(descriptor) != 0 { failure = errno }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = write(bytes, at: position)
        position += Int64(count)
        return count
    }

    private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
        switch origin {
        case Int32(SF_SEEK_SET): position = offset
        case Int32(SF_SEEK_CUR): position += offset
        default: position = length + offset
        }
        return position
    }

    /// SAFETY: the context is an object that outlives the handle.
    private static func object(_ context: UnsafeMutableRawPointer?) -> WrittenFile? {
        context.map { Unmanaged<WrittenFile>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The calls that sf_open_virtual takes, for an object of this class as its context.
    static let calls = SF_VIRTUAL_IO(
        get_filelen: { object($0)?.length ?? 0 },
        seek: { object($2)?.seek($0, $1) ?? -1 },
        read: { _, _, _ in 0 },
        write: { data, count, context in
            guard let data, let object = object(context) else { return 0 }
            return sf_count_t(object.append(UnsafeRawBufferPointer(start: data, count: Int(count))))
        },
        tell: { object($0)?.position ?? 0 })
}
