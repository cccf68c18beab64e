import Foundation
import OperatingSystem
import Synchronization

/// A server that this program started. The terminal's Ctrl-C does not reach it, so that the program can fade out before it ends the
/// server. Its output is read, and the last lines are kept.
final class ServerProcess: Sendable {
    let pid: Int32
    private let lines = Mutex<[String]>([])
    /// Whether the process was reaped; its pid may then belong to another process.
    private let isReaped = Mutex(false)

    init(_ program: String, _ arguments: [String], environment: [String: String]) throws(Errno) {
        var pipeEnds: [Int32] = [0, 0]
        guard pipe(&pipeEnds) == 0 else { throw Errno.last }
        pipeEnds.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
        defer { close(pipeEnds[1]) }
        do {
            pid = try ChildProcess.start(program, arguments, environment: environment, output: pipeEnds[1])
        } catch {
            close(pipeEnds[0])
            throw error
        }
        let output = pipeEnds[0]
        Thread.detachNewThread { [weak self] in
            defer { close(output) }
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(output, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                let new = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
                self?.lines.withLock { $0 = Array(($0 + new).suffix(3)) }
            }
        }
    }

    /// The last lines of its output, joined to one.
    var lastLines: String {
        lines.withLock { $0.joined(separator: "; ") }
    }

    var hasEnded: Bool {
        isReaped.withLock { isReaped in
            if !isReaped { isReaped = waitpid(pid, nil, WNOHANG) == pid }
            return isReaped
        }
    }

    /// Sends SIGTERM, and SIGKILL after three seconds; returns when the process has ended.
    func end() {
        let deadline = ContinuousClock.now + .seconds(3)
        send(SIGTERM)
        while !hasEnded {
            if ContinuousClock.now > deadline { send(SIGKILL) }
            usleep(5_000)
        }
    }

    private func send(_ signal: Int32) {
        isReaped.withLock { if !$0 { kill(pid, signal) } }
    }
}
