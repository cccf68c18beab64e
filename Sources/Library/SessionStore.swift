import Glibc
import Patches
import RegularFiles
import Synchronization

/// The one writer of a session's file. It does file I/O where it is called; any thread may call it, one at a time gets on.
///
/// Beside `NAME.yaml` lie `NAME.yaml.lock` with the owner's pid, `NAME.yaml.1` (the newest) to `NAME.yaml.5` as older generations, and
/// `NAME.position`. A file that is wrong becomes `NAME.yaml.damaged`, and no file is ever written over but by a newer state of itself.
package final class SessionStore: Sendable {
    package static let generationCount = 5
    /// Generations are not used up faster than one in so many seconds, but at loading and when a save is asked for.
    package static let generationInterval = 600.0

    package let file: String
    /// Why nothing is saved; `nil` when it is.
    package let readOnlyReason: String?
    private let state: Mutex<State>

    private struct State: ~Copyable {
        var lock: LockFile?
        /// What lies in the file as far as this process knows.
        var saved: FileState?
        var lastRotation: Double?
    }

    private struct FileState {
        var bytes: [UInt8]
        var identity: Identity?
        /// Also its folder is on the disk.
        var isDurable = true
    }

    /// Tells whether somebody else has written the file.
    private struct Identity: Equatable {
        var inode: UInt64
        var size: Int64
        var seconds: Int64
        var nanoseconds: Int64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            seconds = Int64(status.st_mtim.tv_sec)
            nanoseconds = Int64(status.st_mtim.tv_nsec)
        }
    }

    package struct Opened: Sendable {
        package let store: SessionStore
        package let session: Session
        /// A newer version has written it, and so it is not saved.
        package let isNewer: Bool
        /// Where it was last time, `nil` when that is not known.
        package let position: SavedPosition?
        /// For the user.
        package let notices: [SessionNotice]
    }

    package enum Occasion: Sendable {
        /// It changed, or the program ends.
        case change
        /// Somebody asked for it.
        case explicit
    }

    /// Where a session lies that is found under this path: the same for all ways to it, and before it is there.
    package static func place(of file: String) -> String { Paths.real(file) }

    /// Takes the lock and loads the session; where there is none yet it is `initial`, and nothing is written before the first save.
    package static func open(file: String, initial: Session) throws(SessionStoreError) -> Opened {
        // Nothing is put beside a device either.
        do throws(FileError) { try RegularFile.requireRegular(file, for: .read) } catch { throw .unreadable(error) }
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
        let loaded = try SessionLoader(file: file, canWrite: readOnlyReason == nil).load(initial: initial)
        let isNewer = loaded.readOnlyReason != nil
        readOnlyReason = readOnlyReason ?? loaded.readOnlyReason
        let notices = loaded.notices + (readOnlyReason.map { [.readOnly(file: file, reason: $0)] } ?? [])
        let store = SessionStore(file: file, readOnlyReason: readOnlyReason, lock: lock.take(), bytes: loaded.bytes)
        return Opened(
            store: store, session: loaded.session, isNewer: isNewer, position: SavedPosition.load(besides: file), notices: notices)
    }

    private init(file: String, readOnlyReason: String?, lock: consuming LockFile?, bytes: [UInt8]?) {
        self.file = file
        self.readOnlyReason = readOnlyReason
        state = Mutex(State(lock: lock, saved: bytes.map { FileState(bytes: $0, identity: Identity(file)) }, lastRotation: nil))
    }

    /// When this returns the session is on the disk. When it throws, the file is what it was, but for ``SessionStoreError/notDurable(_:)``.
    ///
    /// - Parameter seconds: any clock that does not go back; for the interval of the generations.
    package func save(_ session: Session, _ occasion: Occasion, at seconds: Double) throws(SessionStoreError) {
        if let readOnlyReason { throw .readOnly(file: file, reason: readOnlyReason) }
        let bytes = Array(session.yaml.utf8)
        // It could not be read again.
        guard bytes.count <= YAMLSource.maximumSize else { throw .tooLarge(file: file, bytes: bytes.count) }
        let failure: SessionStoreError? = state.withLock { state in
            do throws(FileError) {
                let isUntouched = state.saved?.identity != nil && state.saved?.identity == Identity(file)
                let isSame = isUntouched && state.saved?.bytes == bytes
                if isSame, occasion == .change, state.saved?.isDurable == true { return nil }
                let isDue = state.lastRotation.map { seconds - $0 >= Self.generationInterval } ?? true
                let rotates = !isSame && (isDue || occasion == .explicit || !isUntouched)
                let generations = Generations(file: file)
                let doubt = try Files.replace(
                    file, with: bytes, beforeRename: { () throws(FileError) in if rotates { try generations.rotate() } })
                if rotates { state.lastRotation = seconds }
                state.saved = FileState(bytes: bytes, identity: Identity(file), isDurable: doubt == nil)
                return doubt.map { .notDurable($0) }
            } catch {
                return .cannotWrite(error)
            }
        }
        if let failure { throw failure }
    }

    /// Writes where it plays beside the session, so that generations are not used up by the clock. When this returns it is on the disk.
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

    /// Gives the lock back, as does the end of the store.
    package func close() {
        state.withLock { $0.lock = nil }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
