// Handlers on the main thread, which only pass numbers on, and a thread of its own.
import Foundation

/// The signals of a program that sounds: those that ask it to end become a stream; a terminal's stop and continue give the terminal
/// back and take it again.
///
/// A handler only passes the number on to a thread that deals with it. The system gives a signal for the process to its main thread,
/// which waits and does nothing else, so the audio thread is not interrupted.
package final class Signals: Sendable {
    /// SIGINT, SIGTERM and SIGHUP as they come. After a second SIGINT the program is gone.
    package let requests: AsyncStream<Int32>

    // SAFETY: written once, before the handlers that read it are there.
    nonisolated(unsafe) private static var passingOn: Int32 = -1

    /// One for a program.
    ///
    /// - Parameters:
    ///   - others: signals that are requests, too.
    ///   - terminal: what is given back before the program ends or stops.
    ///   - leavingAtOnce: runs on the second SIGINT, before the program ends with 130; it must not wait long.
    package init(terminal: TerminalView? = nil, others: [Int32] = [], leavingAtOnce: @escaping @Sendable () -> Void = {}) {
        let (requests, request) = AsyncStream<Int32>.makeStream()
        self.requests = requests
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { fatalError("no pipe for signals: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler must not wait, whatever happens.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        Self.passingOn = ends[1]
        // Writing into a pipe that nobody reads any more fails; it does not end the sound.
        signal(SIGPIPE, SIG_IGN)

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
                case SIGQUIT:
                    // A user who asks for a core dump gets one, and the terminal back.
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
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT] + others {
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
