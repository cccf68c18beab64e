/// The characters that bring live lines on a terminal up to date.
package enum LiveText {
    /// Replaces the live lines, which end at the cursor. Lines that have not changed are not written again.
    ///
    /// A terminal that measures a rare character differently must not wrap a live line, since the number of its rows would be wrong; so
    /// wrapping is off while they are written.
    ///
    /// - Parameters:
    ///   - old: The lines on the terminal; none before the first drawing.
    ///   - oldColumns: The width of the window that they were written in.
    ///   - columns: The width of the window now; it is greater than that of each new line.
    ///   - printed: Lines that are written above and stay.
    package static func replacing(
        _ old: [StatusLines.Line], drawnIn oldColumns: Int, by new: [StatusLines.Line], columns: Int, printing printed: [String]
    ) -> String {
        guard printed.isEmpty, old.count == new.count, columns == oldColumns else {
            var text = old.isEmpty ? "" : up(rows(of: old, columns: columns) - 1)
            for line in printed { text += line + eraseRight + "\r\n" }
            return text + unwrapped(new.map { $0.text + eraseRight }.joined(separator: "\r\n") + eraseBelow)
        }
        let changed = new.indices.filter { old[$0].text != new[$0].text }
        guard !changed.isEmpty else { return "" }
        var text = up(new.count - 1)
        var row = 0
        for index in changed {
            text += down(index - row) + "\r" + new[index].text + eraseRight
            row = index
        }
        return unwrapped(text + down(new.count - 1 - row))
    }

    /// In a window that has become narrower, a line takes several rows.
    private static func rows(of lines: [StatusLines.Line], columns: Int) -> Int {
        lines.reduce(0) { $0 + max(1, ($1.columns + columns - 1) / columns) }
    }

    private static let eraseRight = "\u{1B}[K"
    private static let eraseBelow = "\u{1B}[J"

    private static func unwrapped(_ text: String) -> String { "\u{1B}[?7l" + text + "\u{1B}[?7h" }

    /// To the beginning of the line this many rows above.
    private static func up(_ rows: Int) -> String { "\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") }
    private static func down(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)B" : "" }
}
