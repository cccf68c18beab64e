import Glibc
import Patches
import Playback
import RegularFiles
import Synchronization

/// The user's file of preferences. It does file I/O where it is called; any thread may call it, one at a time gets on.
///
/// It is read anew before it is written: what somebody wrote there meanwhile stays, but for what was assigned here.
package final class PreferencesFile: Sendable {
    package let path: String
    private let turn = Mutex(())

    package init(path: String) { self.path = path }

    /// What the file says; where there is none, and for what is wrong in it, the values are as declared.
    package func load() -> (values: PreferenceValues, notice: PreferencesNotice?) {
        do throws(FileError) {
            let (text, faults) = PreferencesText.parse(try Files.read(path, limit: PreferencesText.limit), file: path)
            if let faults { return (text.values, .faulty(path: path, faults)) }
            return (text.values, text.doubts.isEmpty ? nil : .doubtful(Diagnostics(text.doubts)))
        } catch {
            return (PreferenceValues(), error.code == ENOENT ? nil : .unreadable(error))
        }
    }

    /// The same; where there is no file yet, it begins as a copy of the one at `other`, if there is that.
    package func load(beginningAs other: String) -> (values: PreferenceValues, notice: PreferencesNotice?) {
        guard !Files.exists(path), Files.exists(other) else { return load() }
        do throws(FileError) {
            // What it says, also where it is a link: this file is to be nobody else's.
            try Files.replace(path, with: try Files.read(other, limit: PreferencesText.limit))
        } catch {
            return (PreferenceValues(), .notCopied(error))
        }
        return load()
    }

    /// Puts what was assigned into the file. When this returns it is on the disk; when it throws, the file is what it was.
    package func save(_ assigned: PreferenceValues) throws(PreferencesError) {
        let failure: PreferencesError? = turn.withLock { _ in
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
        do throws(FileError) { try Files.makeFolder(Paths.folder(of: path)) } catch { throw .cannotWrite(error) }
        // A link stays a link.
        let file = Paths.real(path)
        // Another instance may be at it; it keeps the lock for as long as one write takes.
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
        for _ in 0..<100 {
            do throws(LockFile.Refusal) {
                return try LockFile(path: path)
            } catch {
                if case .failed(let failure) = error { throw .cannotWrite(failure) }
                usleep(20_000)
            }
        }
        throw .inUse(path: self.path)
    }
}

/// Why preferences were not saved; the file is what it was.
package enum PreferencesError: Error, Sendable, CustomStringConvertible {
    case faulty(path: String, Diagnostics)
    case cannotRead(FileError)
    case cannotWrite(FileError)
    /// Another process has been writing it for seconds.
    case inUse(path: String)

    package var description: String {
        switch self {
        case .faulty(let path, let faults): "The preferences are not saved: there are mistakes in \(path). Correct them.\n\(faults)"
        case .cannotRead(let error), .cannotWrite(let error): "The preferences are not saved; the file is what it was. \(error)"
        case .inUse(let path): "The preferences are not saved: another process is writing \(path)."
        }
    }
}

/// What the user has to know about how preferences were read.
package enum PreferencesNotice: Sendable, CustomStringConvertible {
    /// What is wrong counts as not chosen, and the file is not written before it is right.
    case faulty(path: String, Diagnostics)
    case unreadable(FileError)
    /// It was to begin as a copy of another one.
    case notCopied(FileError)
    /// Names that nothing is known of, and that are nearly one that is known.
    case doubtful(Diagnostics)

    package var description: String {
        switch self {
        case .faulty(let path, let faults):
            "There are mistakes in the preferences, \(path). What is wrong has its default, and preferences are not saved before it is right.\n\(faults)"
        case .unreadable(let error): "The preferences cannot be read, and have their defaults. \(error)"
        case .notCopied(let error): "The preferences of this session have their defaults: yours cannot be copied. \(error)"
        case .doubtful(let diagnostics):
            "The preferences hold what this version does not know; it stays there without effect.\n\(diagnostics)"
        }
    }
}

extension PreferencesError: QuotesFiles {
    package var wordsForPeers: String {
        guard case .faulty(_, let faults) = self else { return description }
        return "The preferences are not saved. \(faults.wordsForPeers)"
    }
}

extension PreferencesNotice: QuotesFiles {
    package var wordsForPeers: String {
        switch self {
        case .faulty(_, let faults): "What is wrong in the preferences has its default. \(faults.wordsForPeers)"
        case .doubtful(let diagnostics): "The preferences hold what this version does not know. \(diagnostics.wordsForPeers)"
        case .unreadable, .notCopied: description
        }
    }
}
