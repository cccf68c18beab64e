import Foundation
import Synchronization

/// The user interface on the terminal: live lines and keys; elsewhere one line per change.
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

    /// The shortest time between two drawings of the live lines.
    private static let interval = DispatchTimeInterval.milliseconds(100)
    /// Rows of the live lines of a patch with four layers.
    private static let liveRows = 10

    /// The state that has yet to be drawn.
    private struct Pending {
        var picture: (any TerminalPicture)?
        var lastDrawing: DispatchTime?
        /// Whether all lines have to be drawn again, since the terminal may have moved them.
        var isDamaged = false
        /// Lines to print that stay.
        var lines: [String] = []
        var lastWithALine: (any TerminalPicture)?
        var notices = RepeatedNotices()
        var isScheduled = false
        /// Whether the program is about to be stopped.
        var isStopping = false
        var isSuspended = false
        var isOver = false
    }

    /// The state that has been drawn.
    private struct Screen {
        /// The live lines on the terminal; empty if there are none.
        var lines: [StatusLines.Line] = []
        /// The columns of the window that they were drawn in; 0 if they have to be drawn again.
        var columns = 0
    }

    /// - Parameter isQuiet: nothing is shown and the terminal's mode is not changed.
    package init(isQuiet: Bool = false, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.isQuiet = isQuiet
        let terminal = isQuiet || isatty(STDOUT_FILENO) != 1 ? nil : StatusLines.Style.terminal(environment)
        isTerminal = terminal != nil
        style = terminal ?? StatusLines.Style(hasColor: false, isUnicode: StatusLines.Style.isUnicode(environment))
        reader = isQuiet ? nil : KeyReader()
        if !isQuiet { TerminalMode.enter() }
    }

    /// Shows the picture soon; if several come at once, only the last. Any thread.
    package func update(_ picture: any TerminalPicture) {
        guard !isQuiet else { return }
        pending.withLock { pending in
            if let line = pending.notices.line(for: picture) { append(line, to: &pending) }
            pending.picture = picture
            if !isLive(pending), picture.isWorthALine(after: pending.lastWithALine) {
                append(picture.plain(style: style), to: &pending)
                pending.lastWithALine = picture
            }
            // Without live lines there may be nothing to draw.
            if isTerminal || !pending.lines.isEmpty { schedule(&pending) }
        }
    }

    /// Whether the output is a terminal with live lines, unless this process is in the background.
    package var hasLiveLines: Bool { isTerminal }

    /// Prints a text that stays, above the live lines. Any thread.
    package func print(_ line: String) {
        guard !isQuiet else { return }
        pending.withLock { pending in
            append(line, to: &pending)
            schedule(&pending)
        }
    }

    /// Prints the QR code of a text, if it fits between the live lines and the top of the window. Any thread.
    package func print(qrCodeOf text: String) {
        guard isTerminal else { return }
        let code = QRCode.lines(for: text, beside: Self.liveRows)
        pending.withLock { pending in
            pending.lines += code
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
        if isFirst { drawLast {} }
        TerminalMode.leave()
    }

    /// Restores the terminal, since the program is about to be stopped.
    func suspend() {
        guard !isQuiet else { return }
        pending.withLock { $0.isStopping = true }
        drawLast { self.pending.withLock { $0.isSuspended = $0.isStopping } }
        TerminalMode.leave()
    }

    /// Draws what is left, and calls `drawn` on the queue. A terminal that was paused with Ctrl-S must not keep the program from ending or
    /// stopping, so this does not wait for long.
    private func drawLast(_ drawn: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.draw(isLast: true)
            drawn()
            done.signal()
        }
        _ = done.wait(timeout: .now() + .milliseconds(300))
    }

    /// Continues after a stop, perhaps in the background.
    func resume() {
        guard !isQuiet else { return }
        pending.withLock { pending in
            pending.isStopping = false
            pending.isSuspended = false
            schedule(&pending)
        }
    }

    /// The window may have another size.
    func resized() {
        guard isTerminal else { return }
        pending.withLock { pending in
            pending.isDamaged = true
            schedule(&pending)
        }
    }

    /// Whether live lines are drawn: not while the terminal belongs to the shell, which would draw over them.
    private func isLive(_ pending: Pending) -> Bool {
        isTerminal && !pending.isSuspended && (isatty(STDIN_FILENO) == 0 || TerminalMode.isOurs)
    }

    /// - Parameter text: may have several lines; on a terminal they are broken to its width.
    private func append(_ text: String, to pending: inout Pending) {
        let lines =
            isatty(STDOUT_FILENO) == 1
            ? TextLayout.lines(of: text, columns: TerminalSize.of(STDOUT_FILENO).columns - 1)
            : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        pending.lines += lines.map { StatusLines.text($0, style: style) }
        // If nobody has read for long, only the newest lines are kept.
        if pending.lines.count > 200 { pending.lines.removeFirst(pending.lines.count - 200) }
    }

    private func schedule(_ pending: inout Pending) {
        guard !pending.isScheduled, !pending.isOver else { return }
        pending.isScheduled = true
        guard isTerminal else { return queue.async { self.draw(isLast: false) } }
        let now = DispatchTime.now()
        let due = pending.lastDrawing.map { max(now, $0 + Self.interval) } ?? now
        queue.asyncAfter(deadline: due) { self.draw(isLast: false) }
    }

    private func draw(isLast: Bool) {
        let (picture, lines, live, isDamaged) = pending.withLock { pending in
            defer {
                pending.lines = []
                pending.isScheduled = false
                pending.isDamaged = false
                pending.lastDrawing = .now()
            }
            // A program that is already running gets no signal when the shell brings it to the foreground.
            if !pending.isOver, !pending.isSuspended, TerminalMode.enter() { reader?.wake() }
            // A drawing that was due later than the last one is dropped.
            return (pending.picture, pending.lines, isLive(pending) && (isLast || !pending.isOver), pending.isDamaged)
        }
        screen.withLock { screen in
            var text = ""
            if isDamaged { screen.columns = 0 }
            if live {
                text = liveText(picture, above: lines, isLast: isLast, screen: &screen)
            } else {
                // If the terminal was lost without notice, the live lines stay where they are.
                if !screen.lines.isEmpty { text = "\n" }
                screen = Screen()
                for line in lines { text += line + "\n" }
            }
            if !text.isEmpty, !Self.writeAll(text) { screen.columns = 0 }
        }
    }

    private func liveText(_ picture: (any TerminalPicture)?, above printed: [String], isLast: Bool, screen: inout Screen) -> String {
        let size = TerminalSize.of(STDOUT_FILENO)
        let drawn = picture?.live(size: size, style: style) ?? []
        if screen.lines.isEmpty { TerminalMode.hideCursor() }
        let text = LiveText.replacing(screen.lines, drawnIn: screen.columns, by: drawn, columns: size.columns, printing: printed)
        (screen.lines, screen.columns) = (drawn, size.columns)
        guard isLast else { return text }
        screen = Screen()
        return text + (drawn.isEmpty ? "" : "\r\n")
    }

    /// - Returns: False if the terminal has not taken all of it.
    private static func writeAll(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = write(STDOUT_FILENO, rest.baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                // The terminal does not take any more: sound has priority over the display.
                guard count > 0 else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return true
        }
    }
}
