import Glibc
import PatchFiles
import OperatingSystem

/// Finds the best state of a session: its file, or, if that is damaged, gone or replaced by something else, the newest valid generation.
struct SessionLoader {
    let file: String
    /// If false, nothing is moved or written.
    let canWrite: Bool
    /// The symbolic link by which it was reached, or which it is. If the target is damaged, it is not renamed, since it may be any file of the
    /// user.
    let link: String?

    struct Loaded {
        var session: Session
        /// The file's contents; `nil` if there is no file.
        var bytes: [UInt8]?
        var readOnlyReason: String?
        var notices: [SessionNotice] = []
    }

    func load(initial: Session) throws(SessionStoreError) -> Loaded {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try Files.read(file, limit: YAMLSource.maximumSize)
        } catch {
            if case .kind(let kind) = error.cause { return try loadOlder(inPlaceOf: kind, error) }
            guard error.code == ENOENT else { throw .unreadable(error) }
            return try recoverMissing(initial: initial)
        }
        do throws(Diagnostics) {
            let read = try Session.parse(bytes: bytes, file: file)
            var loaded = Loaded(session: read.session, bytes: bytes)
            if read.isNewer {
                loaded.readOnlyReason = "it was written by a newer version of the program"
                return loaded
            }
            if read.isAltered { loaded.notices.append(.altered(file: file, hasOlder: newestGeneration != nil)) }
            if !read.doubts.isEmpty { loaded.notices.append(.doubtful(file: file, Diagnostics(read.doubts))) }
            return loaded
        } catch {
            // A newer version's file is not treated as damaged.
            if error.all.contains(where: { if case .newerFormat = $0.fault as? TextFault { true } else { false } }) {
                throw .newerFormat(error)
            }
            let older = newestGeneration
            for case .foreign(let content, _) in error.all.compactMap({ $0.fault as? TextFault }) {
                // A session that an editor has written in UTF-16 has older states; any other content is somebody's own file.
                guard content == .wideText, older != nil else { throw .notText(error) }
            }
            return try recover(from: older, initial: initial, faults: error)
        }
    }

    private typealias Generation = (path: String, bytes: [UInt8], session: Session)

    /// A link may have been put in the place of a file that has generations, or something else where the link leads.
    private var generations: [Generations] { ([file] + (link.map { [$0, Paths.real($0)] } ?? [])).map { Generations(file: $0) } }

    private var newestGeneration: Generation? {
        for generations in generations { if let newest = generations.newestValid { return newest } }
        return nil
    }

    /// The newest generation of a session whose file is gone, or `initial` if no generation exists, as before the first save.
    private func recoverMissing(initial: Session) throws(SessionStoreError) -> Loaded {
        let older = newestGeneration
        let notice = SessionNotice.missing(file: file, loaded: older?.path)
        guard let older else {
            return Loaded(session: initial, notices: generations.flatMap(\.paths).contains(where: Files.isFile) ? [notice] : [])
        }
        guard canWrite else { return Loaded(session: older.session, notices: [notice]) }
        try replace(with: older)
        return Loaded(session: older.session, bytes: older.bytes, notices: [notice])
    }

    /// Why a session is not saved at whose path there is something else.
    static func obstruction(_ kind: FileKind) -> String { "there is \(kind.noun) in its place. Move it away, then open the session again" }

    /// The newest generation of a session whose file something else has replaced, such as a folder. That is not moved, since it may be anything.
    private func loadOlder(inPlaceOf kind: FileKind, _ error: FileError) throws(SessionStoreError) -> Loaded {
        guard let older = newestGeneration else { throw .unreadable(error) }
        return Loaded(
            session: older.session, bytes: older.bytes, readOnlyReason: Self.obstruction(kind),
            notices: [.missing(file: file, loaded: older.path)])
    }

    private func recover(from older: Generation?, initial: Session, faults: Diagnostics) throws(SessionStoreError) -> Loaded {
        guard canWrite, link == nil else {
            let reason = link == nil ? nil : "it is a link to a damaged file, which is kept as it is"
            let notice = SessionNotice.setAside(file: file, as: nil, faults: faults, loaded: older?.path)
            return Loaded(session: older?.session ?? initial, readOnlyReason: reason, notices: [notice])
        }
        let aside: String
        do throws(FileError) { aside = try nameAside() } catch { throw .cannotWrite(error) }
        let notice = SessionNotice.setAside(file: file, as: aside, faults: faults, loaded: older?.path)
        guard let older else {
            do throws(FileError) { try Files.move(file, to: aside) } catch { throw .cannotWrite(error) }
            return Loaded(session: initial, notices: [notice])
        }
        // The damaged file keeps its name until the older state is on disk: until then, another start has to find it.
        try replace(with: older) { () throws(FileError) in
            // Without hard links there is no file for a moment; a start that finds none recovers it as well.
            if Glibc.link(file, aside) != 0 { try Files.move(file, to: aside) }
        }
        return Loaded(session: older.session, bytes: older.bytes, notices: [notice])
    }

    /// Writes a generation to the session's file at once, so that the next start does not have to recover it again.
    private func replace(with older: Generation, beforeRename: () throws(FileError) -> Void = {}) throws(SessionStoreError) {
        do throws(FileError) {
            try Files.replace(file, with: older.bytes) { _ throws(FileError) in try beforeRename() }
        } catch {
            throw .cannotWrite(error)
        }
    }

    /// A name for the damaged file that is not taken, or that it has already, if a start was interrupted.
    private func nameAside() throws(FileError) -> String {
        var path = file + ".damaged"
        var number = 1
        let own = try FileIdentity(file)
        // This process holds the lock, so no other instance takes the name meanwhile.
        while let other = try FileIdentity(path, followsLinks: false), other != own {
            number += 1
            path = file + ".damaged-\(number)"
        }
        return path
    }
}
