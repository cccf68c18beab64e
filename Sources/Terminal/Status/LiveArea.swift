import Foundation
import Patches

/// The live lines of `play` and `watch`, as a function of what is shown and of the window: what plays, a bar with its chapters, the master
/// and the layers, the levels of both ears, and the technical status, in as many lines as there is room for.
package struct LiveArea: Sendable {
    package var status: TerminalStatus
    package var place = QueuePlace()
    /// Starts of the chapters in seconds.
    package var chapterStarts: [Double] = []
    /// `nil` if the levels are not known.
    package var mixer: TerminalMixer?
    package var selection = KeySelection()
    /// The parts of the last line; `nil` for the technical status.
    package var footer: [String]?

    package init(_ status: TerminalStatus) { self.status = status }

    /// The lines, each narrower than the window, and at most one fewer than it has rows, so that a printed line stays visible above them.
    package func lines(_ size: TerminalSize, style: StatusLines.Style) -> [StatusLines.Line] {
        let width = size.columns - 1
        // The other lines give way to the list of keys, except for the first one.
        let keys = selection.showsKeys ? KeyList.lines(columns: width, rows: size.rows - 2, style: style) : []
        let layout = LiveLayout(
            rows: size.rows - 1 - keys.count, layerCount: mixer?.layerCount ?? 0, selected: mixer.flatMap { selection.layer(of: $0) })
        var lines = [StatusLines.top(of: status, width: width, style: style)]
        if layout.hasBar { lines.append(bar(width: width, style: style)) }
        if layout.hasMixer, let mixer {
            let rows = MixerLines(mixer, selected: selection.layer(of: mixer), shown: layout.layers, width: width, style: style)
            lines.append(rows.master)
            lines += layout.layers.map { rows.layer($0) }
        }
        if layout.hasMeters {
            for (ear, level) in [("L", status.peak.left), ("R", status.peak.right)] {
                lines.append(meter(ear, level, width: width, style: style))
            }
        }
        if layout.hasFooter { lines.append(footer(isAlone: !layout.hasMixer, width: width, style: style)) }
        return lines + keys
    }

    // MARK: The bar

    /// The course of the item with its chapters and the position, then the place in the queue.
    private func bar(width: Int, style: StatusLines.Style) -> StatusLines.Line {
        let hint =
            selection.chapterDigits.map(Self.prompt) ?? (selection.showsKeys ? "? closes the list" : "? lists the keys")
        let hasTexts = width >= Self.narrowestWithTexts
        let text = hasTexts ? [place.text, hint].filter { !$0.isEmpty }.joined(separator: StatusLines.separator(style)) : ""
        guard let duration = status.duration, duration > 0, !status.item.isEmpty else {
            return StatusLines.line(text.isEmpty ? place.text : text, .dim, width: width, style: style)
        }
        return bar(duration, beside: [text, hasTexts ? place.text : "", ""], width: width, style: style)
    }

    /// The number of a chapter that is being typed.
    private static func prompt(_ digits: [Int]) -> String { "to chapter: " + digits.map(String.init).joined() + "_" }

    /// - Parameter texts: the first one that leaves the bar enough room is beside it.
    private func bar(_ duration: Double, beside texts: [String], width: Int, style: StatusLines.Style) -> StatusLines.Line {
        let rooms = texts.map { (text: $0, room: width - ($0.isEmpty ? 0 : DisplayWidth.columns(of: $0) + 2)) }
        let (text, room) = rooms.first { $0.room >= Self.shortestBar } ?? ("", max(0, width))
        let bar = ChapterBar(status, duration: duration, chapterStarts: chapterStarts, width: room, style: style)
        let rest = StatusLines.line(text.isEmpty ? "" : "  " + text, .dim, width: width - room, style: style)
        return StatusLines.Line(text: bar.text + rest.text, columns: room + rest.columns)
    }

    /// Columns.
    private static let shortestBar = 8
    /// Columns of a line in a window of 40.
    private static let narrowestWithTexts = 39

    // MARK: Meters and footer

    private func meter(_ ear: String, _ level: Double, width: Int, style: StatusLines.Style) -> StatusLines.Line {
        guard width > 4 else { return StatusLines.line(ear, .plain, width: width, style: style) }
        let bar = LevelBar.text(level, width: min(width - 2, 60), style: style)
        return StatusLines.Line(text: ear + " " + bar.text, columns: 2 + bar.columns)
    }

    /// - Parameter isAlone: whether the levels, mutes and solos have no lines of their own.
    private func footer(isAlone: Bool, width: Int, style: StatusLines.Style) -> StatusLines.Line {
        let levels = isAlone ? mixer?.summary ?? [] : []
        let parts =
            levels + (footer.map { $0.map { StatusLines.text($0, style: style) } } ?? [StatusLines.machine(of: status, style: style)])
        let text = parts.filter { !$0.isEmpty }.joined(separator: StatusLines.separator(style))
        return StatusLines.line(text, .dim, width: width, style: style)
    }
}

/// The lines that fit, by priority: what plays, the technical status, the master, the bar, the layers and the meters.
struct LiveLayout: Equatable {
    let hasFooter: Bool
    let hasMixer: Bool
    let hasBar: Bool
    let hasMeters: Bool
    /// The layers that have a line, around the selected one if not all have.
    let layers: Range<Int>

    /// - Parameter rows: how many lines there may be; the first is always shown.
    init(rows: Int, layerCount: Int, selected: Int?) {
        hasFooter = rows >= 2
        hasMixer = rows >= 3
        hasBar = rows >= 4
        let rest = max(0, rows - 4)
        hasMeters = rest >= layerCount + 2 || rest >= 6
        let shown = min(layerCount, rest - (hasMeters ? 2 : 0))
        let first = min(max((selected ?? 0) - shown / 2, 0), layerCount - shown)
        layers = first..<(first + shown)
    }
}
