import Foundation
import Library
import Patches

/// The session that `play` opens, and the queue that it plays.
struct SessionChoice {
    /// The name in the library, also shown to clients.
    var name: String
    /// The file that it is saved in: an absolute path.
    var file: String
    /// Its state if it was never saved.
    var initial: Session
    /// The queue given on the command line; `nil` keeps the session's own.
    var queue: [Session.Item]?
    /// The patches that were read for it, by their references.
    var patches: [String: Patch] = [:]
    /// Whether it plays regardless of its saved state: it was named on the command line, or was never played before.
    var starts: Bool
    /// The session that `binaural play` without arguments will continue: a name, or an absolute path; `nil` leaves that as it is.
    var remembered: String?

    /// The session used for a queue given on the command line.
    private static let queueName = "queue"
    /// The session used when none was ever played.
    static let firstSession = "welcome"

    /// - Parameters:
    ///   - items: patches or sessions, by name or by path.
    ///   - place: the session that it is saved in, a name or a path; `nil` leaves that to the library.
    ///   - startSession: a preference, the session to open if none is named; if empty, the one played last.
    ///   - warn: gets a line for everything that is not played as written.
    /// - Throws: `LibraryError` for missing and faulty files, with all their faults; `ApplicationError` for an invalid place.
    static func make(
        _ items: [String], place: SessionPlace?, startSession: String, library: Library, warn: (String) -> Void
    ) throws -> SessionChoice {
        let parts = try items.map { try part($0, library, warn) }
        if case .name(let name) = place {
            if parts.isEmpty { return try session(named: name, library) }
            // A name stands for a session first, so the patch could no longer be played by it.
            if (try? library.find(.sessions, plainName: name)) == nil, (try? library.find(.patches, plainName: name)) != nil {
                throw ApplicationError(
                    .usage, "A session named '\(name)' would hide the patch of that name: choose another one for --session.")
            }
            var choice = try make(parts, file: try library.savedFile(ofSession: name), library)
            (choice.name, choice.remembered) = (name, name)
            return choice
        }
        let file: String? = if case .file(let file) = place { file } else { nil }
        if !parts.isEmpty { return try make(parts, file: file, library) }
        return try resumed(file: file, startSession: startSession, library, warn)
    }

    /// The session or the queue that the command line names.
    private static func make(_ parts: [Part], file: String?, _ library: Library) throws -> SessionChoice {
        if parts.count == 1, case .session(let entry) = parts[0] { return try session(entry, file: file, library, starts: true) }
        return try queue(parts, file: file, library)
    }

    /// The session to continue if no item is named.
    private static func resumed(
        file: String?, startSession: String, _ library: Library, _ warn: (String) -> Void
    ) throws -> SessionChoice {
        if file == nil, let preferred = try preferred(startSession, library, warn) {
            return try session(preferred, file: nil, library, starts: false)
        }
        let last = file ?? lastPlayed(library, warn)
        // If that is the one that is gone, one warning is enough.
        let warn = last == startSession ? { _ in } : warn
        guard let last, last.hasPrefix("/") else {
            return try session(try lastPlayed(last, library, warn), file: nil, library, starts: false)
        }
        // A file that does not exist yet starts as a copy of the first session.
        let isNew = !SessionStore.isSaved(in: last)
        let initial =
            isNew ? try library.loadTemplate(try library.find(.sessions, plainName: firstSession)) : Session(title: name(ofFile: last))
        return SessionChoice(name: name(ofFile: last), file: last, initial: initial, queue: nil, starts: isNew, remembered: last)
    }

    /// The name or path of the session played last; `nil` if none has been played yet or, with a warning, if the record cannot be read.
    private static func lastPlayed(_ library: Library, _ warn: (String) -> Void) -> String? {
        do throws(LibraryError) { return try library.lastSession } catch {
            warn("The session that was played last is not known: '\(firstSession)' is opened. `binaural list` shows all sessions. \(error)")
            return nil
        }
    }

    /// The session that a preference names; `nil` if it names none or, with a warning, if that is gone.
    private static func preferred(
        _ name: String, _ library: Library, _ warn: (String) -> Void
    ) throws(LibraryError) -> Library.Entry? {
        guard !name.isEmpty else { return nil }
        do throws(LibraryError) { return try library.find(.sessions, plainName: name) } catch {
            guard case .notFound = error else { throw error }
            warn("\(error) The preference startSession in \(library.places.preferencesFile) names it: another session is opened.")
            return nil
        }
    }

    /// The session played last. If it is gone, it is the first session: a program that starts at every login must not fail for ever.
    private static func lastPlayed(
        _ name: String?, _ library: Library, _ warn: (String) -> Void
    ) throws(LibraryError) -> Library.Entry {
        guard let name else { return try library.find(.sessions, plainName: firstSession) }
        do throws(LibraryError) { return try library.find(.sessions, plainName: name) } catch {
            guard case .notFound = error, let first = try? library.find(.sessions, plainName: firstSession) else { throw error }
            warn("The session '\(name)', which was played last, is gone: '\(first.name)' is opened. `binaural list` shows all sessions.")
            return first
        }
    }

    // MARK: Beside other instances

    /// This session, or if another instance plays it, a numbered one of its own: the one of the last time, or else a copy.
    func besideOthers(in library: Library) -> SessionChoice {
        guard SessionStore.isInUse(file) else { return self }
        var own = self
        own.remembered = nil
        // If many instances start at once, the last ones are refused, since the session is in use.
        for number in 2..<100 {
            own.name = "\(name)-\(number)"
            guard let file = try? library.savedFile(ofSession: own.name) else { return self }
            own.file = file
            if !SessionStore.isInUse(file) { break }
        }
        guard !SessionStore.isSaved(in: own.file) else {
            own.initial = Session(title: own.name)
            return own
        }
        if queue == nil, let entry = try? library.find(.sessions, file) { own.initial = (try? library.loadTemplate(entry)) ?? initial }
        return own
    }

    // MARK: Arguments of the command line

    private enum Part {
        /// The patch is `nil` if it was read by another path than the reference, and so may name other files.
        case patch(Patch?, reference: String)
        case session(Library.Entry)
    }

    /// A patch or a session, by name or path.
    private static func part(_ argument: String, _ library: Library, _ warn: (String) -> Void) throws -> Part {
        if let entry = library.session(argument) { return .session(entry) }
        // The patch is read now, so that every fault is reported before anything plays.
        let loaded = try library.loadPatchBesideSessions(argument)
        for remark in loaded.remarks { warn(remark.warning) }
        let entry = loaded.entry
        guard entry.origin == .path else { return .patch(loaded.patch, reference: entry.name) }
        let path = URL(fileURLWithPath: entry.path).standardizedFileURL.path
        return .patch(path == entry.path ? loaded.patch : nil, reference: path)
    }

    /// The session of the library that `--session` names, without anything to play.
    private static func session(named name: String, _ library: Library) throws -> SessionChoice {
        do {
            return try session(try library.find(.sessions, plainName: name), file: nil, library, starts: false)
        } catch LibraryError.notFound(let kind, let name, let near) {
            let error = LibraryError.notFound(kind, name: name, near: near)
            throw ApplicationError(
                .noSuchFile,
                "\(error) To start a session of this name, name a patch or session to play: 'binaural play welcome --session \(name)'.")
        }
    }

    private static func session(_ entry: Library.Entry, file: String?, _ library: Library, starts: Bool) throws -> SessionChoice {
        if file == nil, let saved = library.savedSession(mistakenFor: entry) {
            throw ApplicationError(
                .usage,
                "A session called '\(entry.name)' is saved already and plays something else (\(saved)): rename the file, "
                    + "name another session with --session, or continue that one: 'binaural play \(entry.name)'.")
        }
        let kept = try file ?? library.savedFile(ofSession: entry.name)
        let isNew = !SessionStore.isSaved(in: kept)
        let initial = isNew ? try library.loadTemplate(entry) : Session(title: entry.name)
        return SessionChoice(
            name: file.map(name(ofFile:)) ?? entry.name, file: kept, initial: initial, queue: nil, starts: starts || isNew,
            remembered: file ?? entry.name)
    }

    private static func queue(_ parts: [Part], file: String?, _ library: Library) throws -> SessionChoice {
        let items = try parts.flatMap { part in
            switch part {
            case .patch(_, let reference): [Session.Item(patch: reference)]
            case .session(let entry): try library.loadTemplate(entry).items
            }
        }
        let patches = parts.compactMap { part in
            if case .patch(let patch?, let reference) = part { (reference, patch) } else { nil }
        }
        let named = file.map(name(ofFile:))
        return SessionChoice(
            name: named ?? queueName, file: try file ?? library.savedFile(ofSession: queueName),
            initial: Session(title: named ?? queueName, items: items), queue: items,
            patches: Dictionary(patches) { first, _ in first }, starts: true, remembered: file ?? queueName)
    }

    private static func name(ofFile file: String) -> String {
        URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    }
}

extension Session {
    /// Replaces the queue; items that were in the old one keep their edits.
    mutating func replaceQueue(with wanted: [Item]) {
        items = wanted.map { item in items.first { $0.patch == item.patch } ?? item }
        current = items.isEmpty ? nil : 0
        (shuffleFirst, shuffleOrder) = (nil, [])
    }
}
