import Glibc

/// Opens, reads and replaces regular files only. Pipes and devices are never opened, so none can block the program.
///
/// The kind of file is checked before opening, since opening a device may have effects, and again after opening, since another file may
/// have taken its place in between; opening that one does not block.
package enum RegularFile {
    /// Flags for opening every file. With `O_NONBLOCK` neither `open` nor a read waits for the other end of a pipe.
    private static let flags = O_NONBLOCK | O_NOCTTY | O_CLOEXEC

    /// Opens a file for reading; the caller closes it. open(2), fstat(2)
    package static func open(_ path: String) throws(FileError) -> Int32 {
        try open(path, O_RDONLY, for: .read)
    }

    /// Opens a file to hold a lock on it, and creates it for the user alone if it is missing; the caller closes it. open(2), fstat(2)
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

    /// Throws unless the path is free or leads to a regular file.
    package static func requireRegular(_ path: String, for operation: FileError.Operation) throws(FileError) {
        let kind = try status(of: path, for: operation).map { FileKind($0) }
        if let kind, kind != .regular { throw FileError(operation: operation, path: path, cause: .kind(kind)) }
    }

    /// The status of what is at a path; `nil` if there is nothing. stat(2), lstat(2)
    ///
    /// It throws any other error than that of a missing file, such as those of a server of files that does not answer: a file that could not
    /// be looked at may be there, and must not be replaced.
    package static func status(
        of path: String, followsLinks: Bool = true, for operation: FileError.Operation = .read
    ) throws(FileError) -> stat? {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) != 0 else { return status }
        let error = FileError(operation: operation, path: path, code: errno)
        if error.isMissing { return nil }
        throw error
    }

    /// The path in a symbolic link; `nil` for anything else. readlink(2)
    package static func linkTarget(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// Reads at most `limit` bytes and one more, so that the caller can detect that a file is too large.
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

    /// Creates a new file for reading and writing, in place of any file of this name; only a folder is an error. The caller closes it. For
    /// names that only this program uses. unlink(2), open(2)
    ///
    /// - Parameter permissions: permission bits of the file, from which the system takes those of its umask.
    package static func create(_ path: String, permissions: mode_t = 0o666) throws(FileError) -> Int32 {
        unlink(path)
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | flags, permissions)
        guard descriptor >= 0 else {
            let code = errno
            // unlink removes everything but a folder.
            if code == EEXIST { try requireRegular(path, for: .create) }
            throw FileError(operation: .create, path: path, code: code)
        }
        return descriptor
    }

    /// Writes a new file; if there is anything at the path, even a broken link, it throws and changes nothing. open(2)
    package static func writeNew(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | flags, 0o666)
        guard descriptor >= 0 else { throw FileError(operation: .create, path: path, code: errno) }
        defer { close(descriptor) }
        do throws(FileError) {
            try write(bytes, to: descriptor, path: path)
            guard fsync(descriptor) == 0 else { throw FileError(operation: .sync, path: path, code: errno) }
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Seconds since a file was last changed, by the clock of its file system; `nil` if it cannot be examined. stat(2)
    package static func age(of path: String) -> Double? {
        var status = stat()
        var now = timespec()
        guard stat(path, &status) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
        // Some file systems keep any number of seconds, whose difference may be too large for an integer.
        return Double(now.tv_sec) - Double(status.st_mtim.tv_sec) + Double(now.tv_nsec - status.st_mtim.tv_nsec) * 1e-9
    }

    /// Replaces a file's contents with `bytes`: they are written to a file beside it, synced, and renamed over it, and the folder is
    /// synced.
    ///
    /// If this is interrupted, by an error or by the end of the process, either the old file or the new one is complete.
    ///
    /// - Parameter temporary: the name of the new file until it is complete, in the same folder.
    /// - Parameter permissions: permission bits of the new file; `nil` keeps those of the old one.
    /// - Parameter beforeRename: is called when the new file is synced and the old one still in place.
    /// - Parameter isDurable: false does not sync; then a power failure can lose the file.
    /// - Returns: why the folder could not be synced; the new file is in place then, but a power failure may bring the old one back.
    @discardableResult
    package static func replace(
        _ path: String, with bytes: [UInt8], by temporary: String, permissions: mode_t? = nil, isDurable: Bool = true,
        beforeRename: () throws(FileError) -> Void = {}
    ) throws(FileError) -> FileError? {
        try requireRegular(path, for: .create)
        let old = permissions == nil ? try status(of: path, for: .create) : nil
        let descriptor = try create(temporary, permissions: permissions ?? 0o666)
        do throws(FileError) {
            if let old { fchmod(descriptor, old.st_mode & 0o777) }
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

    /// Renames a complete file to its final name, replacing a regular file of that name. rename(2)
    package static func move(_ temporary: String, to path: String) throws(FileError) {
        try requireRegular(path, for: .create)
        guard rename(temporary, path) == 0 else { throw FileError(operation: .rename, path: path, code: errno) }
    }

    private static func syncFolder(of path: String) -> FileError? {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return FileError(operation: .sync, path: folder, code: errno) }
        defer { close(descriptor) }
        // Some file systems cannot sync a folder and return EINVAL; nothing more can be done then.
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
