import Glibc
import PatchFiles
import RegularFiles

/// The state of a session that was saved on request last, in `FILE.requested`, while the session's file has later changes.
struct RequestedState {
    let file: String

    var path: String { file + ".requested" }

    /// Its contents; `nil` if it cannot be read, or is not as it was written.
    var valid: (bytes: [UInt8], session: Session)? {
        guard let bytes = try? Files.read(path, limit: YAMLSource.maximumSize),
            let parsed = try? Session.parse(bytes: bytes, file: path), !parsed.isNewer, !parsed.isAltered
        else { return nil }
        return (bytes, parsed.session)
    }

    /// Writes it with the permissions of the session's file. When this returns, it is on disk.
    func write(_ bytes: [UInt8]) throws(FileError) {
        let permissions = try RegularFile.status(of: file).map { $0.st_mode & 0o777 }
        try RegularFile.replace(path, with: bytes, by: path + ".tmp", permissions: permissions)
    }

    /// Removes it: the session's file has that state, or a later one that was saved on request.
    func remove() { unlink(path) }

    /// Renames one that cannot be used, before the next one is written.
    func setAside() { rename(path, path + ".damaged") }
}
