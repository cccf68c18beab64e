import Glibc

/// Starts programs as children of this one.
package enum ChildProcess {
    /// Starts a program in its own process group: the terminal's Ctrl-C does not reach it. posix_spawn(3)
    ///
    /// The child has default signal handlers, no blocked signal and no other open files. The caller waits for it with waitpid(2).
    ///
    /// - Parameters:
    ///   - environment: All of its environment variables.
    ///   - input: A descriptor that becomes its standard input; with `nil` that is empty.
    ///   - output: A descriptor that becomes its standard output and standard error.
    /// - Returns: Its process id.
    package static func start(
        _ program: String, _ arguments: [String], environment: [String: String], input: Int32? = nil, output: Int32
    ) throws(Errno) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)
        closeDescriptorsInChildren()
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
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
        guard code == 0 else { throw Errno(rawValue: code) }
        return pid
    }

    /// Libraries open sockets that a child would inherit, and would keep open after this program has ended. proc_pid_fd(5)
    private static func closeDescriptorsInChildren() {
        guard let folder = opendir("/proc/self/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
    }
}
