import Foundation
import Synchronization

/// What the listener sees and presses: two live lines on a terminal, one line per change elsewhere.
///
/// Nothing here waits for a terminal that does not take its text: drawing is done on a queue of its own, from the last picture.
package final class TerminalView: Sendable {
    /// Keys pressed on the terminal; none come when standard input is not one.
    package var keys: AsyncStream<Key> { reader?.keys ?? AsyncStream { _ in } }

    private let reader: KeyReader?
    private let isTerminal: Bool
    private let isQuiet: Bool
    private let style: StatusLines.Style
    private let queue = DispatchQueue(label: "terminal")
    private let pending = Mutex(Pending())
    /// Used on the queue only, but for the moment at which the program leaves.
    private let screen = Mutex(Screen())

    /// What is to be drawn.
    private struct Pending {
        var picture: (any TerminalPicture)?
        /// Lines that stay.
        var lines: [String] = []
        var lastWithALine: (any TerminalPicture)?
        var lastNotice: String?
        var isScheduled = false
        var isSuspended = false
        var isOver = false
    }

    /// What has been drawn.
    private struct Screen {
        /// Columns of the live lines that stand on the terminal; empty when none do.
        var widths: [Int] = []
        var text = ""
    }

    /// - Parameter isQuiet: nothing is shown and the terminal is left alone.
    package init(isQuiet: Bool = false, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.isQuiet = isQuiet
        let isDumb = environment["TERM"] == "dumb" || environment["TERM", default: ""].isEmpty
        isTerminal = !isQuiet && isatty(STDOUT_FILENO) == 1 && !isDumb
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let isUnicode = locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
        // no-color.org: any value but the empty one.
        style = StatusLines.Style(hasColor: isTerminal && environment["NO_COLOR", default: ""].isEmpty, isUnicode: isUnicode)
        reader = isQuiet ? nil : KeyReader()
        if !isQuiet { TerminalMode.enter() }
    }

    /// Shows the picture, soon; of several that come at once the last. Any thread.
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

    /// Shows a line that stays, above the live ones. Any thread.
    package func print(_ line: String) {
        guard !isQuiet else { return }
        pending.withLock { pending in
            append(line, to: &pending)
            schedule(&pending)
        }
    }

    /// Draws what is still to be drawn and gives the terminal back. Nothing is shown afterwards. May be called more than once.
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
            // A terminal that was stopped with Ctrl-S must not keep the program from ending.
            _ = done.wait(timeout: .now() + .milliseconds(300))
        }
        TerminalMode.leave()
    }

    /// The program is about to be stopped: the terminal goes back to the shell.
    func suspend() {
        guard !isQuiet else { return }
        queue.sync { draw(isLast: true) }
        pending.withLock { $0.isSuspended = true }
        TerminalMode.leave()
    }

    /// The program goes on, perhaps in the background.
    func resume() {
        guard !isQuiet else { return }
        pending.withLock { pending in
            pending.isSuspended = false
            schedule(&pending)
        }
    }

    /// Live lines in a window that belongs to the shell at the moment would be drawn over by it.
    private func isLive(_ pending: Pending) -> Bool {
        isTerminal && !pending.isSuspended && (isatty(STDIN_FILENO) == 0 || TerminalMode.isOurs)
    }

    private func append(_ line: String, to pending: inout Pending) {
        pending.lines.append(StatusLines.text(line, style: style))
        // Nobody has read for long: the newest matter.
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
            // A shell that brings a running program to the front does not tell it.
            if !pending.isOver, !pending.isSuspended, TerminalMode.enter() { reader?.wake() }
            return (pending.picture, pending.lines, isLive(pending))
        }
        screen.withLock { screen in
            var text = ""
            if live {
                text = liveText(picture, above: lines, isLast: isLast, screen: &screen)
            } else {
                // Stopped without being asked: the live lines stay where they are.
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
            // In a window that has become narrower a line now stands on several rows.
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
                // Nobody reads: the sound matters more than the picture.
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
