import Glibc
import RegularFiles

/// The few file operations that patches, sessions and preferences need. Each leaves a complete file or throws.
enum Files {
    /// Reads at most `limit` bytes and one more, so that the caller can detect that a file is too large.
    static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] { try RegularFile.read(path, limit: limit) }

    /// Replaces a file's contents with `bytes` by way of `PATH.tmp`: ``RegularFile/replace(_:with:by:permissions:isDurable:beforeRename:)``.
    @discardableResult
    static func replace(_ path: String, with bytes: [UInt8], isDurable: Bool = true, beforeRename: () throws(FileError) -> Void = {})
        throws(FileError) -> FileError?
    {
        try RegularFile.replace(path, with: bytes, by: path + ".tmp", isDurable: isDurable, beforeRename: beforeRename)
    }

    /// Renames a file, replacing any at the new path. rename(2)
    static func move(_ from: String, to path: String) throws(FileError) {
        guard rename(from, path) == 0 else { throw FileError(operation: .rename, path: from, code: errno) }
    }

    /// Makes a folder and its missing parents, accessible to the user only.
    static func makeFolder(_ path: String) throws(FileError) {
        if isFolder(path) { return }
        let parent = Paths.folder(of: path)
        if parent != path { try makeFolder(parent) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(operation: .makeFolder, path: path, code: errno) }
    }

    static func isFile(_ path: String) -> Bool { FileKind.at(path) == .regular }
    static func isFolder(_ path: String) -> Bool { FileKind.at(path) == .folder }

    /// Whether there is anything at `path`, even a broken link.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The names in a folder, sorted; empty if it cannot be read.
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
}

/// Operations on paths as text.
enum Paths {
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The path without `.yaml`, `.yml` or the extension of a sequence.
    static func withoutExtension(_ path: String) -> String {
        for ending in [".yaml", ".yml"] + sequenceExtensions where path.hasSuffix(ending) { return String(path.dropLast(ending.count)) }
        return path
    }

    /// The extensions of SBaGen's sequences, and of those of SBaGenX's library.
    static let sequenceExtensions = [".sbg", ".sbxseq"]

    static func absolute(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : (folder == "/" ? "" : folder) + "/" + path
    }

    /// The absolute path with symbolic links resolved; a part that does not exist yet is kept as it is.
    static func real(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let (folder, name) = (folder(of: path), name(of: path))
        // "/" always exists, and so does "." unless the working folder was removed.
        guard folder != path, path != "." else { return path }
        return name.isEmpty ? real(folder) : absolute(name, in: real(folder))
    }
}
