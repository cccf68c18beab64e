import Terminal
import Testing

@Suite("Drawing of live lines")
struct LiveTextTests {
    /// A terminal, as far as live lines need one.
    private struct Screen {
        private var lines: [[Character]] = [[]]
        private(set) var row = 0
        private var column = 0
        private(set) var wraps = true
        private let columns: Int

        init(columns: Int) { self.columns = columns }

        mutating func write(_ text: String) {
            var rest = text.unicodeScalars[...]
            while let scalar = rest.popFirst() {
                switch scalar {
                case "\r": column = 0
                case "\n":
                    row += 1
                    if row == lines.count { lines.append([]) }
                case "\u{1B}":
                    let body = rest.prefix { !("A"..."z").contains($0) || $0 == "[" }
                    rest = rest.dropFirst(body.count)
                    sequence(String(body), rest.popFirst())
                default:
                    if column == columns {
                        guard wraps else { continue }
                        write("\r\n")
                    }
                    while lines[row].count <= column { lines[row].append(" ") }
                    lines[row][column] = Character(scalar)
                    column += 1
                }
            }
        }

        private mutating func sequence(_ body: String, _ last: Unicode.Scalar?) {
            let number = Int(body.filter(\.isNumber)) ?? 1
            switch last {
            case "A": row -= number
            case "B": row += number
            case "K": lines[row] = Array(lines[row].prefix(column))
            case "J":
                lines[row] = Array(lines[row].prefix(column))
                lines.removeLast(lines.count - row - 1)
            case "l", "h": if body == "[?7" { wraps = last == "h" }
            default: break
            }
        }

        var text: [String] { lines.map { String($0) } }
    }

    private static func lines(_ texts: String...) -> [StatusLines.Line] { texts.map { StatusLines.Line(text: $0, columns: $0.count) } }

    @Test("only changed lines are written again, and nothing if none has changed")
    func changes() {
        let old = Self.lines("title", "bar", "master", "machine")
        let new = Self.lines("title", "BAR!", "master", "mach")
        var screen = Screen(columns: 20)
        screen.write("before\r\n" + LiveText.replacing([], drawnIn: 0, by: old, columns: 20, printing: []))
        #expect(screen.text == ["before", "title", "bar", "master", "machine"])
        #expect(LiveText.replacing(old, drawnIn: 20, by: old, columns: 20, printing: []) == "")
        let update = LiveText.replacing(old, drawnIn: 20, by: new, columns: 20, printing: [])
        #expect(!update.contains("title"))
        #expect(!update.contains("master"))
        screen.write(update)
        #expect(screen.text == ["before", "title", "BAR!", "master", "mach"])
        #expect(screen.row == 4)
        #expect(screen.wraps)
        screen.write(LiveText.replacing(new, drawnIn: 20, by: old, columns: 20, printing: []))
        #expect(screen.text == ["before", "title", "bar", "master", "machine"])
    }

    @Test("printed lines stay above, whatever number of lines follows")
    func printed() {
        var screen = Screen(columns: 20)
        var shown: [StatusLines.Line] = []
        var expected: [String] = []
        for (index, count) in [3, 3, 1, 5, 2].enumerated() {
            let new = (1...count).map { StatusLines.Line(text: "line \($0)", columns: 6) }
            screen.write(LiveText.replacing(shown, drawnIn: 20, by: new, columns: 20, printing: ["notice \(index)"]))
            shown = new
            expected.append("notice \(index)")
            #expect(screen.text == expected + new.map(\.text))
        }
    }

    @Test("a line that the terminal finds wider than expected is cut and does not move the others")
    func tooWide() {
        let wide = [StatusLines.Line(text: String(repeating: "x", count: 30), columns: 19)] + Self.lines("next")
        var screen = Screen(columns: 20)
        screen.write(LiveText.replacing([], drawnIn: 0, by: wide, columns: 20, printing: []))
        #expect(screen.text.map(\.count) == [20, 4])
        screen.write(LiveText.replacing(wide, drawnIn: 20, by: Self.lines("a", "b"), columns: 20, printing: []))
        #expect(screen.text == ["a", "b"])
    }

    @Test("in a window that has become narrower, the rows of wrapped lines are replaced too")
    func narrower() {
        let old = Self.lines("12345678901234567890", "short")
        var screen = Screen(columns: 10)
        screen.write("before\r\n1234567890\r\n1234567890\r\nshort")
        screen.write(LiveText.replacing(old, drawnIn: 21, by: Self.lines("123456789", "short"), columns: 10, printing: []))
        #expect(screen.text == ["before", "123456789", "short"])
    }
}
