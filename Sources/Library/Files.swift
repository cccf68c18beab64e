import Glibc

/// The few file operations that sessions need, each one ending in a whole file or in an error.
enum Files {
    /// At most `limit` bytes and one more, so that the reader sees that there are too many.
    static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(operation: .read, path: path, code: errno) }
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

    /// Puts `bytes` in place of the file: written beside it, brought to disk, renamed over it, the folder brought to disk.
    ///
    /// Whenever this stops, by an error or by the end of the process, the old file is whole or the new one is.
    /// - Parameter beforeRename: is called when the new file is safe and the old one still in place.
    /// - Parameter isDurable: false leaves it to the system when it reaches the disk; then only a power failure can lose the file.
    /// - Returns: why the folder could not be brought to disk: the new file is in place then, but a power failure may bring the old one back.
    @discardableResult
    static func replace(_ path: String, with bytes: [UInt8], isDurable: Bool = true, beforeRename: () throws(FileError) -> Void = {})
        throws(FileError) -> FileError?
    {
        let temporary = path + ".tmp"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(operation: .create, path: temporary, code: errno) }
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
            guard rename(temporary, path) == 0 else { throw FileError(operation: .rename, path: path, code: errno) }
        } catch {
            unlink(temporary)
            throw error
        }
        return isDurable ? syncFolder(of: path) : nil
    }

    private static func syncFolder(of path: String) -> FileError? {
        let folder = Paths.folder(of: path)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return FileError(operation: .sync, path: folder, code: errno) }
        defer { close(descriptor) }
        // Some file systems cannot sync a folder and say EINVAL; there is nothing more to do for it then.
        return fsync(descriptor) == 0 || errno == EINVAL ? nil : FileError(operation: .sync, path: folder, code: errno)
    }

    /// Makes a folder and those above it, for the user alone.
    static func makeFolder(_ path: String) throws(FileError) {
        if isFolder(path) { return }
        let parent = Paths.folder(of: path)
        if parent != path { try makeFolder(parent) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(operation: .makeFolder, path: path, code: errno) }
    }

    static func isFile(_ path: String) -> Bool { kind(path) == S_IFREG }
    static func isFolder(_ path: String) -> Bool { kind(path) == S_IFDIR }

    /// Whatever it is, also a link that leads nowhere.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Names in a folder, sorted; none when it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // SAFETY: d_name is a C string within the entry, which is valid until the next call.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            names.append(name)
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
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

/// Paths as text.
enum Paths {
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Without `.yaml`, `.yml` or `.sbg`.
    static func withoutExtension(_ path: String) -> String {
        for ending in [".yaml", ".yml", sequenceExtension] where path.hasSuffix(ending) { return String(path.dropLast(ending.count)) }
        return path
    }

    /// Of a sequence of SBaGen.
    static let sequenceExtension = ".sbg"

    static func absolute(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : (folder == "/" ? "" : folder) + "/" + path
    }

    /// Absolute, with symbolic links followed; the part of it that is not there yet stays as it is.
    static func real(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let (folder, name) = (folder(of: path), name(of: path))
        // "/" is always there, and so is "." but where the working folder was removed.
        guard folder != path, path != "." else { return path }
        return name.isEmpty ? real(folder) : absolute(name, in: real(folder))
    }
}
