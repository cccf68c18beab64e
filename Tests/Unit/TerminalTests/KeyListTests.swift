import Patches
import Testing

@testable import Terminal

@Suite("The list of keys")
struct KeyListTests {
    private static let style = StatusLines.Style(hasColor: false, isUnicode: true)

    /// Live lines with many layers, after this many presses of `?`.
    private static func lines(columns: Int, rows: Int, presses: Int = 1) -> [String] {
        let area = LiveAreaTests.area { area in
            area.mixer = LiveAreaTests.mixer(layers: 20)
            for _ in 0..<presses { _ = area.selection.action(of: .help, LiveAreaTests.mixer(layers: 20)) }
        }
        return area.lines(TerminalSize(columns: columns, rows: rows), style: style).map(\.text)
    }

    @Test("takes the place of the layers while it is shown, and a second ? closes it")
    func toggles() {
        let shown = Self.lines(columns: 81, rows: 24)
        #expect(shown.count == 23)
        #expect(shown.first?.hasPrefix("▶ Deep alpha") == true)
        #expect(shown.dropFirst().first?.contains("? closes the list") == true)
        #expect(Array(shown.suffix(KeyList.lines.count)) == KeyList.lines)
        #expect(shown.contains { $0.contains("1 bed") })
        #expect(Self.lines(columns: 81, rows: 24, presses: 2) == Self.lines(columns: 81, rows: 24, presses: 0))
        #expect(!Self.lines(columns: 81, rows: 24, presses: 2).contains { $0.hasPrefix("space") })
    }

    @Test("shows every key in small windows too, below what plays", arguments: [(80, 10), (80, 5), (40, 24), (20, 24), (12, 24), (40, 9)])
    func small(columns: Int, rows: Int) {
        let lines = Self.lines(columns: columns, rows: rows)
        #expect(lines.count < rows, "\(lines)")
        #expect(lines.first?.hasPrefix("▶") == true, "\(lines)")
        let text = lines.dropFirst().joined(separator: "\n")
        for word in ["space", "skip", "chapter", "select", "level", "mute", "solo", "undo", "redo", "beat", "carrier", "sleep", "quit"] {
            #expect(text.contains(word), "\(word): \(lines)")
        }
    }

    @Test("is never wider than the window, nor higher than its rows", arguments: 1...100)
    func fits(width: Int) {
        for rows in [0, 1, 2, 3, 8, 24] {
            let lines = KeyList.lines(columns: width, rows: rows, style: Self.style)
            #expect(lines.count <= rows)
            #expect(lines.allSatisfy { $0.columns <= width })
        }
    }
}

@Suite("The line under the title")
struct BarWidthTests {
    @Test("is never wider than the window, whatever is beside the bar", arguments: 2...100)
    func fits(columns: Int) {
        for presses in 0...1 {
            let area = LiveAreaTests.area { area in
                area.place = QueuePlace(index: 11, count: 12, rate: 1.25)
                for _ in 0..<presses { _ = area.selection.action(of: .help, LiveAreaTests.mixer()) }
            }
            let lines = area.lines(TerminalSize(columns: columns, rows: 24), style: .init(hasColor: false, isUnicode: true))
            #expect(lines.allSatisfy { $0.columns < columns && $0.columns == DisplayWidth.columns(of: $0.text) }, "\(lines)")
        }
    }

    @Test("drops the hint first, so that a bar remains")
    func narrow() {
        let area = LiveAreaTests.area { $0.place = QueuePlace(index: 11, count: 12, rate: 1.25) }
        let line = area.lines(TerminalSize(columns: 42, rows: 24), style: .init(hasColor: false, isUnicode: true))[1].text
        #expect(line.hasSuffix("  item 11/12, rate 1.25"), "\(line)")
        #expect(line.contains("●"), "\(line)")
    }
}
