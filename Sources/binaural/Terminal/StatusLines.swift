import Foundation

/// The words of the terminal view: a status becomes text, and nothing else happens here.
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
        /// With the sequences that colour it.
        package var text: String
        /// What it takes on the terminal.
        package var columns: Int
    }

    /// Two lines, each at most `width` columns: what plays and how far it is, then the machine behind it.
    package static func live(_ status: TerminalStatus, width: Int, style: Style) -> [Line] {
        let (first, second) = lines(of: status, style: style)
        let ellipsis = style.isUnicode ? "…" : "..."
        let time = self.time(of: status)
        let symbol = symbol(of: status.state, style: style) + " "
        let roomForTitle = width - DisplayWidth.columns(of: symbol) - DisplayWidth.columns(of: time) - 2
        let top: Line
        if roomForTitle >= 4 {
            let rest = DisplayWidth.fitted(first, columns: roomForTitle, ellipsis: ellipsis) + (time.isEmpty ? "" : "  " + time)
            let columns = DisplayWidth.columns(of: symbol + rest)
            top = Line(text: color(symbol, number: colorNumber(of: status.state), style: style) + rest, columns: columns)
        } else {
            // Of a window this narrow the time says most.
            let text = DisplayWidth.fitted(symbol + time, columns: width, ellipsis: ellipsis)
            top = Line(text: text, columns: DisplayWidth.columns(of: text))
        }
        let bottom = DisplayWidth.fitted(second, columns: width, ellipsis: ellipsis)
        return [top, Line(text: color(bottom, number: dim, style: style), columns: DisplayWidth.columns(of: bottom))]
    }

    /// One line without colour and of any length, for a file or a pipe.
    package static func plain(_ status: TerminalStatus, style: Style) -> String {
        let (first, second) = lines(of: status, style: style)
        let state = status.state.rawValue
        return [state, first, time(of: status), second].filter { !$0.isEmpty }.joined(separator: separator(style))
    }

    private static func lines(of status: TerminalStatus, style: Style) -> (String, String) {
        var first = [status.item.isEmpty ? "nothing to play" : text(status.item, style: style)]
        if let chapter = status.chapter {
            let title = text(chapter.title, style: style)
            first.append("\(chapter.index)/\(chapter.count)" + (title.isEmpty ? "" : " \(title)"))
        }
        var second = ["L \(level(status.peak.left)) R \(level(status.peak.right)) dBFS"]
        second.append(status.load.map { "DSP \(Int($0.rounded())) %" } ?? "JACK is away")
        second.append(status.xruns == 1 ? "1 xrun" : "\(status.xruns) xruns")
        if !status.address.isEmpty { second.append(status.address) }
        if status.load != nil {
            let ports = status.connections.map { text($0, style: style) }.joined(separator: ", ")
            second.append(ports.isEmpty ? "not connected" : (style.isUnicode ? "→ " : "-> ") + ports)
        }
        return (first.joined(separator: separator(style)), second.joined(separator: separator(style)))
    }

    private static func separator(_ style: Style) -> String { style.isUnicode ? " · " : " | " }

    private static func time(of status: TerminalStatus) -> String {
        guard !status.item.isEmpty else { return "" }
        return ClockTime.text(status.elapsed) + (status.duration.map { " / " + ClockTime.text($0) } ?? "")
    }

    /// As wide for every level, so that nothing to the right of it trembles.
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

    private static let dim = 2

    private static func colorNumber(of state: TerminalStatus.State) -> Int {
        switch state {
        case .playing: 32
        case .paused, .stopped: 33
        case .interrupted: 31
        }
    }

    private static func color(_ text: String, number: Int, style: Style) -> String {
        style.hasColor ? "\u{1B}[\(number)m\(text)\u{1B}[0m" : text
    }

    /// A text from elsewhere as this terminal can show it.
    package static func text(_ text: String, style: Style) -> String {
        let harmless = DisplayWidth.harmless(text)
        return style.isUnicode ? harmless : String(harmless.map { $0.isASCII ? $0 : "?" })
    }
}
