import Glibc
import PatchFiles
import OperatingSystem
import Synchronization

/// The only writer of a session's file. It does file I/O on the calling thread; any thread may call it, and calls wait for each other.
///
/// Beside `NAME.yaml` are `NAME.yaml.lock` with the owner's pid, `NAME.yaml.1` (the newest) to `NAME.yaml.5` as older generations, and
/// `NAME.position`. A damaged file is renamed to `NAME.yaml.damaged` once the newest valid generation has taken its place; a session's file is
/// only overwritten with a newer state of that session, or by ``putBackRequested()``.
package final class SessionStore: Sendable {
    package static let generationCount = 5
    /// Minimum seconds between two generations, except when the session is loaded or saved on request.
    package static let generationInterval = 600.0

    package let file: String
    /// The folder of the path that it was opened by, which may lead to the file through links.
    private let folder: String
    /// Why nothing is saved; `nil` if the session can be saved.
    package let readOnlyReason: String?
    private let lock: SessionLock
    private let state: Mutex<State>

    private struct State {
        /// The file's contents as far as this process knows; `nil` if unknown.
        var saved: FileState?
        var lastRotation: Double?
        /// The contents that were saved on request last, or that the session was opened with; `nil` if there was no file.
        var requested: [UInt8]?
    }

    private struct FileState {
        var bytes: [UInt8]
        /// Differs if somebody else has written it.
        var identity: FileIdentity?
        /// Whether the folder has been synced too.
        var isDurable = true
        /// Whether saving it was requested: then it becomes a generation once it changes.
        var isRequested = false
    }

    package struct Opened: Sendable {
        package let store: SessionStore
        package let session: Session
        /// Whether there was no file, so that this is its initial state.
        package let isNew: Bool
        /// The file is kept as it is, since a newer version has written it, or a link leads to it and it is damaged; or it is a folder, a pipe, a
        /// socket or a device.
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

    /// The file's real path: the same for all paths that lead to it, even before it exists. A link to anything but a file, such as a device,
    /// is itself the place.
    package static func place(of file: String) -> String {
        guard Files.obstacle(at: file) != nil, (try? FileKind.isLink(file)) == true else { return Paths.real(file) }
        return Paths.absolute(Paths.name(of: file), in: Paths.real(Paths.folder(of: file)))
    }

    /// Whether a session was ever saved in a file: also if only a valid older generation is left, or if it cannot be looked at.
    package static func isSaved(in file: String) -> Bool {
        if (try? Files.exists(place(of: file))) ?? true { return true }
        return hasOlderState(file)
    }

    /// Whether another process has a session's file open at the moment.
    package static func isInUse(_ file: String) -> Bool {
        let lock = SessionLock(path: place(of: file) + ".lock")
        defer { lock.release() }
        do throws(LockFile.Refusal) { try lock.take() } catch { if case .heldBy = error { return true } }
        return false
    }

    private static func hasOlderState(_ file: String) -> Bool {
        Set([file, Paths.real(file)]).contains { Generations(file: $0).newestValid != nil }
    }

    /// Takes the lock and loads the session. If there is neither a file nor an older generation, it is `initial`, and nothing is written before
    /// the first save.
    ///
    /// - Parameter locking: called with the lock before it is taken, for a program that is ended meanwhile.
    package static func open(
        file: String, initial: Session, locking: (SessionLock) -> Void = { _ in }
    ) throws(SessionStoreError) -> Opened {
        // No files are put beside a device either, unless it has taken the place of a session.
        if let obstacle = Files.obstacle(at: file), obstacle.code != nil || !hasOlderState(file) { throw .unreadable(obstacle) }
        let link: String?
        do throws(FileError) { link = try FileKind.isLink(file) ? file : nil } catch { throw .unreadable(error) }
        // The path is the given one, since the folder that a broken link leads to may be on a disk that is not there at the moment.
        let folder = Paths.folder(of: file)
        try? Folder.make(folder)
        let file = place(of: file)
        var readOnlyReason: String?
        let lock = SessionLock(path: file + ".lock")
        locking(lock)
        do throws(LockFile.Refusal) {
            try lock.take()
        } catch {
            switch error {
            case .heldBy(let pid): throw .inUse(file: file, pid: pid)
            case .failed(let failure): readOnlyReason = "\(failure)".trimmingSuffix(".")
            }
        }
        let loaded = try SessionLoader(file: file, canWrite: readOnlyReason == nil, link: link).load(initial: initial)
        let isKept = loaded.readOnlyReason != nil
        readOnlyReason = readOnlyReason ?? loaded.readOnlyReason
        if readOnlyReason == nil {
            for path in [file, Generations(file: file).paths[0], SavedPosition.path(besides: file)] { Files.removeRemains(of: path) }
        }
        var notices = loaded.notices + (readOnlyReason.map { [.readOnly(file: file, reason: $0)] } ?? [])
        let position = SavedPosition.load(besides: file)
        if position.isInvalid { notices.append(.lostPosition(file: SavedPosition.path(besides: file))) }
        let store = SessionStore(file: file, in: folder, readOnlyReason: readOnlyReason, lock: lock, bytes: loaded.bytes)
        return Opened(
            store: store, session: loaded.session, isNew: loaded.bytes == nil, isKept: isKept,
            position: position.saved, notices: notices)
    }

    private init(file: String, in folder: String, readOnlyReason: String?, lock: SessionLock, bytes: [UInt8]?) {
        self.file = file
        self.folder = folder
        self.readOnlyReason = readOnlyReason
        self.lock = lock
        let saved = bytes.map { FileState(bytes: $0, identity: try? FileIdentity(file)) }
        state = Mutex(State(saved: saved, lastRotation: nil, requested: bytes))
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
        try write { state throws(FileError) in
            let present = try FileIdentity(file)
            let isUntouched = present != nil && state.saved?.identity == present
            let isSame = isUntouched && state.saved?.bytes == bytes
            if isSame, occasion == .change, state.saved?.isDurable == true { return nil }
            let isDue = state.lastRotation.map { seconds - $0 >= Self.generationInterval } ?? true
            let wasRequested = state.saved?.isRequested == true
            let rotates = !isSame && (isDue || occasion == .explicit || wasRequested || !isUntouched)
            let generations = Generations(file: file)
            var identity: FileIdentity?
            let doubt = try Files.replace(file, with: bytes) { new throws(FileError) in
                identity = new
                if rotates { try generations.rotate() }
            }
            if occasion == .explicit { state.requested = bytes }
            if rotates { state.lastRotation = seconds }
            state.saved = FileState(
                bytes: bytes, identity: identity, isDurable: doubt == nil,
                isRequested: occasion == .explicit || isSame && wasRequested)
            return doubt
        }
    }

    /// The condition of the file, compared with when this process has read or written it.
    package enum FileCondition: Sendable {
        case untouched, writtenByOthers, gone
    }

    package var fileCondition: FileCondition {
        state.withLock { state in
            guard let present = try? FileIdentity(file) else { return .gone }
            return state.saved?.identity == present ? .untouched : .writtenByOthers
        }
    }

    /// Discards what has changed since the session was saved on request, or opened: that state is put back, and the discarded one, which has to be
    /// saved, becomes the newest generation. When this returns, it is on disk.
    ///
    /// - Returns: false if nothing was put back, since there was no file before.
    package func putBackRequested() throws(SessionStoreError) -> Bool {
        if let readOnlyReason { throw .readOnly(file: file, reason: readOnlyReason) }
        guard let requested = state.withLock({ $0.requested }) else { return false }
        try write { state throws(FileError) in
            guard requested != state.saved?.bytes else { return nil }
            let generations = Generations(file: file)
            var identity: FileIdentity?
            let doubt = try Files.replace(file, with: requested) { new throws(FileError) in
                identity = new
                try generations.rotate()
            }
            state.saved = FileState(bytes: requested, identity: identity, isDurable: doubt == nil, isRequested: true)
            return doubt
        }
        return true
    }

    /// Writes the playing position to a file of its own, so that saving it uses up no generations. When this returns, it is on disk.
    package func savePosition(_ position: SavedPosition) throws(SessionStoreError) {
        if let readOnlyReason { throw .readOnly(file: file, reason: readOnlyReason) }
        try write { _ throws(FileError) in
            try Files.replace(SavedPosition.path(besides: file), with: Array(position.text.utf8))
        }
    }

    /// Calls `body`, which writes a file and returns why its folder could not be synced. If the folder is gone, it is made again first.
    private func write(_ body: (inout State) throws(FileError) -> FileError?) throws(SessionStoreError) {
        let failure: SessionStoreError? = state.withLock { state in
            do throws(FileError) {
                return try body(&state).map { .notDurable($0) }
            } catch {
                guard error.isMissing, !Files.isFolder(Paths.folder(of: file)) else { return .cannotWrite(error) }
            }
            do throws(SessionStoreError) {
                try restoreFolder(&state)
            } catch {
                return error
            }
            do throws(FileError) {
                return try body(&state).map { .notDurable($0) }
            } catch {
                return .cannotWrite(error)
            }
        }
        if let failure { throw failure }
    }

    /// Makes the folder again as when the session was opened, with the lock and what was saved last: a position alone would be of no use.
    ///
    /// As at the start, the path is the one that was given: where a broken link leads to, nothing is made.
    private func restoreFolder(_ state: inout State) throws(SessionStoreError) {
        do throws(FileError) { try Folder.make(folder) } catch { throw .folderGone(error) }
        do throws(LockFile.Refusal) {
            try lock.renew()
        } catch {
            switch error {
            case .heldBy(let pid): throw .inUse(file: file, pid: pid)
            case .failed(let failure): throw .folderGone(failure)
            }
        }
        guard let bytes = state.saved?.bytes else { return }
        do throws(FileError) {
            var identity: FileIdentity?
            state.saved?.isDurable = try Files.replace(file, with: bytes) { identity = $0 } == nil
            state.saved?.identity = identity
        } catch {
            throw .folderGone(error)
        }
    }

    /// Releases the lock, as does deallocation.
    package func close() {
        state.withLock { _ in lock.release() }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
