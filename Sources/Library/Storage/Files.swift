import Glibc
import OperatingSystem

/// The few file operations that patches, sessions and preferences need. Each leaves a complete file or throws.
enum Files {
    /// Reads at most `limit` bytes and one more, so that the caller can detect that a file is too large.
    static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] { try RegularFile.read(path, limit: limit) }

    /// Replaces a file's contents with `bytes` by way of `PATH.tmp`: ``RegularFile/replace(_:with:by:permissions:isDurable:beforeRename:)``.
    ///
    /// - Parameter beforeRename: is given the state that the file will have: once it is in place, somebody else may write it.
    @discardableResult
    static func replace(
        _ path: String, with bytes: [UInt8], isDurable: Bool = true, beforeRename: (FileIdentity?) throws(FileError) -> Void = { _ in }
    ) throws(FileError) -> FileError? {
        let temporary = path + ".tmp"
        return try RegularFile.replace(path, with: bytes, by: temporary, isDurable: isDurable) { () throws(FileError) in
            try beforeRename(FileIdentity(temporary))
        }
    }

    /// Removes what a process that was killed while it replaced a file has left beside it.
    static func removeRemains(of path: String) { unlink(path + ".tmp") }

    /// Renames a file, replacing any at the new path. rename(2)
    static func move(_ from: String, to path: String) throws(FileError) {
        guard rename(from, path) == 0 else { throw FileError(operation: .rename, path: from, code: errno) }
    }

    /// Whether there is a file that can be looked at; for finding files, not for replacing them.
    static func isFile(_ path: String) -> Bool { (try? FileKind.at(path)) == .regular }
    static func isFolder(_ path: String) -> Bool { (try? FileKind.at(path)) == .folder }

    /// Whether there is anything at `path`, even a broken link. Throws if it cannot be looked at. lstat(2)
    static func exists(_ path: String) throws(FileError) -> Bool { try RegularFile.status(of: path, followsLinks: false) != nil }

    /// The error for a path that leads to something other than a regular file, such as a pipe, or nowhere, such as a loop of links; `nil`
    /// for a file, and if there is nothing. Nothing is opened.
    static func obstacle(at path: String) -> FileError? {
        do throws(FileError) {
            guard let kind = try FileKind.at(path), kind != .regular else { return nil }
            return FileError(operation: .read, path: path, cause: .kind(kind))
        } catch {
            return error
        }
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

    /// The absolute path with symbolic links resolved, broken ones too; a part that does not exist yet is kept as it is.
    static func real(_ path: String) -> String { real(path, links: 0) }

    private static func real(_ path: String, links: Int) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let (folder, name) = (folder(of: path), name(of: path))
        // "/" always exists, and so does "." unless the working folder was removed.
        guard folder != path, path != "." else { return path }
        let place = name.isEmpty ? real(folder, links: links) : absolute(name, in: real(folder, links: links))
        guard !name.isEmpty, links < maximumLinks, let target = RegularFile.linkTarget(of: place) else { return place }
        return real(absolute(target, in: Paths.folder(of: place)), links: links + 1)
    }

    /// The most broken links that are followed, as in the system.
    private static let maximumLinks = 40
}
