import Foundation
import Library

/// Which session `play` opens, and what becomes of its queue.
struct SessionChoice {
    /// As it is told to others and found in the library.
    var name: String
    /// Where its state is kept: an absolute path.
    var file: String
    /// What it is before anything was saved.
    var initial: Session
    /// The queue that was asked for by name; `nil` goes on with the session's own.
    var queue: [Session.Item]?
    /// It plays whatever state it was left in: it was asked for on the command line, or was never played before.
    var starts: Bool
    /// What `binaural play` without arguments goes on with afterwards: a name, or an absolute path.
    var remembered: String

    /// The session that keeps a queue given on the command line.
    private static let queueName = "queue"
    /// What a session that nobody has made yet begins as.
    static let firstSession = "welcome"

    /// - Parameter startSession: a preference, the name of the session that is opened when nobody names one; empty is the one played last.
    /// - Throws: `LibraryError` for what is not there, or is wrong, with all its faults.
    static func make(_ options: PlayOptions, startSession: String, library: Library) throws -> SessionChoice {
        let parts = try options.items.map { try part($0, library) }
        let file = options.session.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        if parts.count == 1, case .session(let entry) = parts[0] { return try session(entry, file: file, library, starts: true) }
        if !parts.isEmpty { return try queue(parts, file: file, library) }
        if file == nil, !startSession.isEmpty { return try session(preferred: startSession, library) }
        let last = file ?? library.lastSession
        guard let last, last.hasPrefix("/") else {
            return try session(try library.find(.sessions, plainName: last ?? firstSession), file: nil, library, starts: false)
        }
        // A file that is not there yet begins as the first session does.
        let isNew = !FileManager.default.fileExists(atPath: last)
        let initial =
            isNew ? try library.loadTemplate(try library.find(.sessions, plainName: firstSession)) : Session(title: name(ofFile: last))
        return SessionChoice(name: name(ofFile: last), file: last, initial: initial, queue: nil, starts: isNew, remembered: last)
    }

    // MARK: What the command line names

    private enum Part {
        case patch(reference: String)
        case session(Library.Entry)
    }

    /// A patch or a session, by name or path.
    private static func part(_ argument: String, _ library: Library) throws -> Part {
        if let entry = library.session(argument) { return .session(entry) }
        // Read it now, so that every fault is told before anything plays.
        let entry = try library.loadPatch(argument).entry
        for remark in try library.remarks(on: entry) { ErrorReport.write(lines: remark.warning) }
        return .patch(reference: entry.origin == .path ? URL(fileURLWithPath: entry.path).standardizedFileURL.path : entry.name)
    }

    private static func session(preferred name: String, _ library: Library) throws -> SessionChoice {
        do {
            return try session(try library.find(.sessions, plainName: name), file: nil, library, starts: false)
        } catch LibraryError.notFound(let kind, let name, let near) {
            let error = LibraryError.notFound(kind, name: name, near: near)
            throw ProgramError(.noSuchFile, "\(error) The preference startSession in \(library.places.preferencesFile) asks for it.")
        }
    }

    private static func session(_ entry: Library.Entry, file: String?, _ library: Library, starts: Bool) throws -> SessionChoice {
        let kept = try file ?? library.savedFile(ofSession: entry.name)
        let isNew = !FileManager.default.fileExists(atPath: kept)
        let initial = isNew ? try library.loadTemplate(entry) : Session(title: entry.name)
        return SessionChoice(
            name: file.map(name(ofFile:)) ?? entry.name, file: kept, initial: initial, queue: nil, starts: starts || isNew,
            remembered: file ?? entry.name)
    }

    private static func queue(_ parts: [Part], file: String?, _ library: Library) throws -> SessionChoice {
        let items = try parts.flatMap { part in
            switch part {
            case .patch(let reference): [Session.Item(patch: reference)]
            case .session(let entry): try library.loadTemplate(entry).items
            }
        }
        return SessionChoice(
            name: file.map(name(ofFile:)) ?? queueName, file: try file ?? library.savedFile(ofSession: queueName),
            initial: Session(title: "Queue", items: items), queue: items, starts: true, remembered: file ?? queueName)
    }

    private static func name(ofFile file: String) -> String {
        URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
    }
}

extension Library {
    /// The session that an argument of the command line stands for, by name or by path; `nil` for a patch, and for what is not there.
    func session(_ argument: String) -> Entry? {
        guard let entry = try? find(.sessions, argument) else { return nil }
        return Library.holdsSession(entry.path) || (try? find(.patches, argument)) == nil ? entry : nil
    }
}

extension Session {
    /// The queue that was asked for takes the place of the old one; what was made of an item that stays is kept.
    mutating func replaceQueue(with wanted: [Item]) {
        items = wanted.map { item in items.first { $0.patch == item.patch } ?? item }
        current = items.isEmpty ? nil : 0
        (shuffleFirst, shuffleOrder) = (nil, [])
    }
}
