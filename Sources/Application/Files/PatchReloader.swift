import Dispatch
import Library
import OperatingSystem
import Patches

/// Watches the files of patches and reads those that were saved again, on a queue of its own.
///
/// Editors write a file in several steps, so it is read once it has not changed for a moment. One that is missing may be about to be
/// replaced, and is reported only if it stays away.
actor PatchReloader {
    /// Patches of a session: their references, and the folder where relative paths start.
    struct Scope: Equatable, Sendable {
        var references: [String]
        var folder: String?
    }

    enum Outcome: Sendable {
        case read(Scope, Patch)
        /// The version that was read before stays in use.
        case failed(Scope, path: String, LibraryError)
        /// A file is read later, when there is enough memory.
        case lacksMemory
        /// Changes of some files cannot be seen.
        case cannotWatch(Errno)
    }

    private struct Waiting {
        var due: Double
        /// The time at which the first change was seen that has not been read.
        let since: Double
        /// Whether the file was found missing.
        var isMissing = false
        /// Whether it is read because it is new here, and not because it has changed.
        var isFirst = false
    }

    private let executor = QueueExecutor(label: "binaural.patches")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let library: Library
    /// Whether patches of the library are watched too.
    private let watchesNames: Bool
    private let hasMemory: @Sendable () -> Bool
    private let report: @Sendable (Outcome) -> Void
    private var watcher: FileWatcher?
    private var scope = Scope(references: [])
    /// The references that lead to each watched file.
    private var references: [String: [String]] = [:]
    private var waiting: [String: Waiting] = [:]
    /// The time at which the next file may be read, in seconds on the monotonic clock.
    private var restsUntil = 0.0
    private let time: any InstanceClock
    private var timer: (any InstanceTimer)?
    private var failure: Errno?

    /// Seconds without a change after which a file is read, and after which it is read even if it still changes.
    private static let quietTime = 0.1
    private static let longestWait = 0.5
    /// Seconds for which a file may be missing while it is being replaced.
    private static let patience = 1.0

    init(
        _ library: Library, watchesNames: Bool, time: any InstanceClock = SystemClock(),
        hasMemory: @escaping @Sendable () -> Bool = { SystemLimits.haveMemory() },
        report: @escaping @Sendable (Outcome) -> Void
    ) {
        self.library = library
        self.watchesNames = watchesNames
        self.time = time
        self.hasMemory = hasMemory
        self.report = report
    }

    /// Watches the files of these patches, and no others. Of several calls the last one counts.
    nonisolated func follow(_ scope: Scope) {
        executor.queue.async { self.assumeIsolated { $0.watch(scope) } }
    }

    /// Reads nothing for some seconds, since control was busy with the last patch.
    nonisolated func rest(seconds: Double) {
        executor.queue.async { self.assumeIsolated { $0.restsUntil = $0.time.seconds + seconds } }
    }

    /// Returns once every change until now has been seen. Whatever waits for a file to be quiet still waits.
    nonisolated func seeChanges() { executor.queue.sync { assumeIsolated { $0.watcher?.receive() } } }

    private func watch(_ scope: Scope) {
        self.scope = scope
        var found: [String: [String]] = [:]
        for reference in Set(scope.references) {
            for path in library.watchablePaths(ofPatch: reference, relativeTo: scope.folder, names: watchesNames) {
                found[path, default: []].append(reference)
            }
        }
        let added = Set(found.keys).subtracting(references.keys)
        references = found
        waiting = waiting.filter { found[$0.key] != nil }
        guard begin() else { return }
        watcher?.watch(Set(found.keys))
        notify(watcher?.failure)
        // A file saved since it was read is read again.
        record(added.filter(Self.isNew), isFirst: true)
    }

    /// - Returns: false if there is nothing to watch, or nothing can be watched.
    private func begin() -> Bool {
        guard watcher == nil, !references.isEmpty else { return watcher != nil }
        do throws(Errno) {
            watcher = try FileWatcher(queue: executor.queue) { [weak self] files in self?.assumeIsolated { $0.record(files) } }
        } catch {
            notify(error)
            return false
        }
        timer = time.timer(on: executor.queue) { [weak self] in self?.assumeIsolated { $0.readDue() } }
        return true
    }

    private func notify(_ failure: Errno?) {
        if let failure, failure != self.failure { report(.cannotWatch(failure)) }
        self.failure = failure
    }

    /// Whether a file was changed so recently that this may have been after it was read.
    private static func isNew(_ file: String) -> Bool { (RegularFile.age(of: file) ?? .infinity) < 30 }

    private func record(_ files: Set<String>, isFirst: Bool = false) {
        let now = time.seconds
        for file in files where references[file] != nil {
            let since = waiting[file].flatMap { $0.isMissing ? nil : $0.since } ?? now
            waiting[file] = Waiting(
                due: max(now, min(now + Self.quietTime, since + Self.longestWait)), since: since, isFirst: isFirst)
        }
        schedule()
    }

    private func schedule() {
        guard let due = waiting.values.map(\.due).min() else { return }
        timer?.schedule(in: max(0, max(due, restsUntil) - time.seconds))
    }

    private func readDue() {
        let now = time.seconds
        for (file, state) in waiting where max(state.due, restsUntil) <= now {
            waiting[file] = nil
            read(file, state, now)
        }
        schedule()
    }

    private func read(_ file: String, _ state: Waiting, _ now: Double) {
        guard let references = references[file], let reference = references.first else { return }
        guard hasMemory() else {
            waiting[file] = Waiting(due: now + Self.patience, since: now, isMissing: state.isMissing, isFirst: state.isFirst)
            return report(.lacksMemory)
        }
        let read = Scope(references: references, folder: scope.folder)
        do throws(LibraryError) {
            report(.read(read, try library.loadPatch(reference, relativeTo: scope.folder).patch))
        } catch {
            if error.isAboutMissingFile, !state.isMissing {
                waiting[file] = Waiting(due: now + Self.patience, since: now, isMissing: true, isFirst: state.isFirst)
            } else if !state.isFirst {
                report(.failed(read, path: file, error))
            }
        }
    }
}

extension LibraryError {
    var isAboutMissingFile: Bool {
        switch self {
        case .noFile, .notFound, .sessionForPatch: true
        case .unreadable(let error): error.isMissing
        default: false
        }
    }
}
