import Glibc
import PatchFiles
import Patches
import OperatingSystem
import SBaGen

/// Finds patches and sessions by name, in the library's search order.
package struct Library: Sendable {
    package let places: Places
    let sequences: SequenceLoader

    package typealias Dialect = SequenceDialect

    /// - Parameter dialect: That of all sequences; `nil` lets each file decide.
    package init(places: Places, dialect: Dialect? = nil) {
        self.places = places
        sequences = SequenceLoader(workingFolder: places.workingFolder, dialect: dialect)
    }

    package enum Kind: String, CaseIterable, Sendable {
        case patches, sessions

        var noun: String { self == .patches ? "patch" : "session" }

        var endings: [String] { [".yaml", ".yml"] + (self == .patches ? Paths.sequenceExtensions : []) }
    }

    /// A patch or session that can be found by name.
    package struct Entry: Equatable, Sendable {
        package let kind: Kind
        /// The name without extension.
        package let name: String
        /// An absolute path, or the path as it was given.
        package let path: String
        package let origin: Origin
        /// Whether another entry of the same name comes first, so that this one can only be reached by its path.
        package let isHidden: Bool
    }

    /// The place where an entry was found, in the order of the search.
    package enum Origin: String, CaseIterable, Sendable {
        case path = "given path"
        /// A session that was played before, with its changes.
        case saved = "saved"
        case workingFolder = "working folder"
        case user = "user's folder"
        case system = "system"
        case shipped = "came with the program"
    }

    /// All entries that can be found by name, sorted by name; entries of one name are in search order.
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

    /// The entry that `reference` names: a path if it has a `/` or an extension, a name otherwise. Relative paths start at `folder`, or at
    /// the working folder.
    package func find(_ kind: Kind, _ reference: String, relativeTo folder: String? = nil) throws(LibraryError) -> Entry {
        guard Self.isPath(reference) else {
            do throws(LibraryError) {
                return try find(kind, plainName: reference)
            } catch {
                throw Self.mistaken(reference, at: Paths.absolute(reference, in: folder ?? places.workingFolder), kind) ?? error
            }
        }
        let path = Paths.absolute(reference, in: folder ?? places.workingFolder)
        guard Files.isFile(path) else { throw Files.obstacle(at: path).map { .unreadable($0) } ?? .noFile(path: path) }
        return Entry(kind: kind, name: Paths.withoutExtension(Paths.name(of: path)), path: path, origin: .path, isHidden: false)
    }

    /// Finds whatever a reference may mean: a path is one file; a name may stand for both a patch and a session.
    package func findAll(_ reference: String) throws(LibraryError) -> [Entry] {
        do throws(LibraryError) {
            let patch = try find(.patches, reference)
            let session = patch.origin == .path ? nil : try? find(.sessions, reference)
            return [patch] + (session.map { [$0] } ?? [])
        } catch let missing {
            do throws(LibraryError) { return [try find(.sessions, reference)] } catch {
                // If there is no such session either, the error for the patch suggests a similar name.
                if case .unreadable = error { throw error } else { throw missing }
            }
        }
    }

    /// Finds an entry by name only, for names from outside: an invalid name is never made into a path.
    package func find(_ kind: Kind, plainName name: String) throws(LibraryError) -> Entry {
        guard name.isPlainName else { throw .notAName(name) }
        var obstacle: FileError?
        for (path, origin) in paths(kind, plainName: name) {
            if Files.isFile(path) { return Entry(kind: kind, name: name, path: path, origin: origin, isHidden: false) }
            obstacle = obstacle ?? Files.obstacle(at: path)
        }
        // A session whose file is gone, or replaced by something else, is continued from its older state. What cannot be looked at may be there.
        let mayBeGone = kind == .sessions && obstacle?.code == nil
        let older = mayBeGone ? Generations(file: savedSessions + "/" + name + ".yaml").newestValid : nil
        if let older { return Entry(kind: kind, name: name, path: older.path, origin: .saved, isHidden: false) }
        if let obstacle { throw .unreadable(obstacle) }
        if kind == .patches, list(.sessions).contains(where: { $0.name == name }) { throw .sessionForPatch(name: name) }
        throw .notFound(kind, name: name, near: closest(to: name, among: list(kind).map(\.name)))
    }

    /// The paths at which an entry may be found by name; the first one with a file takes precedence.
    func paths(_ kind: Kind, plainName name: String) -> [(path: String, origin: Origin)] {
        folders(kind).flatMap { folder, origin in kind.endings.map { (folder + "/" + name + $0, origin) } }
    }

    /// The error for a name that nothing has but a file, or a folder, at `path`, or a file with an ending; `nil` if there is none.
    private static func mistaken(_ name: String, at path: String, _ kind: Kind) -> LibraryError? {
        switch try? FileKind.at(path) {
        case nil: return kind.endings.first { Files.isFile(path + $0) }.map { .notFound(kind, name: name, near: name + $0) }
        case .regular: break
        default: return Files.obstacle(at: path).map { .unreadable($0) }
        }
        guard let bytes = try? Files.read(path, limit: 4096), let content = ForeignContent(bytes) else { return .onlyFile(name: name) }
        let fault = TextFault.foreign(content, file: name)
        return .faulty(Diagnostics([Diagnostic(fault: fault, file: name, place: .init(line: 0, column: 0), sourceLine: "")]))
    }

    private func folders(_ kind: Kind) -> [(String, Origin)] {
        (kind == .sessions ? [(savedSessions, Origin.saved)] : [])
            + [(Paths.absolute(kind.rawValue, in: places.workingFolder), .workingFolder), (places.dataHome + "/" + kind.rawValue, .user)]
            + places.dataFolders.map { ($0 + "/" + kind.rawValue, .system) } + places.shipped.map { ($0 + "/" + kind.rawValue, .shipped) }
    }

    var savedSessions: String { places.stateHome + "/sessions" }
}

extension Library {
    /// A patch as it was read from its file, ready for playing: a missing title is the file's name, and the paths of artwork and sound files are
    /// absolute.
    package struct LoadedPatch: Sendable {
        package let patch: Patch
        package let entry: Entry
        /// The parts of a sequence that are not played as written; none of a patch.
        package let remarks: [Diagnostic]
    }

    package func loadPatch(_ reference: String, relativeTo folder: String? = nil) throws(LibraryError) -> LoadedPatch {
        try loadPatch(try find(.patches, reference, relativeTo: folder))
    }

    /// Loads a patch for a command that also takes sessions: their names are suggested as well.
    package func loadPatchBesideSessions(_ reference: String) throws(LibraryError) -> LoadedPatch {
        do throws(LibraryError) {
            return try loadPatch(reference)
        } catch .notFound(let kind, let name, near: nil) {
            throw .notFound(kind, name: name, near: closest(to: name, among: list(.sessions).map(\.name)))
        }
    }

    /// The first of these references that leads to the same file as a path; links under other names are not followed.
    package func reference(to path: String, among references: [String]) -> String? {
        if references.contains(path) { return path }
        let (name, file) = (Paths.name(of: path), Paths.real(path))
        return references.first { Self.isPath($0) && Paths.name(of: $0) == name && Paths.real($0) == file }
    }

    /// - Parameter file: The file's name in messages; `nil` stands for its path as a user would write it.
    package func loadPatch(_ entry: Entry, file: String? = nil) throws(LibraryError) -> LoadedPatch {
        let bytes = try Self.bytes(of: entry.path)
        do throws(Diagnostics) {
            var (patch, remarks) = try self.patch(bytes, path: entry.path, file: file ?? displayPath(entry.path))
            if patch.details.title.isEmpty { patch.details.title = entry.name }
            let folder = Paths.absolute(Paths.folder(of: entry.path), in: places.workingFolder)
            if !patch.details.artwork.isEmpty { patch.details.artwork = Paths.absolute(patch.details.artwork, in: folder) }
            for index in patch.layers.indices where patch.layers[index].kind == .file {
                patch.layers[index].path = Paths.absolute(patch.layers[index].path, in: folder)
            }
            return LoadedPatch(patch: patch, entry: entry, remarks: remarks)
        } catch {
            throw .faulty(error)
        }
    }

    /// Parses a patch, or converts an SBaGen sequence to one.
    private func patch(_ bytes: [UInt8], path: String, file: String) throws(Diagnostics) -> (Patch, remarks: [Diagnostic]) {
        Self.holdsSequence(path) ? try sequences.patch(bytes, path: path, file: file) : (try Patch.parse(bytes: bytes, file: file), [])
    }

    /// Whether a file holds an SBaGen sequence, judging by its name.
    package static func holdsSequence(_ path: String) -> Bool { Paths.sequenceExtensions.contains(where: path.hasSuffix) }

    /// Everything that is wrong with preferences, a file called `preferences.yaml`, or else with a session; `nil` if it is valid.
    /// ``loadPatch(_:file:)`` throws what is wrong with a patch.
    package func check(file: String) throws(LibraryError) -> Diagnostics? {
        let path = Paths.absolute(file, in: places.workingFolder)
        let bytes = try Self.bytes(of: path)
        if Self.holdsPreferences(path) {
            let (text, faults) = PreferencesText.parse(bytes, file: file)
            return faults ?? (text.doubts.isEmpty ? nil : Diagnostics(text.doubts))
        }
        do throws(Diagnostics) {
            let doubts = try Session.parse(bytes: bytes, file: file).doubts
            return doubts.isEmpty ? nil : Diagnostics(doubts)
        } catch {
            return error
        }
    }

    /// Whether a file holds preferences, judging by its name.
    package static func holdsPreferences(_ path: String) -> Bool { Paths.name(of: path) == Places.preferencesName }

    static func bytes(of path: String) throws(LibraryError) -> [UInt8] {
        do throws(FileError) {
            return try Files.read(path, limit: YAMLSource.maximumSize)
        } catch {
            throw .unreadable(error)
        }
    }

    /// The path as a user would write it: relative if it lies below the working folder.
    func displayPath(_ path: String) -> String {
        let prefix = places.workingFolder + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    /// Whether a file can be read and holds a session.
    package static func holdsSession(_ path: String) -> Bool {
        !holdsSequence(path) && ((try? bytes(of: path)).map(isSession) ?? false)
    }

    /// Distinguishes sessions from patches, which are YAML too: a file with a `queue` or a `format` is a session.
    private static func isSession(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains {
            $0.hasPrefix("queue:") || $0.hasPrefix("format:")
        }
    }
}
