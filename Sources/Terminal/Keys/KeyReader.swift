// A thread of its own, except for starting and waking it.
import Foundation
import OperatingSystem

/// Reads keys from the terminal on a thread of its own, while this process is in the foreground.
final class KeyReader: Sendable {
    let keys: AsyncStream<Key>
    /// Wakes the reading thread; `nil` if nothing is read.
    private let wakeUpPipe: WakeUpPipe?

    init() {
        let (keys, key) = AsyncStream<Key>.makeStream(bufferingPolicy: .bufferingNewest(32))
        self.keys = keys
        wakeUpPipe = try? isatty(STDIN_FILENO) == 1 ? WakeUpPipe() : nil
        guard let wakeUpPipe else { return }
        // In the background, a read would stop the whole program; with the signal ignored it fails, and the reader waits.
        signal(SIGTTIN, SIG_IGN)
        let thread = Thread { Self.read(wakeUpPipe, into: key) }
        thread.name = "keys"
        thread.start()
    }

    /// Makes the reader check the terminal again. Call it when this process may have returned to the foreground.
    func wake() { wakeUpPipe?.wake() }

    private static func read(_ wakeUpPipe: WakeUpPipe, into key: AsyncStream<Key>.Continuation) {
        var parser = KeyParser()
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let isOurs = TerminalMode.isOurs
            var waited = [
                pollfd(fd: wakeUpPipe.descriptor, events: Int16(POLLIN), revents: 0),
                // poll ignores a negative descriptor.
                pollfd(fd: isOurs ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waited, 2, -1) > 0 else { continue }
            if waited[0].revents != 0 { wakeUpPipe.drain() }
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
