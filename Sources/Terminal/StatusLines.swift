import Foundation

/// The text of the terminal view, made from a status only.
package enum StatusLines {
    package struct Style: Equatable, Sendable {
        package var hasColor: Bool
        /// Whether the terminal shows more than ASCII.
        package var isUnicode: Bool

        package init(hasColor: Bool, isUnicode: Bool) {
            self.hasColor = hasColor
            self.isUnicode = isUnicode
        }
    }

    package struct Line: Equatable, Sendable {
        /// The text, including its colour sequences.
        package var text: String
        /// The width of the text on the terminal.
        package var columns: Int

        package init(text: String, columns: Int) {
            (self.text, self.columns) = (text, columns)
        }
    }

    /// Two lines, each at most `width` columns: what plays with its position, and the technical status.
    package static func live(_ status: TerminalStatus, width: Int, style: Style) -> [Line] {
        [top(of: status, width: width, style: style), line(machine(of: status, style: style), .dim, width: width, style: style)]
    }

    /// The title and position of the current item.
    package static func top(of status: TerminalStatus, width: Int, style: Style) -> Line {
        let time = self.time(of: status)
        let symbol = symbol(of: status.state, style: style) + " "
        let roomForTitle = width - DisplayWidth.columns(of: symbol) - DisplayWidth.columns(of: time) - 2
        // In a very narrow window only the time is shown.
        guard roomForTitle >= 4 else { return line(symbol + time, .plain, width: width, style: style) }
        let title = DisplayWidth.fitted(title(of: status, style: style), columns: roomForTitle, ellipsis: ellipsis(style))
        let rest = title + (time.isEmpty ? "" : "  " + time)
        return Line(text: color(symbol, look(of: status.state), style: style) + rest, columns: DisplayWidth.columns(of: symbol + rest))
    }

    /// A text cut to `width` columns.
    package static func line(_ text: String, _ look: Look, width: Int, style: Style) -> Line {
        let fitted = DisplayWidth.fitted(text, columns: max(0, width), ellipsis: ellipsis(style))
        return Line(text: color(fitted, look, style: style), columns: DisplayWidth.columns(of: fitted))
    }

    /// A progress bar of `width` columns; empty for an endless item.
    package static func bar(of status: TerminalStatus, width: Int, style: Style) -> Line {
        guard let duration = status.duration, duration > 0, width > 0, !status.item.isEmpty else { return Line(text: "", columns: 0) }
        let filled = Int((Double(width) * min(1, status.elapsed / duration)).rounded(.down))
        let (done, left) = style.isUnicode ? ("━", "─") : ("#", "-")
        let text =
            color(String(repeating: done, count: filled), look(of: status.state), style: style)
            + color(String(repeating: left, count: width - filled), .dim, style: style)
        return Line(text: text, columns: width)
    }

    /// One line without colour and of any length, for a file or a pipe.
    package static func plain(_ status: TerminalStatus, style: Style) -> String {
        [status.state.rawValue, position(of: status, style: style), machine(of: status, style: style)].joined(separator: separator(style))
    }

    /// Title, chapter and time.
    package static func position(of status: TerminalStatus, style: Style) -> String {
        [title(of: status, style: style), time(of: status)].filter { !$0.isEmpty }.joined(separator: separator(style))
    }

    private static func title(of status: TerminalStatus, style: Style) -> String {
        var parts = [status.item.isEmpty ? "nothing to play" : text(status.item, style: style)]
        if let chapter = status.chapter {
            let title = text(chapter.title, style: style)
            parts.append("\(chapter.index)/\(chapter.count)" + (title.isEmpty ? "" : " \(title)"))
        }
        return parts.joined(separator: separator(style))
    }

    private static func machine(of status: TerminalStatus, style: Style) -> String {
        var parts = [level(of: status)]
        parts.append(status.load.map { "DSP \(String(format: "%.0f", $0)) %" } ?? "JACK is away")
        parts.append(status.xruns == 1 ? "1 xrun" : "\(status.xruns) xruns")
        if !status.address.isEmpty { parts.append(status.address) }
        if status.load != nil {
            let ports = status.connections.map { text($0, style: style) }.joined(separator: ", ")
            parts.append(ports.isEmpty ? "not connected" : (style.isUnicode ? "→ " : "-> ") + ports)
        }
        return parts.joined(separator: separator(style))
    }

    package static func separator(_ style: Style) -> String { style.isUnicode ? " · " : " | " }

    private static func ellipsis(_ style: Style) -> String { style.isUnicode ? "…" : "..." }

    private static func time(of status: TerminalStatus) -> String {
        guard !status.item.isEmpty else { return "" }
        return ClockTime.text(status.elapsed) + (status.duration.map { " / " + ClockTime.text($0) } ?? "")
            + (status.timeToSleep.map { ", sleep in " + ClockTime.text($0.rounded(.up)) } ?? "")
    }

    package static func level(of status: TerminalStatus) -> String { "L \(level(status.peak.left)) R \(level(status.peak.right)) dBFS" }

    /// A level of constant width, so that the text to its right does not move.
    private static func level(_ decibels: Double) -> String {
        let text = decibels > -120 ? String(format: "%.1f", decibels) : "-inf"
        return String(repeating: " ", count: max(0, 5 - text.count)) + text
    }

    private static func symbol(of state: TerminalStatus.State, style: Style) -> String {
        switch state {
        case .playing: style.isUnicode ? "▶" : ">"
        case .paused: style.isUnicode ? "‖" : "="
        case .stopped: style.isUnicode ? "■" : "."
        case .interrupted: "!"
        }
    }

    /// The emphasis of a text.
    package enum Look: Int {
        case plain = 0
        case dim = 2
        case alarm = 31
        case going = 32
        case resting = 33
    }

    private static func look(of state: TerminalStatus.State) -> Look {
        switch state {
        case .playing: .going
        case .paused, .stopped: .resting
        case .interrupted: .alarm
        }
    }

    private static func color(_ text: String, _ look: Look, style: Style) -> String {
        style.hasColor && look != .plain && !text.isEmpty ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// A text from outside, limited to what this terminal can show.
    package static func text(_ text: String, style: Style) -> String {
        let harmless = DisplayWidth.harmless(text)
        return style.isUnicode ? harmless : String(harmless.map { $0.isASCII ? $0 : "?" })
    }
}
