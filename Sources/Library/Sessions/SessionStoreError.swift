import PatchFiles
import OperatingSystem

package enum SessionStoreError: Error, Sendable, CustomStringConvertible {
    /// Another process has it open; `pid` is `nil` if unknown.
    case inUse(file: String, pid: Int32?)
    /// The file is of a format that this version cannot read.
    case newerFormat(Diagnostics)
    /// The file is a sound file, a picture or the like, not a damaged session.
    case notText(Diagnostics)
    /// The file exists but cannot be read.
    case unreadable(FileError)
    /// Nothing was saved; the file is unchanged.
    case cannotWrite(FileError)
    /// Nothing was saved: the session's folder was removed meanwhile, and it cannot be made again.
    case folderGone(FileError)
    /// The file is written and complete, but its folder could not be synced: a power failure may bring the older one back.
    case notDurable(FileError)
    /// The file was not written, since so large a file could not be read again.
    case tooLarge(file: String, bytes: Int)
    /// The session was opened read-only, for the reason given.
    case readOnly(file: String, reason: String)

    package var description: String {
        switch self {
        case .inUse(let file, let pid):
            "The session \(file) is in use by " + (pid.map { "process \($0)" } ?? "another process")
                + ". Stop that process, or choose another file with --session."
        case .newerFormat(let diagnostics), .notText(let diagnostics): "\(diagnostics)"
        case .unreadable(let error): "\(error)"
        case .cannotWrite(let error): "The session was not saved; the file is unchanged. \(error)"
        case .folderGone(let error): "The session was not saved: its folder is gone. \(error) Put the folder back, then save again."
        case .notDurable(let error): "The session was written, but a power failure could still restore its older state. \(error)"
        case .tooLarge(let file, let bytes):
            "The session was not saved; the file is unchanged. \(file) would have \(bytes) bytes, and at most \(YAMLSource.maximumSize) can be read. Remove presets or queue items."
        case .readOnly(let file, let reason): "The session \(file) is not saved: \(reason)."
        }
    }
}

/// A message for the user about how a session was opened.
package enum SessionNotice: Equatable, Sendable, CustomStringConvertible {
    /// The file was damaged, with `faults`; it was renamed to `as` (`nil` if that failed), and `loaded` was used in its place (`nil` for
    /// the initial session).
    case setAside(file: String, as: String?, faults: Diagnostics, loaded: String?)
    /// The file was gone, also if there is something else in its place; its generation `loaded` was used, or the initial session (`nil`), since
    /// none of them is valid.
    case missing(file: String, loaded: String?)
    /// Something else has written to the file since the program did. `hasOlder`: there is a valid generation.
    case altered(file: String, hasOlder: Bool)
    /// Unknown keys that resemble a known one; they are kept.
    case doubtful(file: String, Diagnostics)
    case readOnly(file: String, reason: String)
    /// The position in the file cannot be read, or has changed since it was written.
    case lostPosition(file: String)

    package var description: String {
        switch self {
        case .doubtful(_, let doubts): "\(summary)\n\(doubts)"
        case .setAside(_, _, let faults, _): "\(summary)\n\(faults)"
        case .missing, .altered, .readOnly, .lostPosition: summary
        }
    }

    private var summary: String {
        switch self {
        case .setAside(let file, let aside, _, let loaded):
            "The session \(file) cannot be read" + (aside.map { " and was kept as \($0)" } ?? "") + ". "
                + (loaded.map { "Its older state in \($0) is used." } ?? "No older state can be read; the session starts empty.")
        case .missing(let file, let loaded):
            "The session \(file) is gone"
                + (loaded.map { ". Its older state in \($0) is used." } ?? ", and no older state can be read. It starts as a new session.")
        case .altered(let file, let hasOlder):
            "The session \(file) is not as this program has written it. If nobody has edited it, it is damaged. "
                + (hasOlder ? "Older states are in \(file).1 to \(file).\(SessionStore.generationCount); the" : "The")
                + " next save keeps this one as \(file).1."
        case .doubtful(let file, _): "The session \(file) contains keys that this version does not know; they are kept and ignored."
        case .readOnly(let file, let reason): "Changes to the session \(file) are not saved: \(reason)."
        case .lostPosition(let file):
            "The position \(file) is not as this program has written it and is ignored: the item starts from the beginning."
        }
    }
}

extension SessionStoreError: QuotesFiles {
    package var wordsForPeers: String {
        switch self {
        case .newerFormat(let diagnostics):
            return
                "\(diagnostics.all.first?.file ?? "The session"): it was written by a newer version of the program. Open it with that version."
        case .notText(let diagnostics): return diagnostics.wordsForPeers
        case .inUse, .unreadable, .cannotWrite, .folderGone, .notDurable, .tooLarge, .readOnly: return description
        }
    }
}

extension SessionNotice: QuotesFiles {
    package var wordsForPeers: String {
        switch self {
        case .setAside(let file, let aside, _, _): return "\(summary) 'binaural check \(aside ?? file)' shows what is wrong."
        case .doubtful(let file, _): return "\(summary) 'binaural check \(file)' shows them."
        case .missing, .altered, .readOnly, .lostPosition: return description
        }
    }
}
