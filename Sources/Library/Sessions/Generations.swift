import Glibc
import PatchFiles
import OperatingSystem

/// The older versions of a session's file: `FILE.1` is the newest, `FILE.5` the oldest.
struct Generations {
    let file: String

    var paths: [String] {
        (1...SessionStore.generationCount).map { "\(file).\($0)" }
    }

    /// The newest one that can be read and is not of a newer format.
    var newestValid: (path: String, bytes: [UInt8], session: Session)? {
        for path in paths {
            guard let bytes = try? Files.read(path, limit: YAMLSource.maximumSize),
                let parsed = try? Session.parse(bytes: bytes, file: path), !parsed.isNewer
            else { continue }
            return (path, bytes, parsed.session)
        }
        return nil
    }

    /// Makes the file's present contents the newest generation, unless they are already; the oldest one is removed.
    ///
    /// The file itself stays in place throughout, under both names. An interruption leaves a gap in the numbers but loses only the oldest
    /// generation.
    func rotate() throws(FileError) {
        let newest = paths[0]
        guard try FileKind.at(file) == .regular else { return }
        // A file that was made too large to be a session is kept as well, but not read.
        let limit = YAMLSource.maximumSize
        let current = try Files.read(file, limit: limit)
        let isWhole = current.count <= limit
        if isWhole, let last = try? Files.read(newest, limit: limit), last == current { return }
        // All are looked at before one is moved, so that an error leaves them as they are.
        var moves: [(from: String, to: String)] = []
        for (from, to) in zip(paths, paths.dropFirst()) { if try Files.exists(from) { moves.append((from, to)) } }
        for (from, to) in moves.reversed() { try Files.move(from, to: to) }
        if link(file, newest) == 0 { return }
        // Some file systems have no hard links.
        guard isWhole, errno != EEXIST else { throw FileError(operation: .create, path: newest, code: errno) }
        try Files.replace(newest, with: current)
    }
}
