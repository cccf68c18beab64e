import Foundation

/// Waits for a file to be created: inotify(7).
package struct FileArrival {
    private let path: String
    private let notifications: Int32

    /// Watches from here on; a file that is there already counts as arrived.
    package init(_ path: String) {
        self.path = path
        notifications = inotify_init1(Int32(IN_CLOEXEC))
        inotify_add_watch(notifications, URL(filePath: path).deletingLastPathComponent().path, UInt32(IN_CREATE | IN_MOVED_TO))
    }

    /// False if it has not come within ``Patience/limit``.
    package func arrives(at file: StaticString = #fileID, _ line: UInt = #line) async -> Bool {
        let start = ContinuousClock.now
        defer { Patience.note(since: start, file, line) }
        return await withCheckedContinuation { continuation in
            let (path, notifications) = (path, notifications)
            Thread.detachNewThread {
                defer { close(notifications) }
                let deadline = start + Patience.limit
                var events = [UInt8](repeating: 0, count: 4096)
                while access(path, F_OK) != 0 {
                    let rest = (deadline - .now).timeInterval
                    var file = pollfd(fd: notifications, events: Int16(POLLIN), revents: 0)
                    guard rest > 0, poll(&file, 1, Int32(rest * 1000) + 1) >= 0 else { return continuation.resume(returning: false) }
                    if file.revents != 0 { _ = read(notifications, &events, events.count) }
                }
                continuation.resume(returning: true)
            }
        }
    }
}
