import Glibc

/// Opens, reads and replaces regular files, and nothing else: no pipe or device can hold the program up, because none is ever opened.
///
/// What a path leads to is looked at before it is opened, since opening a device may set it going, and again once it is open, since another
/// file may have taken its place in between: that one is opened without waiting.
package enum RegularFile {
    /// Flags for opening every file. With `O_NONBLOCK` neither `open` nor a read waits for somebody at the other end.
    private static let flags = O_NONBLOCK | O_NOCTTY | O_CLOEXEC

    /// Opens a file for reading; the caller closes it. open(2), fstat(2)
    package static func open(_ path: String) throws(FileError) -> Int32 {
        try open(path, O_RDONLY, for: .read)
    }

    /// Opens a file to hold a lock on it, and makes it where it is not there, for the user alone; the caller closes it. open(2), fstat(2)
    package static func openLock(_ path: String) throws(FileError) -> Int32 {
        try open(path, O_RDWR | O_CREAT, for: .lock)
    }

    private static func open(_ path: String, _ access: Int32, for operation: FileError.Operation) throws(FileError) -> Int32 {
        try requireRegular(path, for: operation)
        let descriptor = Glibc.open(path, access | flags, 0o600)
        guard descriptor >= 0 else { throw FileError(operation: operation, path: path, code: errno) }
        do throws(FileError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw FileError(operation: operation, path: path, code: errno) }
            let kind = FileKind(status)
            guard kind == .regular else { throw FileError(operation: operation, path: path, cause: .kind(kind)) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Whether the path is free or leads to a regular file.
    package static func requireRegular(_ path: String, for operation: FileError.Operation) throws(FileError) {
        if let kind = FileKind.at(path), kind != .regular { throw FileError(operation: operation, path: path, cause: .kind(kind)) }
    }

    /// At most `limit` bytes and one more, so that the reader sees that there are too many, however large the file is or becomes.
    package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            var code: Int32 = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: min(1 << 16, limit + 1 - bytes.count)) { buffer, count in
                // SAFETY: the call writes at most `buffer.count` bytes from its start, and says how many.
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                count = max(0, result)
                code = result < 0 ? errno : 0
            }
            if code == EINTR { continue }
            guard code == 0 else { throw FileError(operation: .read, path: path, code: code) }
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes
    }

    /// Makes a new file for reading and writing, in place of whatever had this name but a folder; the caller closes it. For names that only
    /// this program gives. unlink(2), open(2)
    package static func create(_ path: String) throws(FileError) -> Int32 {
        unlink(path)
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | flags, 0o666)
        guard descriptor >= 0 else {
            let code = errno
            // Only a folder stays when it is to be removed.
            if code == EEXIST { try requireRegular(path, for: .create) }
            throw FileError(operation: .create, path: path, code: code)
        }
        return descriptor
    }

    /// Puts `bytes` in place of the file: written beside it, brought to disk, renamed over it, the folder brought to disk.
    ///
    /// Whenever this stops, by an error or by the end of the process, the old file is whole or the new one is.
    /// - Parameter temporary: the name of the new file until it is whole, in the same folder.
    /// - Parameter beforeRename: is called when the new file is safe and the old one still in place.
    /// - Parameter isDurable: false leaves it to the system when it reaches the disk; then only a power failure can lose the file.
    /// - Returns: why the folder could not be brought to disk: the new file is in place then, but a power failure may bring the old one back.
    @discardableResult
    package static func replace(
        _ path: String, with bytes: [UInt8], by temporary: String, isDurable: Bool = true,
        beforeRename: () throws(FileError) -> Void = {}
    ) throws(FileError) -> FileError? {
        try requireRegular(path, for: .create)
        let descriptor = try create(temporary)
        do throws(FileError) {
            var old = stat()
            if stat(path, &old) == 0 { fchmod(descriptor, old.st_mode & 0o777) }
            try write(bytes, to: descriptor, path: temporary)
            guard !isDurable || fsync(descriptor) == 0 else { throw FileError(operation: .sync, path: temporary, code: errno) }
            close(descriptor)
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        do throws(FileError) {
            try beforeRename()
            try move(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
        return isDurable ? syncFolder(of: path) : nil
    }

    /// Gives a file that is whole its name, from which a regular file may go. rename(2)
    package static func move(_ temporary: String, to path: String) throws(FileError) {
        try requireRegular(path, for: .create)
        guard rename(temporary, path) == 0 else { throw FileError(operation: .rename, path: path, code: errno) }
    }

    private static func syncFolder(of path: String) -> FileError? {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return FileError(operation: .sync, path: folder, code: errno) }
        defer { close(descriptor) }
        // Some file systems cannot sync a folder and say EINVAL; there is nothing more to do for it then.
        return fsync(descriptor) == 0 || errno == EINVAL ? nil : FileError(operation: .sync, path: folder, code: errno)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // SAFETY: the call reads `count` bytes of a buffer that is valid for its duration.
            let (written, code) = rest.withUnsafeBytes { buffer in
                let result = Glibc.write(descriptor, buffer.baseAddress, buffer.count)
                return (result, result < 0 ? errno : 0)
            }
            if code == EINTR { continue }
            guard code == 0 else { throw FileError(operation: .write, path: path, code: code) }
            rest = rest.dropFirst(written)
        }
    }
}
