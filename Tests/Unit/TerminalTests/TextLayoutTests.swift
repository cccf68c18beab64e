import Testing

@testable import Terminal

@Suite("Texts of several lines")
struct TextLayoutTests {
    @Test("a diagnostic keeps its lines, with the caret under its place")
    func diagnostic() {
        let text =
            "'live.yaml' was saved again.\nlive.yaml:4:28: unknown key\n      - {tone: {carr: 3}}\n              ^\n  did you mean carrier?"
        #expect(TextLayout.lines(of: text, columns: 79) == text.split(separator: "\n").map(String.init))
    }

    @Test("long lines are broken between words, below the first word; a word wider than the window stays whole")
    func wrapped() {
        #expect(
            TextLayout.lines(of: "  one two three four five", columns: 12) == ["  one two", "  three four", "  five"])
        #expect(TextLayout.lines(of: "see /a/path/that/is/long now", columns: 12) == ["see", "/a/path/that/is/long", "now"])
        #expect(TextLayout.lines(of: "", columns: 12) == [""])
    }

    @Test("a caret beyond the window's edge is brought into it together with its line", arguments: [20, 40, 60, 79])
    func excerpt(columns: Int) {
        let line = "    " + String(repeating: "a", count: 60) + "X" + String(repeating: "b", count: 40)
        let lines = TextLayout.lines(of: line + "\n" + String(repeating: " ", count: 64) + "^", columns: columns)
        #expect(lines.count == 2, "\(lines)")
        #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
        let place = lines[1].count - 1
        #expect(Array(lines[0])[place] == "X", "\(lines)")
    }
}

@Suite("Notices that repeat")
struct RepeatedNoticesTests {
    private struct Picture: TerminalPicture {
        var notice: String?
        var noticeCount: Int
        func live(size: TerminalSize, style: StatusLines.Style) -> [StatusLines.Line] { [] }
        func plain(style: StatusLines.Style) -> String { "" }
        func isWorthALine(after previous: (any TerminalPicture)?) -> Bool { false }
    }

    @Test("a notice is a line once, and one that comes again is counted")
    func counted() {
        var notices = RepeatedNotices()
        func line(_ notice: String?, _ count: Int) -> String? { notices.line(for: Picture(notice: notice, noticeCount: count)) }
        #expect(line(nil, 0) == nil)
        #expect(line("Read again.", 1) == "Read again.")
        #expect(line("Read again.", 1) == nil)
        #expect(line("Read again.", 2) == "Read again. (2 times)")
        #expect(line("Read again.", 4) == "Read again. (4 times)")
        #expect(line("Another.", 5) == "Another.")
        #expect(line("Read again.", 6) == "Read again.")
    }
}

@Suite("A text that settles")
struct SettledTextTests {
    @Test("gets a line when it has stayed the same for a moment, the first one at once")
    func settles() {
        var text = SettledText()
        text.update("master 0.0 dB", at: 0)
        #expect(text.isSettled)
        let printed = text
        for step in 1...20 {
            text.update("master -\(step).0 dB", at: Double(step) * 0.1)
            #expect(!text.isWorthALine(after: printed))
        }
        text.update("master -20.0 dB", at: 2.4)
        #expect(text.isWorthALine(after: printed))
    }

    @Test("appears in its latest form in a line that is printed for another reason, and then gets no line of its own")
    func latest() {
        var text = SettledText()
        text.update("master 0.0 dB", at: 0)
        text.update("master -4.0 dB", at: 1)
        #expect(text.text == "master -4.0 dB")
        let printed = text
        text.update("master -4.0 dB", at: 2)
        #expect(text.isSettled)
        #expect(!text.isWorthALine(after: printed))
    }
}

@Suite("Keys where no live lines show their effect")
struct KeyLineTests {
    @Test("levels of layers and the selection are lines; mutes, solos and the master are part of another line")
    func lines() {
        let mixer = LiveAreaTests.mixer()
        var selection = KeySelection()
        func line(_ key: Key) -> String? {
            let action = selection.action(of: key, mixer)
            return action.line(mixer, selection)
        }
        #expect(line(.softer) == nil)
        #expect(line(.mute) == nil)
        #expect(line(.digit(1)) == "Selected: layer 1 (bed)")
        #expect(line(.softer) == "layer 1 (bed): -21.0 dB")
        #expect(line(.digit(0)) == "Selected: master")
        #expect(mixer.levels == "master -12.0 dB, muted 2, solo 3")
        var status = StatusLinesTests.playing
        status.peak = .init(left: -.infinity, right: -.infinity)
        let plain = StatusLines.plain(status, levels: mixer.levels, style: .init(hasColor: false, isUnicode: true))
        #expect(plain.hasSuffix(" · master -12.0 dB, muted 2, solo 3"), "\(plain)")
        #expect(!plain.contains("dBFS"), "\(plain)")
        status.startTime = "6:30:00"
        #expect(StatusLines.top(of: status, width: 90, style: .init(hasColor: false, isUnicode: true)).text.contains(", starts at 6:30:00"))
    }
}
