import PatchFiles
import RegularFiles

package enum LibraryError: Error, Sendable, CustomStringConvertible {
    /// There is no entry of that name; `near` is a similar name, if any.
    case notFound(Library.Kind, name: String, near: String?)
    /// There is no file at that path.
    case noFile(path: String)
    /// The text is not a valid name.
    case notAName(String)
    case unreadable(FileError)
    case faulty(Diagnostics)
    case cannotWrite(FileError)

    package var description: String {
        switch self {
        case .notFound(let kind, let name, let near):
            "There is no \(kind.noun) named '\(name)'." + (near.map { " Did you mean '\($0)'?" } ?? "")
                + " `binaural list` shows all names."
        case .noFile(let path): "There is no file \(path)."
        case .notAName(let text):
            "'\(text.unicodeScalars.count > 60 ? text.prefix(60) + "…" : text)' is not a valid name: use one without / or control characters."
        case .unreadable(let error), .cannotWrite(let error): "\(error)"
        case .faulty(let diagnostics): "\(diagnostics)"
        }
    }
}

extension LibraryError: QuotesFiles {
    package var wordsForPeers: String {
        if case .faulty(let diagnostics) = self { diagnostics.wordsForPeers } else { description }
    }
}
