/// The list of all keys, laid out for a window.
package struct KeyList: Sendable {
    private struct Entry {
        let keys: String
        let meaning: String
        /// The keys and their meaning in few columns.
        let short: String
    }

    private static let entries = [
        Entry(keys: "space", meaning: "play or pause", short: "space pause"),
        Entry(keys: "left, right", meaning: "skip back or forward", short: "arrows skip"),
        Entry(keys: "n, p", meaning: "next or previous chapter or item", short: "n p chapter"),
        Entry(keys: "g", meaning: "go to a chapter: type its number (03 if there are ten or more)", short: "g go to chapter"),
        Entry(keys: "1 to 9, 0", meaning: "select a layer, or the master; up and down move the selection", short: "0-9 select"),
        Entry(keys: "+, -", meaning: "level of the selected layer or the master, by 1 dB", short: "+ - level"),
        Entry(keys: "m, s", meaning: "mute the selected layer or the master; solo the selected layer", short: "m mute, s solo"),
        Entry(keys: "b, B", meaning: "beat of the selected layer, down or up by 0.1 Hz", short: "b B beat"),
        Entry(keys: "c, C", meaning: "carrier of the selected layer, down or up by 1 Hz", short: "c C carrier"),
        Entry(keys: "z", meaning: "sleep timer: 15, 30 or 60 minutes, or off", short: "z sleep"),
        Entry(keys: "u, r", meaning: "undo or redo the last change of a layer, chapter or cue", short: "u undo, r redo"),
        Entry(keys: "q", meaning: "quit", short: "q quit"),
    ]

    /// One key a line, each line as long as it needs.
    package static let lines = entries.map { line($0.keys, $0.meaning) }

    private static func line(_ keys: String, _ meaning: String) -> String {
        keys + String(repeating: " ", count: max(1, 14 - keys.count)) + meaning
    }

    /// At most `rows` lines of at most `columns` columns: one key a line if there is room for that, in short words if the window is narrow;
    /// otherwise several keys a line.
    package static func lines(columns: Int, rows: Int, style: StatusLines.Style) -> [StatusLines.Line] {
        let short = entries.map(\.short).flatMap { entry in
            entry.count <= columns ? [entry] : entry.split(separator: ", ").map(String.init)
        }
        let texts =
            if lines.count <= rows, lines.allSatisfy({ $0.count <= columns }) {
                lines
            } else if short.count <= rows {
                short
            } else {
                filled(short, columns: columns, separator: StatusLines.separator(style))
            }
        return texts.prefix(max(0, rows)).map { StatusLines.line($0, .plain, width: columns, style: style) }
    }

    /// Puts as many entries into each line as there is room for.
    private static func filled(_ entries: [String], columns: Int, separator: String) -> [String] {
        entries.reduce(into: []) { lines, entry in
            if let last = lines.last, last.count + separator.count + entry.count <= columns {
                lines[lines.count - 1] = last + separator + entry
            } else {
                lines.append(entry)
            }
        }
    }
}
