import Foundation
import Synchronization

/// Held while pipes are made and inherited: a program started at that moment by another task must not keep their ends open.
private let spawning = Mutex<Void>(())

/// The ends that the test keeps of a program's three pipes.
struct SpawnedChild {
    let pid: Int32
    let input: Int32
    let output: Int32
    let errors: Int32
    /// A pipe that no program inherits, for a thread to report the program's end to another one.
    let end: (reading: Int32, writing: Int32)
}

/// Starts a program in a process group of its own, with its standard streams on pipes, all signals at their defaults and no other
/// open file. posix_spawn(3).
func spawn(
    _ executable: String, _ arguments: [String], environment: [String: String], folder: String?
) throws(ProgramFailure) -> SpawnedChild {
    // env(1) changes the folder and then becomes the program.
    let (executable, arguments) = folder.map { ("/usr/bin/env", ["-C", $0, executable] + arguments) } ?? (executable, arguments)
    return try spawning.withLock { _ throws(ProgramFailure) in
        try spawnAlone(executable, arguments, environment: environment)
    }
}

private func spawnAlone(
    _ executable: String, _ arguments: [String], environment: [String: String]
) throws(ProgramFailure) -> SpawnedChild {
    // A program that ends early must not end the test process that is still writing to it.
    signal(SIGPIPE, SIG_IGN)
    let (input, output, errors) = (try makePipe(), try makePipe(), try makePipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    let arguments = cStrings([executable] + arguments)
    let variables = cStrings(environment.map { "\($0)=\($1)" })
    defer { (arguments + variables).forEach { free($0) } }
    var pid: pid_t = 0
    // SAFETY: both vectors end in nil and live until the call returns; the child has copies of its own.
    let code =
        executable.contains("/")
        ? posix_spawn(&pid, executable, &actions, &attributes, arguments, variables)
        : posix_spawnp(&pid, executable, &actions, &attributes, arguments, variables)
    [input.reading, output.writing, errors.writing].forEach { _ = close($0) }
    guard code == 0 else {
        [input.writing, output.reading, errors.reading].forEach { _ = close($0) }
        throw ProgramFailure("cannot start \(executable): \(String(cString: strerror(code)))")
    }
    return SpawnedChild(pid: pid, input: input.writing, output: output.reading, errors: errors.reading, end: try makePipe())
}

private func makePipe() throws(ProgramFailure) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw ProgramFailure("cannot make a pipe: \(String(cString: strerror(errno)))") }
    ends.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
}

/// A vector of C strings that ends in nil; every one has to be freed.
private func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
    strings.map { strdup($0) } + [nil]
}

/// Waits until a child has ended, without reaping it. waitid(2).
func awaitEnd(of pid: Int32) {
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
}

/// Reaps a child that has ended. waitpid(2).
func reap(_ pid: Int32) -> ProgramExit {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1 && errno == EINTR {}
    return status & 0x7f == 0 ? .code((status >> 8) & 0xff) : .signal(status & 0x7f)
}

func writeAll(_ text: String, to file: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        // SAFETY: the pointer is used only inside the closure.
        let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        if count == -1 && errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
    }
}
