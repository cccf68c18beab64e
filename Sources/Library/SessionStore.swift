import Glibc
import PatchFiles
import RegularFiles
import Synchronization

/// The only writer of a session's file. It does file I/O on the calling thread; any thread may call it, and calls wait for each other.
///
/// Beside `NAME.yaml` are `NAME.yaml.lock` with the owner's pid, `NAME.yaml.1` (the newest) to `NAME.yaml.5` as older generations, and
/// `NAME.position`. A damaged file is renamed to `NAME.yaml.damaged`; a session's file is only overwritten with a newer state of that
/// session.
package final class SessionStore: Sendable {
    package static let generationCount = 5
    /// Minimum seconds between two generations, except when the session is loaded or saved on request.
    package static let generationInterval = 600.0

    package let file: String
    /// Why nothing is saved; `nil` if the session can be saved.
    package let readOnlyReason: String?
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var lock: LockFile?
        /// The file's contents as far as this process knows; `nil` if unknown.
        var saved: FileState?
        var lastRotation: Double?
    }

    private struct FileState {
        var bytes: [UInt8]
        /// Differs if somebody else has written it.
        var identity: FileIdentity?
        /// Whether the folder has been synced too.
        var isDurable = true
    }

    package struct Opened: Sendable {
        package let store: SessionStore
        package let session: Session
        /// Whether there was no file, so that this is its initial state.
        package let isNew: Bool
        /// The file is kept as it is: a newer version has written it, or it is a damaged one that a link leads to.
        package let isKept: Bool
        /// The position at which it stopped playing; `nil` if unknown.
        package let position: SavedPosition?
        /// Messages for the user.
        package let notices: [SessionNotice]
    }

    package enum Occasion: Sendable {
        /// The session has changed, or the program ends.
        case change
        /// Saving was requested.
        case explicit
    }

    /// The file's real path: the same for all paths that lead to it, even before it exists.
    package static func place(of file: String) -> String { Paths.real(file) }

    /// Takes the lock and loads the session; if there is no file it is `initial`, and nothing is written before the first save.
    package static func open(file: String, initial: Session) throws(SessionStoreError) -> Opened {
        // No files are put beside a device either.
        do throws(FileError) { try RegularFile.requireRegular(file, for: .read) } catch { throw .unreadable(error) }
        let isLink = FileKind.isLink(file)
        let file = place(of: file)
        var readOnlyReason: String?
        var lock: LockFile?
        do throws(LockFile.Refusal) {
            try? Files.makeFolder(Paths.folder(of: file))
            lock = try LockFile(path: file + ".lock")
        } catch {
            switch error {
            case .heldBy(let pid): throw .inUse(file: file, pid: pid)
            case .failed(let failure): readOnlyReason = "\(failure)".trimmingSuffix(".")
            }
        }
        let loaded = try SessionLoader(file: file, canWrite: readOnlyReason == nil, isLink: isLink).load(initial: initial)
        let isKept = loaded.readOnlyReason != nil
        readOnlyReason = readOnlyReason ?? loaded.readOnlyReason
        let notices = loaded.notices + (readOnlyReason.map { [.readOnly(file: file, reason: $0)] } ?? [])
        let store = SessionStore(file: file, readOnlyReason: readOnlyReason, lock: lock.take(), bytes: loaded.bytes)
        return Opened(
            store: store, session: loaded.session, isNew: loaded.bytes == nil, isKept: isKept,
            position: SavedPosition.load(besides: file), notices: notices)
    }

    private init(file: String, readOnlyReason: String?, lock: consuming LockFile?, bytes: [UInt8]?) {
        self.file = file
        self.readOnlyReason = readOnlyReason
        state = Mutex(State(lock: lock, saved: bytes.map { FileState(bytes: $0, identity: FileIdentity(file)) }, lastRotation: nil))
    }

    /// Saves the session. When this returns, it is on disk; when it throws, the file is unchanged, except for
    /// ``SessionStoreError/notDurable(_:)``.
    ///
    /// - Parameter seconds: any clock that does not go back; for the interval between generations.
    package func save(_ session: Session, _ occasion: Occasion, at seconds: Double) throws(SessionStoreError) {
        if let readOnlyReason { throw .readOnly(file: file, reason: readOnlyReason) }
        let bytes = Array(session.yaml.utf8)
        // A larger file could not be read again.
        guard bytes.count <= YAMLSource.maximumSize else { throw .tooLarge(file: file, bytes: bytes.count) }
        let failure: SessionStoreError? = state.withLock { state in
            do throws(FileError) {
                let isUntouched = state.saved?.identity != nil && state.saved?.identity == FileIdentity(file)
                let isSame = isUntouched && state.saved?.bytes == bytes
                if isSame, occasion == .change, state.saved?.isDurable == true { return nil }
                let isDue = state.lastRotation.map { seconds - $0 >= Self.generationInterval } ?? true
                let rotates = !isSame && (isDue || occasion == .explicit || !isUntouched)
                let generations = Generations(file: file)
                let doubt = try Files.replace(
                    file, with: bytes, beforeRename: { () throws(FileError) in if rotates { try generations.rotate() } })
                if rotates { state.lastRotation = seconds }
                state.saved = FileState(bytes: bytes, identity: FileIdentity(file), isDurable: doubt == nil)
                return doubt.map { .notDurable($0) }
            } catch {
                return .cannotWrite(error)
            }
        }
        if let failure { throw failure }
    }

    /// Writes the playing position to a file of its own, so that saving it uses up no generations. When this returns, it is on disk.
    package func savePosition(_ position: SavedPosition) throws(SessionStoreError) {
        if let readOnlyReason { throw .readOnly(file: file, reason: readOnlyReason) }
        let failure: SessionStoreError? = state.withLock { _ in
            do throws(FileError) {
                return try Files.replace(SavedPosition.path(besides: file), with: Array(position.text.utf8)).map { .notDurable($0) }
            } catch {
                return .cannotWrite(error)
            }
        }
        if let failure { throw failure }
    }

    /// Releases the lock, as does deallocation.
    package func close() {
        state.withLock { $0.lock = nil }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
