import PatchFiles
import OperatingSystem

package enum LibraryError: Error, Sendable, CustomStringConvertible {
    /// There is no entry of that name; `near` is a similar name, if any.
    case notFound(Library.Kind, name: String, near: String?)
    /// There is no patch of that name, but a session.
    case sessionForPatch(name: String)
    /// There is no entry of that name, but a file in the working folder.
    case onlyFile(name: String)
    /// There is no file at that path.
    case noFile(path: String)
    /// The folder for a new file does not exist.
    case noFolder(String)
    /// The text is not a valid name.
    case notAName(String)
    /// The file with the session played last holds no name of one.
    case noSessionNamed(in: String)
    /// A new patch may not have this name.
    case reservedName(String)
    /// A patch cannot be saved under this name, since an entry has it. `canReplace`: it can if that is asked for.
    case nameTaken(String, by: Library.Entry, canReplace: Bool)
    /// A patch was not saved, since so large a file could not be read again.
    case tooLarge(name: String, bytes: Int)
    case unreadable(FileError)
    case faulty(Diagnostics)
    case cannotWrite(FileError)

    package var description: String {
        switch self {
        case .notFound(let kind, let name, let near):
            "There is no \(kind.noun) named '\(name)'." + (near.map { " Did you mean '\($0)'?" } ?? "")
                + " `binaural list` shows all names."
        case .sessionForPatch(let name): "'\(name)' is a session, and a patch is needed here. `binaural list` shows which is which."
        case .onlyFile(let name): "There is no patch or session named '\(name)'. To open the file of that name, use './\(name)'."
        case .noFile(let path): "There is no file \(path)."
        case .noFolder(let path): "There is no folder \(path): create it, or choose another place."
        case .notAName(let text):
            "'\(text.unicodeScalars.count > 60 ? text.prefix(60) + "…" : text)' is not a valid name: use one without a leading dot, / or control characters."
        case .noSessionNamed(let path): "There is no name of a session in \(path)."
        case .reservedName(let name):
            "Choose a name without a leading - or an ending such as .yaml, other than preferences, not '\(name)'."
        case .nameTaken(let name, let entry, canReplace: true):
            // Short, since peers get at most 96 bytes.
            entry.origin == .user
                ? "Choose another name, or overwrite your patch '\(name)' with --force (over OSC: 1)."
                : "Choose another name, or hide the \(entry.origin == .shipped ? "shipped" : "system's") patch '\(name)' with --force (over OSC: 1)."
        case .nameTaken(let name, let entry, canReplace: false):
            "Choose another name: '\(name)' is a \(entry.kind.noun) that would be found first: \(entry.path)."
        case .tooLarge(let name, let bytes):
            "The patch '\(name)' was not saved: it would have \(bytes) bytes, and at most \(YAMLSource.maximumSize) can be read."
        case .unreadable(let error), .cannotWrite(let error): "\(error)"
        case .faulty(let diagnostics): "\(diagnostics)"
        }
    }
}

extension LibraryError {
    /// Whether there is no such patch, by name or at a path.
    package var isAboutMissingPatch: Bool {
        switch self {
        case .notFound, .noFile: true
        default: false
        }
    }
}

extension LibraryError {
    /// Whether no patch or session has the name.
    package var isAboutUnknownName: Bool {
        switch self {
        case .notFound, .sessionForPatch: true
        default: false
        }
    }
}

extension LibraryError: QuotesFiles {
    package var wordsForPeers: String {
        if case .faulty(let diagnostics) = self { diagnostics.wordsForPeers } else { description }
    }
}
