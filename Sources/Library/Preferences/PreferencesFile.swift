import Glibc
import PatchFiles
import Playback
import OperatingSystem
import Synchronization

/// The user's preferences file. It does file I/O on the calling thread; any thread may call it, and calls wait for each other.
///
/// The file is read again before it is written: what others wrote there meanwhile is kept, except for the values assigned here.
package final class PreferencesFile: Sendable {
    package let path: String
    private let writing = Mutex(())

    package init(path: String) { self.path = path }

    /// The values in the file. If there is no file, or a value is invalid, the default is used.
    package func load() -> (values: PreferenceValues, notice: PreferencesNotice?) {
        do throws(FileError) {
            let (text, faults) = PreferencesText.parse(try Files.read(path, limit: PreferencesText.limit), file: path)
            if let faults { return (text.values, .faulty(path: path, faults)) }
            return (text.values, text.doubts.isEmpty ? nil : .doubtful(Diagnostics(text.doubts)))
        } catch {
            return (PreferenceValues(), error.code == ENOENT ? nil : .unreadable(error))
        }
    }

    /// Loads the file. If it does not exist yet, it is first created as a copy of the file at `other`, if that one exists.
    package func load(beginningAs other: String) -> (values: PreferenceValues, notice: PreferencesNotice?) {
        do throws(FileError) {
            guard try !Files.exists(path), try Files.exists(other) else { return load() }
            // The contents are copied even if it is a link: each file belongs to one session.
            try Files.replace(path, with: try Files.read(other, limit: PreferencesText.limit))
        } catch {
            return (PreferenceValues(), .notCopied(error))
        }
        return load()
    }

    /// Writes the assigned values into the file. When this returns, they are on disk; when it throws, the file is unchanged.
    package func save(_ assigned: PreferenceValues) throws(PreferencesError) {
        let failure: PreferencesError? = writing.withLock { _ in
            do throws(PreferencesError) {
                try merge(assigned)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    private func merge(_ assigned: PreferenceValues) throws(PreferencesError) {
        do throws(FileError) { try RegularFile.requireRegular(path, for: .read) } catch { throw .cannotRead(error) }
        do throws(FileError) { try Folder.make(Paths.folder(of: path)) } catch { throw .cannotWrite(error) }
        // A link is kept; the file that it leads to is replaced.
        let file = Paths.real(path)
        // Another instance may be writing.
        try merge(assigned, into: file, holding: try takeLock(file + ".lock"))
    }

    private func merge(_ assigned: PreferenceValues, into file: String, holding _: borrowing LockFile) throws(PreferencesError) {
        var bytes: [UInt8] = []
        do throws(FileError) {
            bytes = try Files.read(file, limit: PreferencesText.limit)
        } catch {
            guard error.code == ENOENT else { throw .cannotRead(error) }
        }
        var (text, faults) = PreferencesText.parse(bytes, file: path)
        if let faults { throw .faulty(path: path, faults) }
        text.values = text.values.merging(assigned)
        let new = Array(text.yaml.utf8)
        guard new != bytes else { return }
        do throws(FileError) { try Files.replace(file, with: new) } catch { throw .cannotWrite(error) }
    }

    private func takeLock(_ path: String) throws(PreferencesError) -> LockFile {
        do throws(LockFile.Refusal) {
            return try LockFile.waiting(for: path)
        } catch {
            switch error {
            case .failed(let failure): throw .cannotWrite(failure)
            case .heldBy: throw .inUse(path: self.path)
            }
        }
    }
}

/// Why preferences were not saved; the file is unchanged.
package enum PreferencesError: Error, Sendable, CustomStringConvertible {
    case faulty(path: String, Diagnostics)
    case cannotRead(FileError)
    case cannotWrite(FileError)
    /// Another process has held the lock for seconds.
    case inUse(path: String)

    package var description: String {
        switch self {
        case .faulty(let path, let faults): "The preferences were not saved: \(path) has mistakes. Correct them.\n\(faults)"
        case .cannotRead(let error), .cannotWrite(let error): "The preferences were not saved; the file is unchanged. \(error)"
        case .inUse(let path): "The preferences were not saved: another process is writing \(path)."
        }
    }
}

/// A message for the user about how preferences were loaded.
package enum PreferencesNotice: Sendable, CustomStringConvertible {
    /// Invalid values are ignored, and the file is not written until they are corrected.
    case faulty(path: String, Diagnostics)
    case unreadable(FileError)
    /// The file was to be created as a copy of another one.
    case notCopied(FileError)
    /// Unknown names that resemble a known one.
    case doubtful(Diagnostics)

    package var description: String {
        switch self {
        case .faulty(let path, let faults):
            "The preferences file \(path) has mistakes. Invalid preferences have their defaults, and nothing is saved until the file is corrected.\n\(faults)"
        case .unreadable(let error): "The preferences cannot be read; the defaults apply. \(error)"
        case .notCopied(let error): "Your preferences cannot be copied for this session; the defaults apply. \(error)"
        case .doubtful(let diagnostics):
            "The preferences contain names that this version does not know; they are kept and ignored.\n\(diagnostics)"
        }
    }
}

extension PreferencesError: QuotesFiles {
    package var wordsForPeers: String {
        guard case .faulty(_, let faults) = self else { return description }
        return "The preferences were not saved. \(faults.wordsForPeers)"
    }
}

extension PreferencesNotice: QuotesFiles {
    package var wordsForPeers: String {
        switch self {
        case .faulty(_, let faults): "Invalid preferences have their defaults. \(faults.wordsForPeers)"
        case .doubtful(let diagnostics): "The preferences contain names that this version does not know. \(diagnostics.wordsForPeers)"
        case .unreadable, .notCopied: description
        }
    }
}
