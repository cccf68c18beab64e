import Dispatch
import Library
import Patches
import Playback

/// Reads the files that programs of this machine ask for, one after the other, on a queue of its own.
@MainActor final class FileRequests {
    enum Content: Sendable {
        /// The file of a patch that is in the queue already, under this reference.
        case queued(reference: String)
        case patch(Patch, reference: String)
        case session(SessionFile)
        /// A session of the library.
        case librarySession(name: String)
    }

    let disk = DispatchQueue(label: "binaural.requested-files")
    private let library: Library
    private let host: PlayerHost
    private var waitingCount = 0

    /// The maximum number of waiting files: on a busy disk, each may take long.
    private static let limit = 8

    init(_ library: Library, _ host: PlayerHost) { (self.library, self.host) = (library, host) }

    /// Reads the patch in a file.
    func readPatch(
        _ path: String, then take: @escaping @MainActor (Result<Content, LibraryError>) -> Void,
        ifBusy refuse: (CommandResult) -> Void
    ) {
        read(take, refuse) { library throws(LibraryError) in
            let loaded = try library.loadPatch(path)
            return .patch(loaded.patch, reference: loaded.entry.path)
        }
    }

    /// Reads the patch of the library with a plain name, unless the queue has it already, or finds the session.
    func readNamed(
        _ name: String, then take: @escaping @MainActor (Result<Content, LibraryError>) -> Void,
        ifBusy refuse: (CommandResult) -> Void
    ) {
        let isQueued = host.player.state.items.contains { $0.patch != nil && $0.reference == name }
        read(take, refuse) { library throws(LibraryError) in
            let isPatch = (try? library.find(.patches, plainName: name)) != nil
            if let session = try? library.find(.sessions, plainName: name), !isPatch || Library.holdsSession(session.path) {
                return .librarySession(name: name)
            }
            if isQueued { return .queued(reference: name) }
            return .patch(try library.loadPatch(library.find(.patches, plainName: name)).patch, reference: name)
        }
    }

    /// Reads the patch or session in a file, unless the queue has it already.
    func readAny(
        _ path: String, then take: @escaping @MainActor (Result<Content, LibraryError>) -> Void,
        ifBusy refuse: (CommandResult) -> Void
    ) {
        let references = host.player.state.items.filter { $0.patch != nil }.map(\.reference)
        read(take, refuse) { library throws(LibraryError) in
            if let entry = library.session(path) {
                return .session(SessionFile(entry: entry, template: try library.loadTemplate(entry)))
            }
            if let reference = library.reference(to: path, among: references) { return .queued(reference: reference) }
            let loaded = try library.loadPatch(path)
            return .patch(loaded.patch, reference: loaded.entry.path)
        }
    }

    private func read(
        _ take: @escaping @MainActor (Result<Content, LibraryError>) -> Void, _ refuse: (CommandResult) -> Void,
        _ content: @escaping @Sendable (Library) throws(LibraryError) -> Content
    ) {
        guard waitingCount < Self.limit else {
            return refuse(
                CommandResult(.busy, by: "application", "\(Self.limit) files are still being read: try again in a moment."))
        }
        waitingCount += 1
        disk.async { [library, weak self] in
            let result = Result { () throws(LibraryError) in try content(library) }
            guard let self else { return }
            host.enter {
                self.waitingCount -= 1
                take(result)
            }
        }
    }
}
