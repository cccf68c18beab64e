import Glibc
import Performance
import Playback

/// The least that a program needs of the system. With less, the libraries that it uses would crash in the middle.
package enum SystemLimits {
    /// Checks how many files, sockets and pipes may still be opened. getrlimit(2)
    ///
    /// - Parameter needed: 16 for every command, since libdispatch needs some from time to time.
    /// - Throws: `ApplicationError` naming the limit to raise.
    package static func requireFiles(_ needed: Int) throws(ApplicationError) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var free = 0
        // In a container the limit may be 2^31.
        let numbers = needed > limit.rlim_cur ? 0 : Int32(clamping: limit.rlim_cur)
        for number in 0..<numbers where fcntl(number, F_GETFD) < 0 {
            free += 1
            if free >= needed { return }
        }
        throw ApplicationError(
            .unavailable,
            "The program needs to open \(needed) files, but the system's limit of \(limit.rlim_cur) leaves fewer: raise it (ulimit -n 1024)."
        )
    }

    /// Checks how much address space may still be taken; most of what playing takes is reserved for threads and never used. mmap(2)
    ///
    /// - Parameter needed: Bytes.
    /// - Throws: `ApplicationError` naming the limit to raise.
    package static func requireAddressSpace(_ needed: Int) throws(ApplicationError) {
        guard hasAddressSpace(needed) else {
            throw ApplicationError(
                .unavailable,
                "The program needs \(needed >> 20) MB of address space, but the system's limit leaves less: raise it (ulimit -v unlimited)."
            )
        }
    }

    /// Nothing is touched, and nothing has to be paged in if the JACK library has locked all memory to come.
    private static func hasAddressSpace(_ needed: Int) -> Bool {
        let probe = mmap(nil, needed, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let probe, probe != MAP_FAILED else { return false }
        munmap(probe, needed)
        return true
    }

    /// The refusal of a command for which too little memory is left; `nil` if it can be carried out.
    static func refusal(of command: Command, _ state: PlayerState) -> CommandResult? {
        guard !command.isPossibleWithoutMemory(whilePlaying: state.playback == .playing), !haveMemory() else { return nil }
        return CommandResult(.commandFailed, by: "application", tooLittleMemory)
    }

    /// The sentence about what no command had asked for and could not be done.
    static func sentence(about notice: MemoryShortage.Notice) -> String {
        let remedy = "close other programs or raise ulimit -v"
        return switch notice {
        case .waiting: "Too little memory is left, so the next start or change waits: \(remedy)."
        case .paused: "Paused, since too little memory is left to play on: \(remedy), then play."
        }
    }

    /// Short, since peers get at most 96 bytes.
    static let tooLittleMemory = "Close other programs or raise ulimit -v: too little memory. You can still stop or turn it down."

    /// Whether a running program can still allocate what a command may need. An allocation that fails ends the program.
    ///
    /// - Parameter needed: Bytes: many times what a plan of 16 layers takes, since every other thread allocates as well.
    static func haveMemory(_ needed: Int = 32 << 20) -> Bool {
        if hasAddressSpace(needed) { return true }
        // The C library may have reserved as much already.
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, 64, needed) == 0 else { return false }
        free(memory)
        return true
    }
}
