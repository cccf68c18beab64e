// Handlers on the main thread, which only pass the signal's number on, and a thread of its own.
import Foundation
import POSIX

/// The program's signals: those that ask it to end become a stream; on a terminal's stop and continue, the terminal is restored and taken
/// again, and its live lines are drawn again when its window has another size.
///
/// A handler only passes the number on to a thread that handles it. The system delivers the process's signals to its main thread, which
/// only waits, so the audio thread is not interrupted.
package final class Signals: Sendable {
    /// SIGINT, SIGTERM and SIGHUP as they arrive. A second SIGINT ends the program at once.
    package let requests: AsyncStream<Int32>

    // SAFETY: written once, before the handlers that read it are there.
    nonisolated(unsafe) private static var passingOn: Int32 = -1

    /// Installs the handlers, once for the program.
    ///
    /// - Parameters:
    ///   - others: further signals for the stream.
    ///   - terminal: restored before the program ends or stops.
    ///   - leavingAtOnce: called on the second SIGINT, before the program ends with 130; it must not take long.
    package init(terminal: TerminalView? = nil, others: [Int32] = [], leavingAtOnce: @escaping @Sendable () -> Void = {}) {
        let (requests, request) = AsyncStream<Int32>.makeStream()
        self.requests = requests  // Not a `WakeUpPipe`: the bytes are the signals' numbers, and a handler may not touch an object.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { fatalError("Cannot create a pipe for signals: \(Errno.last)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler must never wait.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        Self.passingOn = ends[1]
        // Writing to a closed pipe, or beyond the limit of a file's size, fails; it must not end the program and its sound.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // A program that started this one may have chosen to ignore it; then nobody could wait for a child.
        signal(SIGCHLD, SIG_DFL)

        let reading = ends[0]
        let thread = Thread {
            var interrupts = 0
            var number: UInt8 = 0
            while true {
                guard read(reading, &number, 1) == 1 else { continue }
                switch Int32(number) {
                case SIGINT:
                    interrupts += 1
                    if interrupts > 1 {
                        terminal?.restore()
                        leavingAtOnce()
                        _exit(130)
                    }
                    request.yield(SIGINT)
                case SIGTSTP:
                    terminal?.suspend()
                    kill(getpid(), SIGSTOP)
                case SIGCONT:
                    terminal?.resume()
                case SIGWINCH:
                    terminal?.resized()
                case SIGQUIT:
                    // SIGQUIT requests a core dump, after the terminal was restored.
                    terminal?.restore()
                    signal(SIGQUIT, SIG_DFL)
                    kill(getpid(), SIGQUIT)
                case let other:
                    request.yield(other)
                }
            }
        }
        thread.name = "signals"
        thread.start()
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH] + others {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                let before = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Signals.passingOn, &byte, 1)
                errno = before
            }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
    }
}
