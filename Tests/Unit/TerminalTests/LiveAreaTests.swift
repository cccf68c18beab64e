import Patches
@testable import Terminal
import Testing

@Suite("Live lines")
struct LiveAreaTests {
    private static let plainStyle = StatusLines.Style(hasColor: false, isUnicode: true)

    static func mixer(layers count: Int = 3) -> TerminalMixer {
        var mixer = TerminalMixer()
        mixer.gain = -12
        mixer.layerCount = count
        mixer.mutedLayers = [1]
        mixer.soloedLayers = [2]
        mixer.layer = { index in
            var layer = TerminalMixer.Layer()
            layer.name = ["bed", "rain", "bowl"][index % 3]
            layer.kind = ["binaural", "noise", "bell"][index % 3]
            layer.values =
                [
                    [.gain: -20, .carrier: 200, .beat: 6.25, .phase: 90, .pan: 0, .width: 1], [.gain: -120, .correlation: 0.3, .pan: 0],
                    [.gain: -6.04, .carrier: 432, .decay: 4, .phase: 0, .pan: -0.5],
                ][index % 3]
            return layer
        }
        return mixer
    }

    static func area(_ change: (inout LiveArea) -> Void = { _ in }) -> LiveArea {
        var status = StatusLinesTests.playing
        status.connections = []
        status.address = ""
        var area = LiveArea(status)
        area.place = QueuePlace(index: 1, count: 3)
        area.chapterStarts = [0, 600, 1200]
        area.mixer = mixer()
        change(&area)
        return area
    }

    private static func bar(_ character: Character, _ count: Int) -> String { String(repeating: character, count: count) }

    private static func text(_ area: LiveArea, columns: Int, rows: Int, _ style: StatusLines.Style = plainStyle) -> [String] {
        area.lines(TerminalSize(columns: columns, rows: rows), style: style).map(\.text)
    }

    @Test("a window of 80 columns shows the chapters, the master, each layer with its parameters, meters, and JACK")
    func whole() {
        #expect(
            Self.text(Self.area(), columns: 81, rows: 24) == [
                "▶ Deep alpha · 2/5 Drop  12:34 / 30:00",
                Self.bar("━", 16) + "╋━━━●" + Self.bar("─", 12) + "┼" + Self.bar("─", 17) + "  item 1/3 · ? lists the keys",
                "▸ master  -12.0 dB  ━━━━━━━━━━──",
                "  1 bed   -20.0 dB  ────────────  binaural · carrier 200 Hz · beat 6.25 Hz · ph…",
                "  2 rain    off     ────────────  muted · noise · correlation 0.3 · pan 0",
                "  3 bowl   -6.0 dB  ━━━━━━━━━━━─  solo · bell · carrier 432 Hz · decay 4 s · ph…",
                "L " + Self.bar("━", 40) + Self.bar("─", 20), "R " + Self.bar("━", 50) + Self.bar("─", 10),
                "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · not connected",
            ])
    }

    @Test("a layer that was changed says so, before anything that may not fit")
    func edited() {
        let lines = Self.text(
            Self.area { area in
                let layer = Self.mixer().layer
                area.mixer?.layer = { index in
                    var changed = layer(index)
                    changed.isEdited = index > 0
                    return changed
                }
            }, columns: 60, rows: 24)
        #expect(lines[3...5].map { $0.contains("edited") } == [false, true, true])
        #expect(lines[4].contains("muted · edited · noise"), "\(lines)")
    }

    @Test(
        "the bar of a layer has its colour in pictures, where the terminal has that",
        arguments: [
            (["COLORTERM": "truecolor"], "38;2;0;114;178"), ([:], "38;5;25"), (["TERM": "xterm"], "32"),
            (["COLORTERM": "truecolor", "NO_COLOR": "1"], nil),
        ] as [([String: String], String?)])
    func colors(environment: [String: String], code: String?) throws {
        let style = try #require(StatusLines.Style.terminal(["TERM": "xterm-256color", "LANG": "C.UTF-8"].merging(environment) { $1 }))
        let area = Self.area { $0.mixer?.soloedLayers = [] }
        let line = Self.text(area, columns: 81, rows: 24, style)[3]
        #expect(code.map { line.contains("\u{1B}[\($0)m━") } ?? !line.contains("\u{1B}"), "\(line)")
    }

    private static let linesByColumns: [Int: [String]] = [
        200: [
            "▶ Deep alpha · 2/5 Drop  12:34 / 30:00",
            bar("━", 56) + "╋" + bar("━", 13) + "●" + bar("─", 41) + "┼" + bar("─", 57)
                + "  item 1/3 · ? lists the keys",
            "▸ master  -12.0 dB  ━━━━━━━━━━──",
            "  1 bed   -20.0 dB  ────────────  binaural · carrier 200 Hz · beat 6.25 Hz · phase 90° · pan 0 · width 1",
            "  2 rain    off     ────────────  muted · noise · correlation 0.3 · pan 0",
            "  3 bowl   -6.0 dB  ━━━━━━━━━━━─  solo · bell · carrier 432 Hz · decay 4 s · phase 0° · pan -0.5",
            "L " + bar("━", 40) + bar("─", 20), "R " + bar("━", 50) + bar("─", 10),
            "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · not connected",
        ],
        80: [
            "▶ Deep alpha · 2/5 Drop  12:34 / 30:00",
            bar("━", 16) + "╋━━━●" + bar("─", 11) + "┼" + bar("─", 17) + "  item 1/3 · ? lists the keys",
            "▸ master  -12.0 dB  ━━━━━━━━━━──",
            "  1 bed   -20.0 dB  ────────────  binaural · carrier 200 Hz · beat 6.25 Hz · p…",
            "  2 rain    off     ────────────  muted · noise · correlation 0.3 · pan 0",
            "  3 bowl   -6.0 dB  ━━━━━━━━━━━─  solo · bell · carrier 432 Hz · decay 4 s · p…",
            "L " + bar("━", 40) + bar("─", 20), "R " + bar("━", 50) + bar("─", 10),
            "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · not connected",
        ],
        40: [
            "▶ Deep alpha · 2/5 Drop  12:34 / 30:00", "━━━●──┼───  item 1/3 · ? lists the keys", "▸ master  -12.0 dB",
            "  1 bed   -20.0 dB  binaural · carrier…", "  2 rain    off     muted · noise · co…",
            "  3 bowl   -6.0 dB  solo · bell · carr…", "L " + bar("━", 25) + bar("─", 12), "R " + bar("━", 31) + bar("─", 6),
            "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xru…",
        ],
        12: [
            "▶ 12:34 /…", "━━━╋●─┼────", "▸0 -12.0", " 1 -20.0", " 2 off M", " 3 -6.0 S", "L ━━━━━━───", "R ━━━━━━━━─", "L -20.1 R…",
        ],
    ]

    @Test("windows of 200, 80, 40 and 12 columns show exactly these lines", arguments: linesByColumns.keys.sorted())
    func widths(columns: Int) {
        #expect(Self.text(Self.area(), columns: columns, rows: 24) == Self.linesByColumns[columns])
    }

    @Test("a window of 12 columns shows numbers, levels, mutes and solos")
    func narrow() {
        let lines = Self.text(
            Self.area { area in
                area.mixer?.isMuted = true
                _ = area.selection.action(of: .digit(3), Self.mixer())
            }, columns: 12, rows: 24)
        #expect(
            lines == [
                "▶ 12:34 /…", "━━━╋●─┼────", " 0 -12.0 M", " 1 -20.0", " 2 off M", "▸3 -6.0 S", "L " + Self.bar("━", 6) + Self.bar("─", 3),
                "R " + Self.bar("━", 8) + "─", "L -20.1 R…",
            ])
    }

    @Test(
        "the master level, mutes and solos are shown in every window of three lines or more, and in text as soon as they are not the usual")
    func alwaysShown() {
        #expect(
            Self.text(Self.area(), columns: 101, rows: 3).last
                == "master -12.0 dB · muted 2 · solo 3 · L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · not connected")
        #expect(Self.text(Self.area(), columns: 101, rows: 4)[1] == "▸ master  -12.0 dB  ━━━━━━━━━━──  muted 2 · solo 3")
        let usual = Self.area { $0.mixer = TerminalMixer() }
        #expect(Self.text(usual, columns: 81, rows: 3).last == "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · not connected")
        #expect(Self.text(usual, columns: 81, rows: 4)[1] == "▸ master    0.0 dB  " + Self.bar("━", 12))
        let limited = Self.area {
            $0.mixer?.highestGain = -9
            $0.mixer?.isMuted = true
        }
        #expect(Self.text(limited, columns: 101, rows: 24)[2] == "▸ master  -12.0 dB  ────────────  muted · at most -9 dB")
    }

    @Test("a window of 40 columns shows the place in the queue and the key for the list beside the bar")
    func fortyColumns() {
        #expect(Self.text(Self.area(), columns: 40, rows: 24)[1].hasSuffix("  item 1/3 · ? lists the keys"))
    }

    @Test("with more layers than lines, those around the selected one are shown", arguments: [(1, 1...9), (6, 2...10), (20, 12...20)])
    func scrolled(selected: Int, expected: ClosedRange<Int>) {
        var area = Self.area { $0.mixer = Self.mixer(layers: 20) }
        for _ in 0..<selected { _ = area.selection.action(of: .down, Self.mixer(layers: 20)) }
        let lines = Self.text(area, columns: 100, rows: 16)
        #expect(lines.count == 15)
        #expect(lines[2].contains("layers \(expected.lowerBound)-\(expected.upperBound) of 20"), "\(lines[2])")
        let numbers = lines.compactMap { $0.firstMatch(of: /^[▸ ] ([0-9]+) (?:bed|rain|bowl)/).flatMap { Int($0.1) } }
        #expect(numbers == Array(expected))
        #expect(lines.contains { $0.hasPrefix("▸ \(selected) ") })
    }

    @Test("the lines always fit the window, with one row left for printed lines", arguments: 1...60)
    func fits(rows: Int) {
        let strange = Self.area {
            $0.status.item = "深い眠り 👩‍👩‍👧 e\u{301}\u{301} नमस्ते"
            $0.status.elapsed = .nan
            $0.chapterStarts = [.nan, .infinity, -5, 1e300]
            $0.mixer?.gain = .nan
        }
        for area in [Self.area(), Self.area { $0.mixer = Self.mixer(layers: 1024) }, Self.area { $0.status.duration = nil }, strange] {
            for columns in [2, 3, 5, 11, 12, 23, 24, 25, 26, 40, 41, 69, 70, 71, 72, 80, 200] {
                let lines = area.lines(TerminalSize(columns: columns, rows: rows), style: Self.plainStyle)
                #expect(lines.count <= max(1, rows - 1))
                #expect(lines.count >= min(2, max(1, rows - 1)))
                for line in lines {
                    #expect(line.columns < columns, "\(columns): \(line.text)")
                    #expect(line.columns == DisplayWidth.columns(of: line.text), "\(columns): \(line.text)")
                }
            }
        }
    }

    @Test("a terminal without Unicode gets ASCII only, and one without colours the same text")
    func styles() {
        let area = Self.area { $0.status.item = "Für Elise" }
        let ascii = Self.text(area, columns: 81, rows: 24, .init(hasColor: false, isUnicode: false))
        #expect(ascii.allSatisfy { $0.allSatisfy(\.isASCII) }, "\(ascii)")
        #expect(ascii[1].hasPrefix("################|###O------------|-"))
        #expect(ascii[2].hasPrefix("> master  -12.0 dB  ##########--"))
        let colored = Self.text(area, columns: 81, rows: 24, .init(hasColor: true, isUnicode: true))
        #expect(colored.map { $0.replacing(/\u{1B}\[[0-9]*m/, with: "") } == Self.text(area, columns: 81, rows: 24))
    }

    @Test("names and kinds from files or the network cannot move the cursor or change colours")
    func harmless() {
        let area = Self.area {
            $0.status.item = "a\u{1B}]0;x\u{7}b"
            $0.footer = ["osc\u{1B}[2J"]
            $0.mixer?.layer = { _ in
                var layer = TerminalMixer.Layer()
                layer.name = "x\u{1B}[31m\u{9B}2J"
                layer.kind = "binaural\r\n\u{202E}"
                return layer
            }
        }
        for line in Self.text(area, columns: 200, rows: 24) {
            #expect(line.unicodeScalars.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) }, "\(line)")
        }
    }

    @Test("a duration, position or level that is not a number draws an empty bar")
    func notNumbers() {
        let area = Self.area {
            $0.status.elapsed = .nan
            $0.status.peak = .init(left: .nan, right: .infinity)
            $0.chapterStarts = []
        }
        let lines = Self.text(area, columns: 81, rows: 24)
        #expect(lines[1].hasPrefix("●──"))
        #expect(lines[6] == "L " + String(repeating: "─", count: 60))
        #expect(lines[7] == "R " + String(repeating: "━", count: 60))
    }
}

@Suite("Keys for the mixer")
struct KeySelectionTests {
    private let mixer = LiveAreaTests.mixer()

    /// The action of the last of several keys.
    private func action(_ keys: Key..., mixer: TerminalMixer? = nil) -> KeyAction? {
        var selection = KeySelection()
        return keys.map { selection.action(of: $0, mixer ?? self.mixer) }.last
    }

    @Test("plus and minus change the master by 1 dB until a layer is selected")
    func levels() {
        #expect(action(.louder) == .level(layer: nil, -11))
        #expect(action(.softer) == .level(layer: nil, -13))
        #expect(action(.digit(1), .louder) == .level(layer: 0, -19))
        #expect(action(.digit(1), .digit(0), .louder) == .level(layer: nil, -11))
        #expect(action(.down, .down, .down, .down, .softer) == .level(layer: 2, -7.04))
        #expect(action(.down, .up, .up, .softer) == .level(layer: nil, -13))
        #expect(action(.digit(2), .louder) == .level(layer: 1, -60), "from off to the lowest level")
        var loud = mixer
        loud.highestGain = -11.5
        #expect(action(.louder, mixer: loud) == .level(layer: nil, -11.5))
        loud.gain = -59.5
        #expect(action(.softer, mixer: loud) == .level(layer: nil, -120))
    }

    @Test("mute and solo turn the selected layer or the master on or off; solo needs a layer")
    func mutes() {
        #expect(action(.mute) == .mute(layer: nil, true))
        #expect(action(.digit(2), .mute) == .mute(layer: 1, false))
        #expect(action(.digit(1), .solo) == .solo(layer: 0, true))
        #expect(action(.digit(3), .solo) == .solo(layer: 2, false))
        #expect(action(.solo) == .print(["Solo needs a layer: select one with 1 to 9 or the arrow keys."]))
    }

    @Test("beat and carrier of the selected layer move by a tenth and by one hertz, within their ranges; other layers have none")
    func frequencies() {
        #expect(action(.digit(1), .raiseBeat) == .set(layer: 0, .beat, 6.35))
        #expect(action(.digit(1), .lowerBeat) == .set(layer: 0, .beat, 6.15))
        #expect(action(.digit(1), .lowerCarrier) == .set(layer: 0, .carrier, 199))
        #expect(action(.lowerBeat) == .print(["The beat is a layer's: select one with 1 to 9 or the arrow keys."]))
        #expect(action(.digit(2), .raiseBeat) == .print(["Layer 2 has no beat."]))
        var high = mixer
        high.layer = { _ in
            var layer = TerminalMixer.Layer()
            (layer.kind, layer.values) = ("binaural", [.beat: 99.95, .carrier: 1.5])
            return layer
        }
        #expect(action(.digit(1), .raiseBeat, mixer: high) == .set(layer: 0, .beat, 100))
        #expect(action(.digit(1), .lowerCarrier, mixer: high) == .set(layer: 0, .carrier, 1))
    }

    @Test("the sleep timer goes from off to 15, 30 and 60 minutes, and off again; a running one to the next longer time")
    func sleep() {
        let presses: [(Double?, Double)] = [(nil, 900), (895, 1800), (610, 900), (1700, 1800), (1799.5, 3600), (3599.5, 0), (9000, 0)]
        for (remaining, expected) in presses {
            var mixer = mixer
            mixer.timeToSleep = remaining
            #expect(action(.sleep, mixer: mixer) == .sleep(expected), "\(remaining ?? -1)")
        }
    }

    @Test("g and a number go to that chapter; the number has as many digits as that of the last one, and other keys end it")
    func chapters() {
        var few = mixer
        few.chapterCount = 5
        #expect(action(.chapter, mixer: few) == .awaitChapter)
        #expect(action(.chapter, .digit(5), mixer: few) == .chapter(5))
        #expect(action(.chapter, .digit(6), mixer: few) == .print(["There is no chapter 6: the current item has 5."]))
        #expect(action(.chapter, .digit(0), mixer: few) == .print(["There is no chapter 0: the current item has 5."]))
        #expect(action(.chapter, .mute, .digit(1), mixer: few) == .redraw, "the digit selects a layer again")
        var many = mixer
        many.chapterCount = 12
        #expect(action(.chapter, .digit(0), mixer: many) == .awaitChapter)
        #expect(action(.chapter, .digit(0), .digit(3), mixer: many) == .chapter(3))
        #expect(action(.chapter, .digit(1), .digit(2), mixer: many) == .chapter(12))
        #expect(action(.chapter) == .print(["The current item has no chapters."]))
        var selection = KeySelection()
        #expect(selection.action(of: .chapter, many).line(many, selection) == "Chapter: type its number, as in 01 of 12.")
        let shown = LiveAreaTests.area { $0.selection = selection }.lines(
            TerminalSize(columns: 81, rows: 24), style: .init(hasColor: false, isUnicode: true))
        #expect(shown[1].text.hasSuffix("to chapter: _"), "\(shown[1].text)")
    }

    @Test("a layer that does not exist cannot be selected, and a selected one that has gone leaves the master selected")
    func missing() {
        #expect(action(.digit(4)) == .print(["There is no layer 4: the current item has 3."]))
        var selection = KeySelection()
        _ = selection.action(of: .digit(3), mixer)
        #expect(selection.action(of: .mute, TerminalMixer()) == .mute(layer: nil, true))
        #expect(selection.action(of: .down, TerminalMixer()) == .redraw)
        #expect(selection.layer == nil)
    }

    @Test("the other keys are commands, and the list names every key")
    func others() {
        #expect(action(.toggle) == .toggle)
        #expect(action(.undo) == .undo)
        #expect(action(.redo) == .redo)
        #expect(action(.leave) == .leave)
        let lines = KeyList.lines
        for key in [
            "space", "left", "right", "n,", "p ", "1 to 9", "0", "up", "down", "+", "-", "m,", "s ", "u,", "r ", "b,", "B ", "c,", "C ",
            "z ", "q ",
        ] {
            #expect(lines.contains { $0.contains(key) }, "\(key)")
        }
    }
}
