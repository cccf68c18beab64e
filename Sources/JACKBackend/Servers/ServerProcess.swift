import Foundation
import Synchronization

/// A child process in its own process group: the terminal's Ctrl-C does not reach it, so that the program can fade out before it ends the
/// server. Its output is read, and the last lines are kept.
final class ServerProcess: Sendable {
    struct SpawnError: Error {
        let code: Int32
    }

    let pid: Int32
    private let lines = Mutex<[String]>([])
    /// Whether the process was reaped; its pid may then belong to another process.
    private let isReaped = Mutex(false)

    /// Starts the program. posix_spawn
    init(_ program: String, _ arguments: [String], environment: [String: String]) throws(SpawnError) {
        var pipeEnds: [Int32] = [0, 0]
        guard pipe(&pipeEnds) == 0 else { throw SpawnError(code: errno) }
        pipeEnds.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
        defer { close(pipeEnds[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], 1)
        posix_spawn_file_actions_adddup2(&actions, pipeEnds[1], 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This program may have blocked signals that a thread waits for; the child starts with none blocked.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let vector = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (vector + variables).forEach { free($0) } }
        var pid: pid_t = 0
        // SAFETY: both vectors end in nil and live until the call returns; the child has copies of its own.
        let code = posix_spawn(&pid, program, &actions, &attributes, vector, variables)
        self.pid = pid
        guard code == 0 else {
            close(pipeEnds[0])
            throw SpawnError(code: code)
        }
        let output = FileHandle(fileDescriptor: pipeEnds[0], closeOnDealloc: true)
        Thread.detachNewThread { [weak self] in
            while case let data = output.availableData, !data.isEmpty {
                let new = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
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
