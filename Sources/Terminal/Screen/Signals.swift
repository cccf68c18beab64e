// Handlers on the main thread, which only pass the signal's number on, and a thread of its own.
import Foundation
import OperatingSystem
import Synchronization

/// The program's signals: those that ask it to end become a stream; on a terminal's stop and continue, the terminal is restored and taken
/// again, and its live lines are drawn again when its window has another size.
///
/// A handler only passes the number on to a thread that handles it. The system delivers the process's signals to its main thread, which
/// only waits, so the audio thread is not interrupted. (On Linux another thread serves the main queue.)
package final class Signals: Sendable {
    /// SIGINT, SIGTERM and SIGHUP as they arrive. A second SIGINT ends the program at once, unless it comes so soon after the first that it is
    /// the same request, as when a shell passes on what the program gets as well.
    package let requests: AsyncStream<Int32>
    /// Whether a request ends the program at once.
    private let isStarting: Mutex<Bool>

    // SAFETY: written once, before the handlers that read it are there.
    nonisolated(unsafe) private static var passingOn: Int32 = -1
    private static let isMade = Atomic(false)

    /// Whether the signals that end other programs are handled, so that this one must not wait for anything without a limit.
    static var areHandled: Bool { isMade.load(ordering: .relaxed) }

    /// Installs the handlers, once for the program.
    ///
    /// - Parameters:
    ///   - others: further signals for the stream.
    ///   - terminal: restored before the program ends or stops.
    ///   - isStarting: Whether a request ends the program at once, with 0, until ``hasStarted()``.
    ///   - leavingAtOnce: called before such an end, and on the second SIGINT, before the program ends with 130; it must not take long.
    /// - Throws: if no pipe can be opened; then there are no handlers.
    package init(
        terminal: TerminalView? = nil, others: [Int32] = [], isStarting: Bool = false, leavingAtOnce: @escaping @Sendable () -> Void = {}
    ) throws(SignalsError) {
        let (requests, request) = AsyncStream<Int32>.makeStream()
        self.requests = requests
        self.isStarting = Mutex(isStarting)
        // Not a `WakeUpPipe`: the bytes are the signals' numbers, and a handler may not touch an object.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SignalsError(reason: Errno.last) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler must never wait.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        Self.passingOn = ends[1]
        Self.isMade.store(true, ordering: .relaxed)
        // Writing to a closed pipe, or beyond the limit of a file's size, fails; it must not end the program and its sound.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // A program that started this one may have chosen to ignore it; then nobody could wait for a child.
        signal(SIGCHLD, SIG_DFL)

        let reading = ends[0]
        let thread = Thread { [self] in
            func end(_ status: Int32) -> Never {
                terminal?.restore()
                leavingAtOnce()
                _exit(status)
            }
            func pass(_ signal: Int32) {
                // Nobody can carry it out yet. `hasStarted` has to wait meanwhile.
                self.isStarting.withLock { if $0 { end(0) } }
                request.yield(signal)
            }
            var interrupts = Interrupts()
            var number: UInt8 = 0
            while true {
                guard read(reading, &number, 1) == 1 else { continue }
                switch Int32(number) {
                case SIGINT:
                    switch interrupts.meaning(at: MonotonicClock.seconds) {
                    case .request: pass(SIGINT)
                    case .repetition: break
                    case .order: end(130)
                    }
                case SIGTERM, SIGHUP:
                    pass(Int32(number))
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

    /// From now on, requests wait until they are read. Does not return if one is ending the program.
    package func hasStarted() { isStarting.withLock { $0 = false } }
}

/// The SIGINTs that the program has received.
struct Interrupts {
    enum Meaning { case request, repetition, order }

    private var first: Double?

    /// Seconds after the first one in which others are the same request; meanwhile the program can save.
    private static let repetition = 0.5

    /// - Parameter seconds: the time of another one, on a clock that only runs forward.
    mutating func meaning(at seconds: Double) -> Meaning {
        guard let first else {
            self.first = seconds
            return .request
        }
        return seconds - first < Self.repetition ? .repetition : .order
    }
}

/// Why signals cannot be handled.
package struct SignalsError: Error, CustomStringConvertible {
    let reason: Errno

    package var description: String {
        "Cannot handle signals: \(reason.reason) (pipe). Raise the limit of open files (ulimit -n)."
    }
}
