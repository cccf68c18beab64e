import Glibc
import PatchFiles
import RegularFiles

/// Finds the best state of a session: its file, or, if that is damaged, the newest valid generation.
struct SessionLoader {
    let file: String
    /// If false, nothing is moved or written.
    let canWrite: Bool
    /// Whether it was reached by a symbolic link. If the target is damaged, it is not renamed, since it may be any file of the user.
    let isLink: Bool

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
            guard error.code == ENOENT else { throw .unreadable(error) }
            return Loaded(session: initial)
        }
        do throws(Diagnostics) {
            let (session, isNewer) = try Session.parse(bytes: bytes, file: file)
            return Loaded(
                session: session, bytes: bytes, readOnlyReason: isNewer ? "it was written by a newer version of the program" : nil)
        } catch {
            // A newer version's file is not treated as damaged.
            if error.all.contains(where: { if case .newerFormat = $0.fault as? TextFault { true } else { false } }) {
                throw .newerFormat(error)
            }
            if error.all.contains(where: { if case .foreign = $0.fault as? TextFault { true } else { false } }) { throw .notText(error) }
            return try recover(initial: initial, faults: error)
        }
    }

    private func recover(initial: Session, faults: Diagnostics) throws(SessionStoreError) -> Loaded {
        let canWrite = canWrite && !isLink
        let reason = isLink ? "it is a link to a damaged file, which is kept as it is" : nil
        let aside = canWrite ? try setAside() : nil
        for path in Generations(file: file).paths {
            guard let bytes = try? Files.read(path, limit: YAMLSource.maximumSize),
                let parsed = try? Session.parse(bytes: bytes, file: path), !parsed.isNewer
            else { continue }
            let notice = SessionNotice.setAside(file: file, as: aside, faults: faults, loaded: path)
            guard canWrite else { return Loaded(session: parsed.session, readOnlyReason: reason, notices: [notice]) }
            // Written back at once: without its file the session would start from its initial state next time.
            do throws(FileError) {
                try Files.replace(file, with: bytes)
            } catch {
                throw .cannotWrite(error)
            }
            return Loaded(session: parsed.session, bytes: bytes, notices: [notice])
        }
        let notice = SessionNotice.setAside(file: file, as: aside, faults: faults, loaded: nil)
        return Loaded(session: initial, readOnlyReason: reason, notices: [notice])
    }

    /// Renames the damaged file to a name that is not taken, and returns that name.
    private func setAside() throws(SessionStoreError) -> String {
        var path = file + ".damaged"
        var number = 1
        // This process holds the lock, so no other instance takes the name meanwhile.
        while Files.exists(path) {
            number += 1
            path = file + ".damaged-\(number)"
        }
        do throws(FileError) {
            try Files.move(file, to: path)
        } catch {
            throw .cannotWrite(error)
        }
        return path
    }
}
