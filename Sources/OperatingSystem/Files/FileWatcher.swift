import Dispatch
import Glibc

/// Reports changes of files, through inotify(7). While nothing changes it costs nothing.
///
/// The folders of the files are watched, since most editors replace a file by a new one of the same name, and the folders above them, which may
/// be replaced as well. Where a path leads over symbolic links, the folder of each of them is watched. Files may come and go, and so may their
/// folders: a missing one is also looked for every second. Everything runs on one queue.
package final class FileWatcher {
    private let descriptor: Int32
    private let changed: (_ files: Set<String>) -> Void
    private let source: any DispatchSourceRead
    private let retry: any DispatchSourceTimer
    /// The watched files, each with the way to it.
    private var files: [String: Way] = [:]
    /// The watched folders by watch descriptor. Several paths may lead to one folder.
    private var folders: [Int32: Set<String>] = [:]
    /// The events that are watched for in each folder.
    private var masks: [String: UInt32] = [:]
    private var missing: Set<String> = []
    private var isSearching = false
    /// Why a folder cannot be watched although it exists, for example since the system's limit is reached; `nil` if all can.
    package private(set) var failure: Errno?

    /// A name in a folder.
    private struct Place: Hashable {
        let folder: String
        let name: String

        var path: String { folder == "/" ? "/" + name : folder + "/" + name }

        /// Whether a folder is at the place or below it.
        func contains(_ folder: String) -> Bool { folder == path || folder.hasPrefix(path + "/") }
    }

    /// The places that determine where a path leads.
    private struct Way {
        /// Every name on the way, from the root on; none contains a link.
        var places: Set<Place> = []
        /// The folder at the end of the way, which contains the file.
        var folder = "/"
    }

    /// Something was put in a place or removed from it.
    private static let exchanges = UInt32(IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE)
    /// A file was written and closed; writes that continue are not reported.
    private static let writes = UInt32(IN_CLOSE_WRITE | IN_ATTRIB)
    /// The folder itself was removed or moved.
    private static let losses = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)
    private static let retryInterval = DispatchTimeInterval.seconds(1)
    /// The maximum number of symbolic links that are followed, the same as in the system.
    private static let maximumLinks = 40

    /// - Parameters:
    ///   - queue: the queue on which everything runs; the watcher may be created on another thread.
    ///   - changed: receives the paths, as passed to ``watch(_:)``, whose contents may have changed.
    package init(queue: DispatchQueue, changed: @escaping (_ files: Set<String>) -> Void) throws(Errno) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw Errno.last }
        self.changed = changed
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        retry = DispatchSource.makeTimerSource(queue: queue)
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.setEventHandler { [weak self] in self?.receive() }
        retry.setEventHandler { [weak self] in self?.lookForMissing() }
        retry.schedule(deadline: .distantFuture)
        source.activate()
        retry.activate()
    }

    deinit {
        source.cancel()
        retry.cancel()
    }

    /// Watches these files, by absolute path, and no others.
    package func watch(_ wanted: Set<String>) {
        failure = nil
        files = Dictionary(uniqueKeysWithValues: wanted.map { ($0, Self.way(to: $0)) })
        arrange()
    }

    /// Watches the folders of all places, and no others.
    private func arrange() {
        let before = masks
        masks = [:]
        for way in files.values {
            for place in way.places { masks[place.folder, default: Self.exchanges] |= place.folder == way.folder ? Self.writes : 0 }
        }
        drop { masks[$0] == nil }
        let known = folders.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        missing = Set(masks.keys.filter { !(known.contains($0) && masks[$0] == before[$0]) && !begin($0) })
        // A search that is pending is not put off by other changes.
        if missing.isEmpty || !isSearching {
            retry.schedule(deadline: missing.isEmpty ? .distantFuture : .now() + Self.retryInterval, leeway: .milliseconds(100))
        }
        isSearching = !missing.isEmpty
    }

    /// Ends the watches of folders that are not wanted, or no longer at their path.
    private func drop(where isGone: (_ folder: String) -> Bool) {
        for (watch, paths) in folders {
            let kept = paths.filter { !isGone($0) }
            folders[watch] = kept.isEmpty ? nil : kept
            if kept.isEmpty { inotify_rm_watch(descriptor, watch) }
        }
    }

    /// - Returns: false if the folder is not there.
    private func begin(_ folder: String) -> Bool {
        let mask = (masks[folder] ?? 0) | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR) | UInt32(IN_MASK_ADD)
        let watch = inotify_add_watch(descriptor, folder, mask)
        if watch < 0 {
            // Many folders above one's own cannot be listed.
            if errno == EACCES, masks[folder] == Self.exchanges { return true }
            if ![ENOENT, ENOTDIR, EACCES, ELOOP].contains(errno) { failure = Errno.last }
            return false
        }
        folders[watch, default: []].insert(folder)
        return true
    }

    /// Folders that have come back are watched again, and their files are reported.
    private func lookForMissing() {
        let before = missing
        isSearching = false
        arrange()
        report { before.subtracting(self.missing).contains($0.folder) }
    }

    /// Reports what has happened until now, in place of the queue.
    package func receive() {
        let ways = files.values.reduce(into: Set<Place>()) { $0.formUnion($1.places) }
        var places: Set<Place> = []
        var lost: Set<String> = []
        var isIncomplete = false
        while let events = nextEvents() {
            for event in events {
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isIncomplete = true }
                let paths = folders[event.watch] ?? []
                if event.mask & Self.losses != 0 {
                    lost.formUnion(paths)
                    folders[event.watch] = nil
                    inotify_rm_watch(descriptor, event.watch)
                } else if !isUnfinished(event, in: paths) {
                    let seen = ways.intersection(paths.map { Place(folder: $0, name: event.name) })
                    places.formUnion(seen)
                    // Folders below it are somewhere else now, and so are their watches.
                    if event.mask & Self.exchanges != 0 { for place in seen { drop { place.contains($0) } } }
                }
            }
        }
        report { isIncomplete || places.contains($0) || lost.contains($0.folder) }
    }

    /// Whether a file was only created: it is reported once it has been written. A link is complete at once.
    private func isUnfinished(_ event: Event, in folders: Set<String>) -> Bool {
        guard event.mask & UInt32(IN_CREATE) != 0, let folder = folders.first else { return false }
        var status = stat()
        guard lstat("\(folder)/\(event.name)", &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }

    /// Reports the files with such a place. A link on the way to them may lead elsewhere now.
    private func report(where isMeant: (Place) -> Bool) {
        let affected = files.filter { $0.value.places.contains(where: isMeant) }.map(\.key)
        guard !affected.isEmpty else { return }
        for file in affected { files[file] = Self.way(to: file) }
        arrange()
        changed(Set(affected))
    }

    /// The way to an absolute path, as the system resolves it. Missing parts are treated as folders.
    private static func way(to file: String) -> Way {
        var way = Way()
        var rest = file.split(separator: "/").map(String.init)
        var links = 0
        while !rest.isEmpty {
            let name = rest.removeFirst()
            if name == ".." { way.folder = parent(of: way.folder) }
            if name == "." || name == ".." { continue }
            let place = Place(folder: way.folder, name: name)
            way.places.insert(place)
            if let target = RegularFile.linkTarget(of: place.path), links < maximumLinks {
                links += 1
                rest = target.split(separator: "/").map(String.init) + rest
                if target.hasPrefix("/") { way.folder = "/" }
            } else if !rest.isEmpty {
                way.folder = place.path
            }
        }
        return way
    }

    private static func parent(of folder: String) -> String {
        guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return "/" }
        return String(folder[..<slash])
    }

    // MARK: Events

    private struct Event {
        let watch: Int32
        let mask: UInt32
        /// Empty if it is about the folder itself.
        let name: String
    }

    /// The events that the next read returns; `nil` if there are none. read(2)
    private func nextEvents() -> [Event]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        var events: [Event] = []
        var rest = buffer[..<count]
        let header = MemoryLayout<inotify_event>.size
        while rest.count >= header {
            // SAFETY: the type is trivial, and there are at least as many bytes as it has.
            let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            // The name is padded with zeros.
            let name = rest.dropFirst(header).prefix(Int(event.len)).prefix { $0 != 0 }
            events.append(Event(watch: event.wd, mask: event.mask, name: String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(header + Int(event.len))
        }
        return events
    }
}
