import Glibc
import OperatingSystem
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

@Suite("Child processes") struct ChildProcessTests {
    @Test("a child has its input, its output and its environment, a group of its own, and no other open file")
    func child() throws {
        let (input, output) = (try #require(tmpfile()), try #require(tmpfile()))
        defer {
            fclose(input)
            fclose(output)
        }
        fputs("hello\n", input)
        rewind(input)
        // As libraries leave theirs open for programs that are started.
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        let pid = try ChildProcess.start(
            "/bin/sh", ["-c", "cat; echo $WORD; echo /proc/$$/fd/*; exit 3"], environment: ["WORD": "world"], input: fileno(input),
            output: fileno(output))
        #expect(getpgid(pid) == pid)
        var status: Int32 = 0
        #expect(waitpid(pid, &status, 0) == pid)
        #expect(status == 3 << 8)
        rewind(output)
        var bytes = [UInt8](repeating: 0, count: 4096)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, output))
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.prefix(2) == ["hello", "world"])
        // The shell opens the folder itself, to list it.
        let files = lines.last?.split(separator: " ") ?? []
        #expect((3...4).contains(files.count), "\(files)")
        #expect(!files.contains("/proc/\(pid)/fd/\(socket)") || socket == 3, "\(files)")
    }

    @Test("a program that is missing is an error")
    func missing() {
        #expect(throws: Errno(rawValue: ENOENT)) { try ChildProcess.start("/nowhere", [], environment: [:], output: 1) }
    }
}
