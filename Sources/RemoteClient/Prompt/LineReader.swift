import Foundation

/// Reads lines of standard input as they arrive.
struct LineReader {
    private var bytes: [UInt8] = []
    private(set) var isOver = false

    /// The lines since the last call; does not wait. The last line may lack its newline.
    mutating func read() -> [String] {
        var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard !isOver, poll(&ready, 1, 0) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        bytes += buffer.prefix(max(0, count))
        isOver = count <= 0
        var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // Text after the last newline is a line only at the end of the input.
        if !isOver || parts.last?.isEmpty == true { bytes = Array(parts.removeLast()) } else { bytes = [] }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }
}
