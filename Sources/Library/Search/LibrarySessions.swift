import Glibc
import PatchFiles
import Patches
import OperatingSystem

/// Sessions. Those in the library are templates and never written; sessions that were played are saved in the state folder.
extension Library {
    /// The file in which the session of that name is saved once it was played. Throws if the name is not plain.
    package func savedFile(ofSession name: String) throws(LibraryError) -> String {
        guard name.isPlainName else { throw .notAName(name) }
        return savedSessions + "/" + name + ".yaml"
    }

    /// The session that a command-line argument names, by name or by path; `nil` if it is a patch or does not exist.
    package func session(_ argument: String) -> Entry? {
        guard let entry = try? find(.sessions, argument) else { return nil }
        return Self.holdsSession(entry.path) || (try? find(.patches, argument)) == nil ? entry : nil
    }

    /// The word for what a command-line argument names: patch or session; `nil` if there is nothing of that name or path.
    package func noun(of argument: String) -> String? {
        if session(argument) != nil { return "session" }
        return (try? find(.patches, argument)) == nil ? nil : "patch"
    }

    /// Opens the session of that name: its saved state, or its template if it was never played.
    package func openSession(named name: String) throws -> SessionStore.Opened {
        let file = try savedFile(ofSession: name)
        if SessionStore.isSaved(in: file) { return try SessionStore.open(file: file, initial: Session(title: name)) }
        return try SessionStore.open(file: file, initial: loadTemplate(find(.sessions, plainName: name)))
    }

    /// Opens the session of that name: its saved state, or this template if it was never played.
    package func openSession(named name: String, beginningAs template: Session) throws -> SessionStore.Opened {
        try SessionStore.open(file: try savedFile(ofSession: name), initial: template)
    }

    /// Opens the session in a file of the user's choice; if the file does not exist yet, the session starts empty.
    package func openSession(file: String) throws(SessionStoreError) -> SessionStore.Opened {
        let path = Paths.absolute(file, in: places.workingFolder)
        return try SessionStore.open(file: path, initial: Session(title: Paths.withoutExtension(Paths.name(of: path))))
    }

    /// Loads a session from the library. Paths of patches become absolute, since the session will be saved elsewhere.
    package func loadTemplate(_ entry: Entry) throws(LibraryError) -> Session {
        let bytes = try Self.bytes(of: entry.path)
        var session: Session
        do throws(Diagnostics) {
            session = try Session.parse(bytes: bytes, file: displayPath(entry.path)).session
        } catch {
            throw .faulty(error)
        }
        if session.title.isEmpty { session.title = entry.name }
        let folder = Paths.absolute(Paths.folder(of: entry.path), in: places.workingFolder)
        func absolute(_ reference: String) -> String {
            reference.contains("/") || Paths.withoutExtension(reference) != reference ? Paths.absolute(reference, in: folder) : reference
        }
        for index in session.items.indices { session.items[index].patch = absolute(session.items[index].patch) }
        for index in session.presets.indices { session.presets[index].reference = absolute(session.presets[index].reference) }
        return session
    }

    /// The saved state of the session of an entry's name, if the entry was found by its path and the two are
    /// different sessions: their queues have different patches.
    package func savedSession(mistakenFor entry: Entry) -> String? {
        guard entry.origin == .path, let file = try? savedFile(ofSession: entry.name), Files.isFile(file),
            Paths.real(file) != Paths.real(entry.path), let template = try? loadTemplate(entry),
            let saved = try? loadTemplate(Entry(kind: .sessions, name: entry.name, path: file, origin: .saved, isHidden: false)),
            !saved.playsSame(as: template)
        else { return nil }
        return file
    }

    /// The session played last: its name, or the absolute path of the user's file; `nil` if none was. Throws if the record is damaged.
    package var lastSession: String? {
        get throws(LibraryError) {
            guard (try? Files.exists(lastSessionFile)) ?? true else { return nil }
            let bytes = try Self.bytes(of: lastSessionFile)
            let text = String(decoding: bytes.dropLast(), as: UTF8.self)
            guard bytes.last == 0x0A, text.hasPrefix("/") || text.isPlainName else { throw .noSessionNamed(in: lastSessionFile) }
            return text
        }
    }

    package func rememberLastSession(_ nameOrPath: String) throws(LibraryError) {
        do throws(FileError) {
            try Folder.make(places.stateHome)
            try Files.replace(lastSessionFile, with: Array((nameOrPath + "\n").utf8), isDurable: false)
        } catch {
            throw .cannotWrite(error)
        }
    }

    private var lastSessionFile: String { places.stateHome + "/last-session" }
}

extension SessionNotice {
    /// The warning that playing the session in a file gives if its checksum is that of another text; `nil` if it is as it was written.
    ///
    /// - Parameter file: The file's name in the warning.
    package static func alteration(at path: String, calling file: String) -> SessionNotice? {
        guard let bytes = try? Library.bytes(of: path), let read = try? Session.parse(bytes: bytes, file: file), read.isAltered,
            !read.isNewer
        else { return nil }
        return .altered(file: file, hasOlder: Generations(file: path).newestValid != nil)
    }

    /// The notices that playing a session found by name gives if it continues from an older state, since its file is gone or something else is
    /// in its place.
    package static func loss(of session: Library.Entry, in library: Library) -> [SessionNotice] {
        guard session.kind == .sessions, session.origin != .path, let file = try? library.savedFile(ofSession: session.name),
            !Files.isFile(file), let older = Generations(file: file).newestValid
        else { return [] }
        let kind = (try? FileKind.at(file)) ?? nil
        return [.missing(file: file, loaded: older.path)]
            + (kind.map { [.readOnly(file: file, reason: SessionLoader.obstruction($0))] } ?? [])
    }
}
