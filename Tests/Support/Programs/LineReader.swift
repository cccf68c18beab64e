import Foundation

/// Reads both streams to their ends and hands over line by line; what stands after the last newline counts as a line at the end.
func readLines(output: Int32, errors: Int32, line: (_ text: String, _ isError: Bool) -> Void) {
    var streams = [pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: errors, events: Int16(POLLIN), revents: 0)]
    var pending: [[UInt8]] = [[], []]
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while streams.contains(where: { $0.fd >= 0 }) {
        guard poll(&streams, nfds_t(streams.count), -1) >= 0 || errno == EINTR else { return }
        for stream in streams.indices where streams[stream].fd >= 0 && streams[stream].revents != 0 {
            let count = read(streams[stream].fd, &chunk, chunk.count)
            if count == -1 && errno == EINTR { continue }
            if count > 0 {
                pending[stream] += chunk[..<count]
                while let end = pending[stream].firstIndex(of: UInt8(ascii: "\n")) {
                    line(String(decoding: pending[stream][..<end], as: UTF8.self), stream == 1)
                    pending[stream].removeSubrange(...end)
                }
            } else {
                if !pending[stream].isEmpty { line(String(decoding: pending[stream], as: UTF8.self), stream == 1) }
                close(streams[stream].fd)
                streams[stream].fd = -1
            }
        }
    }
}
