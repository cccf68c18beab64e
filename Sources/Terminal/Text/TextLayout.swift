/// Lays out a text of several lines, such as a diagnostic, in the columns of a terminal.
enum TextLayout {
    /// The text's lines, broken between words; a word that is wider than the window stays whole, so that a path can still be copied.
    ///
    /// A line with only a caret belongs to the line before it: the two are cut around the caret instead.
    static func lines(of text: String, columns: Int) -> [String] {
        var rest = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
        var lines: [String] = []
        while let line = rest.popFirst() {
            if let caret = rest.first, isCaret(caret) {
                rest.removeFirst()
                lines += excerpt(line, caret, columns: columns)
            } else {
                lines += wrapped(line, columns: columns)
            }
        }
        return lines
    }

    private static func isCaret(_ line: String) -> Bool { line.last == "^" && line.dropLast().allSatisfy { $0 == " " || $0 == "\t" } }

    /// A line of a file and the caret below it.
    private static func excerpt(_ line: String, _ caret: String, columns: Int) -> [String] {
        guard DisplayWidth.columns(of: line) > columns, columns > 12 else { return [line, caret] }
        let indent = line.prefix { $0 == " " }
        // The caret is in the first two thirds, so that something is seen of what follows it.
        let surplus = max(0, caret.count - columns * 2 / 3)
        let (head, mark) = surplus > 0 ? ("…", 1) : ("", 0)
        let kept = indent + head + line.dropFirst(indent.count + surplus + mark)
        return [DisplayWidth.fitted(String(kept), columns: columns, ellipsis: "…"), String(caret.dropFirst(surplus))]
    }

    /// Further lines begin below the first word.
    private static func wrapped(_ line: String, columns: Int) -> [String] {
        guard DisplayWidth.columns(of: line) > columns else { return [line] }
        let indent = String(line.prefix { $0 == " " })
        var lines: [String] = []
        var current = indent
        for word in line.dropFirst(indent.count).split(separator: " ") {
            let isFirst = current.count == indent.count
            if !isFirst, DisplayWidth.columns(of: current) + 1 + DisplayWidth.columns(of: String(word)) > columns {
                lines.append(current)
                current = indent + word
            } else {
                current += (isFirst ? "" : " ") + word
            }
        }
        return lines + [current]
    }
}
