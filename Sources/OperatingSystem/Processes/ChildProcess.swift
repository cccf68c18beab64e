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
        // Above the first three, which are replaced one after the other.
        let copies = [input ?? output, output].map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        defer { for copy in copies where copy >= 0 { close(copy) } }
        guard copies.allSatisfy({ $0 >= 0 }) else { throw Errno.last }
        if input != nil {
            posix_spawn_file_actions_adddup2(&actions, copies[0], 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        for standard in [1, 2] as [Int32] { posix_spawn_file_actions_adddup2(&actions, copies[1], standard) }
        closeOthers(&actions)
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

    /// Closes all but the first three descriptors in a child. Libraries open sockets without the flag for it, and a child would keep them
    /// open after this program has ended. posix_spawn_file_actions_addclosefrom_np of the GNU C library
    private static func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { return }
        typealias Function = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        // SAFETY: spawn.h declares it so; Swift's overlay leaves it out.
        _ = unsafeBitCast(symbol, to: Function.self)(&actions, 3)
    }
}
