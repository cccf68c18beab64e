import Foundation

/// Reads both streams to their ends and hands over line by line; what stands after the last newline counts as a line at the end.
///
/// - Parameters:
///   - end: A descriptor that is closed at its other end when the program has ended. What it wrote is in the pipes by then.
///   - drained: Called once, when all that the program wrote has been handed over. Its child processes may keep the streams open for longer.
func readLines(output: Int32, errors: Int32, end: Int32, drained: () -> Void, line: (_ text: String, _ isError: Bool) -> Void) {
    var streams = [output, errors, end].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var pending: [[UInt8]] = [[], []]
    var chunk = [UInt8](repeating: 0, count: 65_536)

    /// Reads what is there without waiting, a chunk or all of it, and closes the stream at its end.
    func read(_ stream: Int, all: Bool = false) {
        while streams[stream].fd >= 0 {
            let count = Glibc.read(streams[stream].fd, &chunk, chunk.count)
            if count == -1 && errno == EINTR { continue }
            if count == -1 && errno == EAGAIN { return }
            guard count > 0 else {
                flush(stream)
                close(streams[stream].fd)
                streams[stream].fd = -1
                return
            }
            pending[stream] += chunk[..<count]
            while let end = pending[stream].firstIndex(of: UInt8(ascii: "\n")) {
                line(String(decoding: pending[stream][..<end], as: UTF8.self), stream == 1)
                pending[stream].removeSubrange(...end)
            }
            if !all { return }
        }
    }
    func flush(_ stream: Int) {
        if !pending[stream].isEmpty { line(String(decoding: pending[stream], as: UTF8.self), stream == 1) }
        pending[stream] = []
    }

    for stream in 0..<2 { _ = fcntl(streams[stream].fd, F_SETFL, O_NONBLOCK) }
    while streams.contains(where: { $0.fd >= 0 }) {
        guard poll(&streams, nfds_t(streams.count), -1) >= 0 || errno == EINTR else { return }
        for stream in 0..<2 where streams[stream].revents != 0 { read(stream) }
        if streams[2].fd >= 0 && streams[2].revents != 0 {
            close(streams[2].fd)
            streams[2].fd = -1
            for stream in 0..<2 {
                read(stream, all: true)
                flush(stream)
            }
            drained()
        }
    }
}
