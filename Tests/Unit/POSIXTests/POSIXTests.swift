import Glibc
import POSIX
import Testing

@Suite("Wake-up pipe") struct WakeUpPipeTests {
    private func isReadable(_ pipe: WakeUpPipe) -> Bool {
        var waited = pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waited, 1, 0) == 1
    }

    @Test("it stays readable from the first wake-up until it is drained")
    func wakes() throws {
        let pipe = try WakeUpPipe()
        #expect(!isReadable(pipe))
        // More than a pipe holds.
        for _ in 0..<100_000 { pipe.wake() }
        #expect(isReadable(pipe))
        pipe.drain()
        #expect(!isReadable(pipe))
        pipe.wake()
        #expect(isReadable(pipe))
    }

    @Test("programs that are started do not inherit it")
    func closedOnExec() throws {
        let pipe = try WakeUpPipe()
        #expect(fcntl(pipe.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
}

@Suite("Monotonic clock") struct MonotonicClockTests {
    @Test("it counts seconds")
    func seconds() {
        let start = MonotonicClock.seconds
        usleep(20_000)
        #expect(MonotonicClock.seconds - start >= 0.02)
    }
}

@Suite("Error numbers") struct ErrnoTests {
    @Test("they have the system's message, also inside a sentence")
    func words() {
        #expect(Errno(rawValue: ENOSPC).description == "No space left on device")
        #expect(Errno(rawValue: ENOSPC).reason == "no space left on device")
    }

    @Test("the last one is that of the call that failed")
    func last() {
        #expect(open("/nowhere", O_RDONLY) == -1)
        #expect(Errno.last == Errno(rawValue: ENOENT))
    }
}
