import Foundation
import Synchronization

/// The user interface on the terminal: two live lines and keys; elsewhere one line per change.
///
/// Nothing here waits for a terminal that is slow to take its text: drawing is done on a queue of its own, from the latest picture.
package final class TerminalView: Sendable {
    /// Keys pressed on the terminal; there are none if standard input is not a terminal.
    package var keys: AsyncStream<Key> { reader?.keys ?? AsyncStream { _ in } }

    private let reader: KeyReader?
    private let isTerminal: Bool
    private let isQuiet: Bool
    private let style: StatusLines.Style
    private let queue = DispatchQueue(label: "terminal")
    private let pending = Mutex(Pending())
    /// Used on the queue only, except when the program ends.
    private let screen = Mutex(Screen())

    /// What has yet to be drawn.
    private struct Pending {
        var picture: (any TerminalPicture)?
        /// Lines to print that stay.
        var lines: [String] = []
        var lastWithALine: (any TerminalPicture)?
        var lastNotice: String?
        var isScheduled = false
        var isSuspended = false
        var isOver = false
    }

    /// What has been drawn.
    private struct Screen {
        /// The widths in columns of the live lines on the terminal; empty if there are none.
        var widths: [Int] = []
        var text = ""
    }

    /// - Parameter isQuiet: nothing is shown and the terminal's mode is not changed.
    package init(isQuiet: Bool = false, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.isQuiet = isQuiet
        let isDumb = environment["TERM"] == "dumb" || environment["TERM", default: ""].isEmpty
        isTerminal = !isQuiet && isatty(STDOUT_FILENO) == 1 && !isDumb
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let isUnicode = locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
        // no-color.org: any value but an empty one disables colours.
        style = StatusLines.Style(hasColor: isTerminal && environment["NO_COLOR", default: ""].isEmpty, isUnicode: isUnicode)
        reader = isQuiet ? nil : KeyReader()
        if !isQuiet { TerminalMode.enter() }
    }

    /// Shows the picture soon; if several come at once, only the last. Any thread.
    package func update(_ picture: any TerminalPicture) {
        guard !isQuiet else { return }
        pending.withLock { pending in
            if let notice = picture.notice, notice != pending.lastNotice { append(notice, to: &pending) }
            pending.lastNotice = picture.notice
            pending.picture = picture
            if !isLive(pending), picture.isWorthALine(after: pending.lastWithALine) {
                append(picture.plain(style: style), to: &pending)
                pending.lastWithALine = picture
            }
            schedule(&pending)
        }
    }

    /// Prints a line that stays, above the live ones. Any thread.
    package func print(_ line: String) {
        guard !isQuiet else { return }
        pending.withLock { pending in
            append(line, to: &pending)
            schedule(&pending)
        }
    }

    /// Draws what is left and restores the terminal. Nothing is shown afterwards. May be called more than once.
    package func restore() {
        guard !isQuiet else { return }
        let isFirst = pending.withLock { pending in
            defer { pending.isOver = true }
            return !pending.isOver
        }
        if isFirst {
            let done = DispatchSemaphore(value: 0)
            queue.async {
                self.draw(isLast: true)
                done.signal()
            }
            // A terminal that was paused with Ctrl-S must not keep the program from ending.
            _ = done.wait(timeout: .now() + .milliseconds(300))
        }
        TerminalMode.leave()
    }

    /// Restores the terminal, since the program is about to be stopped.
    func suspend() {
        guard !isQuiet else { return }
        queue.sync { draw(isLast: true) }
        pending.withLock { $0.isSuspended = true }
        TerminalMode.leave()
    }

    /// Continues after a stop, perhaps in the background.
    func resume() {
        guard !isQuiet else { return }
        pending.withLock { pending in
            pending.isSuspended = false
            schedule(&pending)
        }
    }

    /// Whether live lines are drawn: not while the terminal belongs to the shell, which would draw over them.
    private func isLive(_ pending: Pending) -> Bool {
        isTerminal && !pending.isSuspended && (isatty(STDIN_FILENO) == 0 || TerminalMode.isOurs)
    }

    private func append(_ line: String, to pending: inout Pending) {
        pending.lines.append(StatusLines.text(line, style: style))
        // If nobody has read for long, only the newest lines are kept.
        if pending.lines.count > 200 { pending.lines.removeFirst() }
    }

    private func schedule(_ pending: inout Pending) {
        guard !pending.isScheduled, !pending.isOver else { return }
        pending.isScheduled = true
        queue.async { self.draw(isLast: false) }
    }

    private func draw(isLast: Bool) {
        let (picture, lines, live) = pending.withLock { pending in
            defer {
                pending.lines = []
                pending.isScheduled = false
            }
            // A program that is already running gets no signal when the shell brings it to the foreground.
            if !pending.isOver, !pending.isSuspended, TerminalMode.enter() { reader?.wake() }
            return (pending.picture, pending.lines, isLive(pending))
        }
        screen.withLock { screen in
            var text = ""
            if live {
                text = liveText(picture, above: lines, isLast: isLast, screen: &screen)
            } else {
                // If the terminal was lost without notice, the live lines stay where they are.
                if !screen.widths.isEmpty { text = "\n" }
                screen = Screen()
                for line in lines { text += line + "\n" }
            }
            if !text.isEmpty { Self.writeAll(text) }
        }
    }

    private func liveText(_ picture: (any TerminalPicture)?, above lines: [String], isLast: Bool, screen: inout Screen) -> String {
        let columns = TerminalSize.columns(of: STDOUT_FILENO)
        let drawn = picture?.live(width: columns - 1, style: style) ?? []
        let body = drawn.map(\.text).joined(separator: "\u{1B}[K\r\n")
        guard body != screen.text || !lines.isEmpty || isLast else { return "" }
        var text = ""
        if screen.widths.isEmpty {
            TerminalMode.hideCursor()
        } else {
            // If the window has become narrower, a line now takes several rows.
            let rows = screen.widths.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
            text += "\r" + (rows > 1 ? "\u{1B}[\(rows - 1)A" : "")
        }
        for line in lines { text += line + "\u{1B}[K\r\n" }
        text += body + "\u{1B}[K\u{1B}[J"
        screen.text = body
        screen.widths = drawn.map(\.columns)
        if isLast {
            if !drawn.isEmpty { text += "\r\n" }
            screen = Screen()
        }
        return text
    }

    private static func writeAll(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = write(STDOUT_FILENO, rest.baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                // The terminal does not take any more: sound has priority over the display.
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
