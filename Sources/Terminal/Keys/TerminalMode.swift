import Foundation
import Synchronization

/// The mode of the terminal on standard input: keys arrive one by one and without echo. It is restored however the program ends: by
/// `leave`, by `exit`, or by a crash. (For signals that ask the program to end, see `Signals`.)
enum TerminalMode {
    /// Whether standard input is a terminal with this process in the foreground. A background process must leave it alone.
    static var isOurs: Bool { isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp() }

    /// Sets the mode, unless it is set already or the process is in the background; returns whether it was set now.
    @discardableResult
    static func enter() -> Bool {
        guard isOurs else { return false }
        _ = isPrepared
        return lock.withLock { _ in
            guard !isEntered, tcgetattr(STDIN_FILENO, saved) == 0 else { return false }
            var mode = saved.pointee
            // Ctrl-C and Ctrl-Z remain signals.
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
            isEntered = tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0
            return isEntered
        }
    }

    static func leave() { lock.withLock { _ in giveBack() } }

    private static let lock = Mutex(())

    static func hideCursor() {
        _ = isPrepared
        isCursorHidden = true
        writeAll("\u{1B}[?25l")
    }

    private static func writeAll(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }

    // SAFETY: what a crash handler reads must exist before the crash, without a lock that the crashed thread may hold. `saved` and
    // `previous` are plain memory, made once before a handler is installed and never freed; the flags are single bytes.
    nonisolated(unsafe) private static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    nonisolated(unsafe) private static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: Int(NSIG))
    private static let showsCursor: StaticString = "\u{1B}[?25h"
    nonisolated(unsafe) private static var isEntered = false
    nonisolated(unsafe) private static var isCursorHidden = false

    private static func giveBack() {
        if isEntered {
            isEntered = false
            // Without flow control for a moment, since that continues a terminal that was paused with Ctrl-S.
            var flowing = saved.pointee
            flowing.c_iflag &= ~tcflag_t(IXON)
            tcsetattr(STDIN_FILENO, TCSANOW, &flowing)
            tcsetattr(STDIN_FILENO, TCSANOW, saved)
        }
        if isCursorHidden {
            isCursorHidden = false
            // If it takes nothing all the same, the program must still end.
            var waited = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&waited, 1, 300) == 1 else { return }
            _ = write(STDOUT_FILENO, showsCursor.utf8Start, showsCursor.utf8CodeUnitCount)
        }
    }

    private static let isPrepared: Bool = {
        saved.initialize(to: termios())
        previous.initialize(repeating: sigaction(), count: Int(NSIG))
        atexit { TerminalMode.giveBack() }
        for signal in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { signal in
                TerminalMode.giveBack()
                // The previous handler is restored and the faulty instruction runs again, so that it sees the crash as usual.
                sigaction(signal, TerminalMode.previous + Int(signal), nil)
            }
            sigaction(signal, &action, previous + Int(signal))
        }
        return true
    }()
}
