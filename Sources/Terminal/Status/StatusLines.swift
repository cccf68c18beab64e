import Foundation

/// The text of the terminal view, made from a status only.
package enum StatusLines {
    package struct Style: Equatable, Sendable {
        package var hasColor: Bool
        /// Whether the terminal shows more than ASCII.
        package var isUnicode: Bool
        /// The colours beyond the usual eight.
        package var colors: Colors

        /// The colours of a terminal.
        package enum Colors: Equatable, Sendable {
            case eight
            /// The 216 of xterm's cube, among others.
            case cube
            /// Any colour.
            case all
        }

        package init(hasColor: Bool, isUnicode: Bool, colors: Colors = .eight) {
            (self.hasColor, self.isUnicode, self.colors) = (hasColor, isUnicode, colors)
        }

        /// The style of the terminal that the environment describes; `nil` if that can only print lines.
        static func terminal(_ environment: [String: String]) -> Style? {
            guard let kind = environment["TERM"], !kind.isEmpty, kind != "dumb" else { return nil }
            // no-color.org: any value but an empty one disables colours.
            return Style(
                hasColor: environment["NO_COLOR", default: ""].isEmpty, isUnicode: isUnicode(environment),
                colors: ["truecolor", "24bit"].contains(environment["COLORTERM"]) ? .all : kind.contains("256color") ? .cube : .eight)
        }

        static func isUnicode(_ environment: [String: String]) -> Bool {
            let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
            return locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
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

    /// The title and position of the current item.
    package static func top(of status: TerminalStatus, width: Int, style: Style) -> Line {
        let time = self.time(of: status)
        let symbol = symbol(of: status.state, style: style) + " "
        let roomForTitle = width - DisplayWidth.columns(of: symbol) - DisplayWidth.columns(of: time) - 2
        // In a very narrow window only the time is shown.
        guard roomForTitle >= 4 else { return line(symbol + time, .plain, width: width, style: style) }
        let title = title(of: status, columns: roomForTitle, style: style)
        let rest = title + (time.isEmpty ? "" : "  " + time)
        return Line(text: color(symbol, look(of: status.state), style: style) + rest, columns: DisplayWidth.columns(of: symbol + rest))
    }

    /// A text cut to `width` columns.
    package static func line(_ text: String, _ look: Look, width: Int, style: Style) -> Line {
        let fitted = DisplayWidth.fitted(text, columns: max(0, width), ellipsis: ellipsis(style))
        return Line(text: color(fitted, look, style: style), columns: DisplayWidth.columns(of: fitted))
    }

    /// One line without colour and of any length, for a file or a pipe.
    ///
    /// - Parameters:
    ///   - place: the place in the queue.
    ///   - levels: the master level, mutes and solos in words.
    package static func plain(_ status: TerminalStatus, place: QueuePlace = .init(), levels: String = "", style: Style) -> String {
        let parts = [
            status.state.rawValue, position(of: status, style: style), place.text, machine(of: status, isLine: true, style: style), levels,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: separator(style))
    }

    /// Title, chapter and time.
    package static func position(of status: TerminalStatus, style: Style) -> String {
        [title(of: status, style: style), time(of: status)].filter { !$0.isEmpty }.joined(separator: separator(style))
    }

    private static func title(of status: TerminalStatus, style: Style) -> String {
        [item(of: status, style: style), chapter(of: status, style: style)].compactMap(\.self).joined(separator: separator(style))
    }

    /// The title and the chapter in `columns`: if both are long, each gets half of the room.
    private static func title(of status: TerminalStatus, columns: Int, style: Style) -> String {
        func fitted(_ text: String, _ columns: Int) -> String {
            DisplayWidth.fitted(text, columns: columns, ellipsis: ellipsis(style))
        }
        let item = item(of: status, style: style)
        let room = columns - DisplayWidth.columns(of: separator(style))
        // With less room, half of it says nothing.
        guard let chapter = chapter(of: status, style: style), room >= 10 else { return fitted(title(of: status, style: style), columns) }
        let (wished, other) = (DisplayWidth.columns(of: item), DisplayWidth.columns(of: chapter))
        let share = max(room - other, min(wished, room / 2))
        let shown = fitted(item, share)
        return shown + separator(style) + fitted(chapter, room - DisplayWidth.columns(of: shown))
    }

    private static func item(of status: TerminalStatus, style: Style) -> String {
        status.item.isEmpty ? "nothing to play" : text(status.item, style: style)
    }

    /// The number and the title of the chapter; `nil` without chapters.
    private static func chapter(of status: TerminalStatus, style: Style) -> String? {
        guard let chapter = status.chapter else { return nil }
        let title = text(chapter.title, style: style)
        return "\(chapter.index)/\(chapter.count)" + (title.isEmpty ? "" : " \(title)")
    }

    /// The technical status: levels, JACK, address and connections.
    ///
    /// - Parameter isLine: whether it stays as a line, where the level of silence means nothing.
    static func machine(of status: TerminalStatus, isLine: Bool = false, style: Style) -> String {
        var parts = isLine && max(status.peak.left, status.peak.right) <= -120 ? [] : [level(of: status)]
        switch status.server {
        case .running(let load): parts.append("DSP \(String(format: "%.0f", load)) %")
        case .stalled: parts.append("JACK has stalled")
        case .away: parts.append("JACK is away")
        }
        parts.append(status.xruns == 1 ? "1 xrun" : "\(status.xruns) xruns")
        if !status.address.isEmpty { parts.append(status.address) }
        if status.server != .away {
            let ports = status.connections.map { text($0, style: style) }.joined(separator: ", ")
            parts.append(ports.isEmpty ? "not connected" : (style.isUnicode ? "→ " : "-> ") + ports)
        }
        return parts.joined(separator: separator(style))
    }

    package static func separator(_ style: Style) -> String { style.isUnicode ? " · " : " | " }

    static func ellipsis(_ style: Style) -> String { style.isUnicode ? "…" : "..." }

    private static func time(of status: TerminalStatus) -> String {
        guard !status.item.isEmpty else { return "" }
        return ClockTime.text(status.elapsed) + (status.duration.map { " / " + ClockTime.text($0) } ?? "")
            + (status.startTime.map { ", starts at " + $0 } ?? "")
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
        case strong = 1
        case dim = 2
        case alarm = 31
        case going = 32
        case resting = 33
    }

    static func look(of state: TerminalStatus.State) -> Look {
        switch state {
        case .playing: .going
        case .paused, .stopped: .resting
        case .interrupted: .alarm
        }
    }

    static func color(_ text: String, _ look: Look, style: Style) -> String {
        style.hasColor && look != .plain && !text.isEmpty ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// A text in the colour of a layer, 0xRRGGBB; where the terminal lacks that, in the colour of what plays.
    static func color(_ text: String, layer code: UInt32, style: Style) -> String {
        let parts = [code >> 16 & 0xFF, code >> 8 & 0xFF, code & 0xFF]
        guard style.hasColor, style.colors != .eight, !text.isEmpty else { return color(text, .going, style: style) }
        // The steps of the cube are at 0, 95, 135, 175, 215 and 255.
        let steps = parts.map { $0 < 48 ? 0 : $0 < 115 ? 1 : ($0 - 35) / 40 }
        let number =
            style.colors == .all
            ? "2;" + parts.map(String.init).joined(separator: ";") : "5;\(16 + 36 * steps[0] + 6 * steps[1] + steps[2])"
        return "\u{1B}[38;\(number)m\(text)\u{1B}[0m"
    }

    /// A text from outside, limited to what this terminal can show.
    package static func text(_ text: String, style: Style) -> String {
        let printable = text.printable
        return style.isUnicode ? printable : String(printable.map { $0.isASCII ? $0 : "?" })
    }
}
