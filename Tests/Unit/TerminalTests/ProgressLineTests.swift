import Terminal
import Testing

@Suite("Progress")
struct ProgressLineTests {
    static let cases: [(done: Int64, elapsed: Double, columns: Int, line: String)] = [
        (0, 0, 60, "Deep alpha  [" + String(repeating: "-", count: 40) + "]   0 %"),
        (500, 10, 60, "Deep alpha  [##############---------------]  50 %  0:10 left"),
        (250, 100, 60, "Deep alpha  [#######----------------------]  25 %  5:00 left"),
        (1000, 10, 60, "Deep alpha  [#############################] 100 %  0:00 left"),
        (500, 10, 36, "Deep…  [#####-----]  50 %  0:10 left"),
        (500, 10, 20, "  50 %  0:10 left"),
        (500, 10, 8, "  50 %"),
    ]

    @Test("a bar shows the progress and the remaining time, and fits the window", arguments: cases)
    func table(done: Int64, elapsed: Double, columns: Int, line: String) {
        let shown = ProgressLine.line(title: "Deep alpha", done: done, total: 1000, elapsed: elapsed, columns: columns)
        #expect(shown == line)
        #expect(shown.count <= columns)
    }
}
