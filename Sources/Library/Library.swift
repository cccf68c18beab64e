import Patches
import RegularFiles

/// Patches and sessions by name: where they are, and which comes first.
package struct Library: Sendable {
    package let places: Places

    package init(places: Places) {
        self.places = places
    }

    package enum Kind: String, CaseIterable, Sendable {
        case patches, sessions

        var noun: String { self == .patches ? "patch" : "session" }

        var endings: [String] { [".yaml", ".yml"] + (self == .patches ? [Paths.sequenceExtension] : []) }
    }

    /// One file that can be asked for by name.
    package struct Entry: Equatable, Sendable {
        package let kind: Kind
        /// Without extension.
        package let name: String
        /// Absolute, or as it was given.
        package let path: String
        package let origin: Origin
        /// An entry of the same name comes first, so that this one is reached by its path only.
        package let isHidden: Bool
    }

    /// Where an entry was found, in the order of the search.
    package enum Origin: String, CaseIterable, Sendable {
        case path = "given path"
        /// A session that was played before, with what was changed in it.
        case saved = "saved"
        case workingFolder = "working folder"
        case user = "user's folder"
        case system = "system"
        case shipped = "came with the program"
    }

    /// Everything that can be asked for by name, sorted by name, first comes first.
    package func list(_ kind: Kind) -> [Entry] {
        var seenNames: Set<String> = []
        var seenFiles: Set<String> = []
        var entries: [Entry] = []
        for (folder, origin) in folders(kind) {
            for file in Files.names(in: folder) {
                let name = Paths.withoutExtension(file)
                let path = folder + "/" + file
                guard kind.endings.contains(where: file.hasSuffix), name.isPlainName, Files.isFile(path),
                    seenFiles.insert(Paths.real(path)).inserted
                else {
                    continue
                }
                entries.append(Entry(kind: kind, name: name, path: path, origin: origin, isHidden: !seenNames.insert(name).inserted))
            }
        }
        return entries.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
    }

    /// What `reference` means: a path if it has a `/` or an extension, a name otherwise. Relative paths start at `folder`, or at the working
    /// folder.
    package func find(_ kind: Kind, _ reference: String, relativeTo folder: String? = nil) throws(LibraryError) -> Entry {
        guard reference.contains("/") || Paths.withoutExtension(reference) != reference else { return try find(kind, plainName: reference) }
        let path = Paths.absolute(reference, in: folder ?? places.workingFolder)
        guard Files.isFile(path) else { throw Self.obstacle(at: path).map { .unreadable($0) } ?? .noFile(path: path) }
        return Entry(kind: kind, name: Paths.withoutExtension(Paths.name(of: path)), path: path, origin: .path, isHidden: false)
    }

    /// By name only, for names that come from outside: no path is ever made of one that is refused.
    package func find(_ kind: Kind, plainName name: String) throws(LibraryError) -> Entry {
        guard name.isPlainName else { throw .notAName(name) }
        var obstacle: FileError?
        for (folder, origin) in folders(kind) {
            for path in kind.endings.map({ folder + "/" + name + $0 }) {
                if Files.isFile(path) { return Entry(kind: kind, name: name, path: path, origin: origin, isHidden: false) }
                obstacle = obstacle ?? Self.obstacle(at: path)
            }
        }
        if let obstacle { throw .unreadable(obstacle) }
        throw .notFound(kind, name: name, near: closest(to: name, among: list(kind).map(\.name)))
    }

    /// The path leads to something other than a regular file, such as a pipe. It is not opened.
    private static func obstacle(at path: String) -> FileError? {
        guard let kind = FileKind.at(path), kind != .regular else { return nil }
        return FileError(operation: .read, path: path, cause: .kind(kind))
    }

    private func folders(_ kind: Kind) -> [(String, Origin)] {
        (kind == .sessions ? [(savedSessions, Origin.saved)] : [])
            + [(Paths.absolute(kind.rawValue, in: places.workingFolder), .workingFolder), (places.dataHome + "/" + kind.rawValue, .user)]
            + places.dataFolders.map { ($0 + "/" + kind.rawValue, .system) } + places.shipped.map { ($0 + "/" + kind.rawValue, .shipped) }
    }

    var savedSessions: String { places.stateHome + "/sessions" }
}

extension Library {
    /// A patch ready to be played: without a title it is called after its file, and its artwork and sound files have absolute paths.
    package func loadPatch(_ reference: String, relativeTo folder: String? = nil) throws(LibraryError) -> (patch: Patch, entry: Entry) {
        let entry = try find(.patches, reference, relativeTo: folder)
        return (try loadPatch(entry), entry)
    }

    package func loadPatch(_ entry: Entry) throws(LibraryError) -> Patch {
        let bytes = try Self.bytes(of: entry.path)
        do throws(Diagnostics) {
            var patch = try Self.patch(bytes, path: entry.path, file: displayPath(entry.path))
            if patch.details.title.isEmpty { patch.details.title = entry.name }
            let folder = Paths.absolute(Paths.folder(of: entry.path), in: places.workingFolder)
            if !patch.details.artwork.isEmpty { patch.details.artwork = Paths.absolute(patch.details.artwork, in: folder) }
            for index in patch.layers.indices where patch.layers[index].kind == .file {
                patch.layers[index].path = Paths.absolute(patch.layers[index].path, in: folder)
            }
            return patch
        } catch {
            throw .faulty(error)
        }
    }

    /// A patch, or what a sequence of SBaGen comes to as one.
    private static func patch(_ bytes: [UInt8], path: String, file: String) throws(Diagnostics) -> Patch {
        guard holdsSequence(path) else { return try Patch.parse(bytes: bytes, file: file) }
        let now = Int(TimeOfDay.now)
        return try SBaGenSequence.parse(bytes: bytes, file: file, now: now).patch(now: now)
    }

    /// Whether a file holds a sequence of SBaGen, which its name tells.
    package static func holdsSequence(_ path: String) -> Bool { path.hasSuffix(Paths.sequenceExtension) }

    /// What of a sequence is not played as it is written; nothing of a patch.
    ///
    /// - Parameter file: how messages call it; `nil` is as a person would write it.
    package func remarks(on entry: Entry, file: String? = nil) throws(LibraryError) -> [Diagnostic] {
        guard Self.holdsSequence(entry.path) else { return [] }
        let bytes = try Self.bytes(of: entry.path)
        do throws(Diagnostics) {
            return try SBaGenSequence.parse(bytes: bytes, file: file ?? displayPath(entry.path), now: Int(TimeOfDay.now)).remarks
        } catch {
            throw .faulty(error)
        }
    }

    /// Everything that is wrong with a file; `nil` when nothing is. What is called `preferences.yaml` holds preferences, what has a `queue` or
    /// a `format` is taken for a session.
    package func check(file: String) throws(LibraryError) -> Diagnostics? {
        let path = Paths.absolute(file, in: places.workingFolder)
        let bytes = try Self.bytes(of: path)
        if Self.holdsPreferences(path) {
            let (text, faults) = PreferencesText.parse(bytes, file: file)
            return faults ?? (text.doubts.isEmpty ? nil : Diagnostics(text.doubts))
        }
        let isSession = !Self.holdsSequence(path) && Self.isSession(bytes)
        do throws(Diagnostics) {
            if isSession {
                _ = try Session.parse(bytes: bytes, file: file)
            } else {
                _ = try Self.patch(bytes, path: path, file: file)
            }
            return nil
        } catch {
            return error
        }
    }

    /// By its name, which is always the same.
    package static func holdsPreferences(_ path: String) -> Bool { Paths.name(of: path) == Places.preferencesName }

    static func bytes(of path: String) throws(LibraryError) -> [UInt8] {
        do throws(FileError) {
            return try Files.read(path, limit: YAMLSource.maximumSize)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Relative where it lies below the working folder, as a person would write it.
    func displayPath(_ path: String) -> String {
        let prefix = places.workingFolder + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    /// Whether a file can be read and holds a session.
    package static func holdsSession(_ path: String) -> Bool {
        !holdsSequence(path) && ((try? bytes(of: path)).map(isSession) ?? false)
    }

    /// Patches and sessions are both YAML: what has a `queue` or a `format` is taken for a session.
    private static func isSession(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains {
            $0.hasPrefix("queue:") || $0.hasPrefix("format:")
        }
    }
}
