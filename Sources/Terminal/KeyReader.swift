// A thread of its own, except for starting and waking it.
import Foundation

/// Reads keys from the terminal on a thread of its own, while this process is in the foreground.
final class KeyReader: Sendable {
    let keys: AsyncStream<Key>
    private let wakeReading: Int32
    private let wakeWriting: Int32

    init() {
        let (keys, key) = AsyncStream<Key>.makeStream(bufferingPolicy: .bufferingNewest(32))
        self.keys = keys
        var ends: [Int32] = [-1, -1]
        guard isatty(STDIN_FILENO) == 1, pipe(&ends) == 0 else {
            (wakeReading, wakeWriting) = (-1, -1)
            return
        }
        (wakeReading, wakeWriting) = (ends[0], ends[1])
        // In the background, a read would stop the whole program; with the signal ignored it fails, and the reader waits.
        signal(SIGTTIN, SIG_IGN)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let wake = wakeReading
        let thread = Thread { Self.read(wake: wake, into: key) }
        thread.name = "keys"
        thread.start()
    }

    /// To be called when this process may have returned to the foreground.
    func wake() {
        guard wakeWriting >= 0 else { return }
        var byte: UInt8 = 0
        write(wakeWriting, &byte, 1)
    }

    private static func read(wake: Int32, into key: AsyncStream<Key>.Continuation) {
        var parser = KeyParser()
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let isOurs = TerminalMode.isOurs
            var waited = [
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
                // poll ignores a negative descriptor.
                pollfd(fd: isOurs ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waited, 2, -1) > 0 else { continue }
            if waited[0].revents != 0 { Glibc.read(wake, &buffer, buffer.count) }
            guard waited[1].revents != 0 else { continue }
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count > 0 {
                for each in parser.keys(in: buffer[..<count]) { key.yield(each) }
            } else if count == 0 || TerminalMode.isOurs && errno != EINTR {
                // The terminal is gone.
                return
            }
        }
    }
}
