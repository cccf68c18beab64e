import Patches
import RegularFiles

package enum LibraryError: Error, Sendable, CustomStringConvertible {
    /// Nothing of that name; `near` is what may have been meant.
    case notFound(Library.Kind, name: String, near: String?)
    /// No file at that path.
    case noFile(path: String)
    /// Not a name that may come from outside.
    case notAName(String)
    case unreadable(FileError)
    case faulty(Diagnostics)
    case cannotWrite(FileError)

    package var description: String {
        switch self {
        case .notFound(let kind, let name, let near):
            "There is no \(kind.noun) named '\(name)'." + (near.map { " Did you mean '\($0)'?" } ?? "")
                + " `binaural list` shows what there is."
        case .noFile(let path): "There is no file \(path)."
        case .notAName(let text):
            "'\(text.unicodeScalars.count > 60 ? text.prefix(60) + "…" : text)' is not a name: expected one without / and control characters."
        case .unreadable(let error), .cannotWrite(let error): "\(error)"
        case .faulty(let diagnostics): "\(diagnostics)"
        }
    }

    /// After sysexits.
    package var exitCode: Int32 {
        switch self {
        case .notFound, .noFile: 66
        case .notAName: 64
        case .unreadable(let error), .cannotWrite(let error): error.exitCode
        case .faulty: 65
        }
    }
}

extension LibraryError: QuotesFiles {
    package var wordsForPeers: String {
        if case .faulty(let diagnostics) = self { diagnostics.wordsForPeers } else { description }
    }
}
