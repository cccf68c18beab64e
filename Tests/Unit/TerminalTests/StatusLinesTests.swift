import Terminal
import Testing

@Suite("Status lines")
struct StatusLinesTests {
    static let plainStyle = StatusLines.Style(hasColor: false, isUnicode: true)

    static var playing: TerminalStatus {
        var status = TerminalStatus()
        status.state = .playing
        status.item = "Deep alpha"
        status.chapter = TerminalStatus.Chapter(index: 2, count: 5, title: "Drop")
        status.elapsed = 754.9
        status.duration = 1800
        status.peak = TerminalStatus.Peak(left: -20.06, right: -9.96)
        status.server = .running(load: 2.6)
        status.xruns = 1
        status.address = "osc.udp://127.0.0.1:7830/"
        status.connections = ["system:playback_1", "system:playback_2"]
        return status
    }

    static func changed(_ change: (inout TerminalStatus) -> Void) -> TerminalStatus {
        var status = playing
        change(&status)
        return status
    }

    /// The lines of a window with room for two, and one column more than `width`.
    static func two(_ status: TerminalStatus, width: Int, _ style: StatusLines.Style = plainStyle) -> [StatusLines.Line] {
        LiveArea(status).lines(TerminalSize(columns: width + 1, rows: 3), style: style)
    }

    @Test("a wide window shows everything")
    func wide() {
        let lines = Self.two(Self.playing, width: 200)
        #expect(
            lines.map(\.text) == [
                "▶ Deep alpha · 2/5 Drop  12:34 / 30:00",
                "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · osc.udp://127.0.0.1:7830/ · → system:playback_1, system:playback_2",
            ])
    }

    struct Case: CustomTestStringConvertible {
        var name: String
        var status: TerminalStatus
        var width: Int
        var first: String
        var second: String
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "a sleep timer", status: changed { $0.timeToSleep = 2699.2 }, width: 80,
            first: "▶ Deep alpha · 2/5 Drop  12:34 / 30:00, sleep in 45:00",
            second: "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · osc.udp://127.0.0.1:7830/ · → system:…"),
        Case(
            name: "80 columns", status: playing, width: 80, first: "▶ Deep alpha · 2/5 Drop  12:34 / 30:00",
            second: "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · osc.udp://127.0.0.1:7830/ · → system:…"),
        Case(
            name: "a long title and a long chapter share the room",
            status: changed {
                $0.item = "A title that is longer than the window is wide"
                $0.chapter?.title = "A chapter that is no shorter than its title"
            }, width: 60, first: "▶ A title that is lon… · 2/5 A chapter that…  12:34 / 30:00",
            second: "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · osc.udp://127.0.0…"),
        Case(
            name: "a long title leaves a short chapter whole",
            status: changed { $0.item = "A title that is longer than the window is wide" }, width: 60,
            first: "▶ A title that is longer than the… · 2/5 Drop  12:34 / 30:00",
            second: "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · osc.udp://127.0.0…"),
        Case(
            name: "30 columns: the title gives way to the time", status: playing, width: 30, first: "▶ Deep… · 2/5…  12:34 / 30:00",
            second: "L -20.1 R -10.0 dBFS · DSP 3…"),
        Case(name: "16 columns: the time alone", status: playing, width: 16, first: "▶ 12:34 / 30:00", second: "L -20.1 R -10.0…"),
        Case(name: "3 columns", status: playing, width: 3, first: "▶…", second: "L…"),
        Case(
            name: "an endless item",
            status: changed {
                $0.duration = nil
                $0.chapter = nil
            }, width: 80, first: "▶ Deep alpha  12:34",
            second: "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · osc.udp://127.0.0.1:7830/ · → system:…"),
        Case(
            name: "nothing in the queue", status: TerminalStatus(), width: 80, first: "■ nothing to play",
            second: "L  -inf R  -inf dBFS · JACK is away · 0 xruns"),
        Case(
            name: "JACK is away",
            status: changed {
                $0.state = .interrupted
                $0.server = .away
                $0.connections = []
                $0.address = ""
            }, width: 80,
            first: "! Deep alpha · 2/5 Drop  12:34 / 30:00", second: "L -20.1 R -10.0 dBFS · JACK is away · 1 xrun"),
        Case(
            name: "JACK has stalled",
            status: changed {
                $0.state = .interrupted
                $0.server = .stalled
                $0.connections = ["system:playback_1"]
                $0.address = ""
            }, width: 80,
            first: "! Deep alpha · 2/5 Drop  12:34 / 30:00",
            second: "L -20.1 R -10.0 dBFS · JACK has stalled · 1 xrun · → system:playback_1"),
        Case(
            name: "more than an hour, not connected",
            status: changed {
                $0.elapsed = 3723
                $0.duration = 7200
                $0.connections = []
                $0.address = ""
            }, width: 80,
            first: "▶ Deep alpha · 2/5 Drop  1:02:03 / 2:00:00", second: "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · not connected"),
        Case(
            name: "wide characters count twice",
            status: changed {
                $0.item = "深い眠りのための音"
                $0.chapter = nil
                $0.address = ""
            }, width: 32,
            first: "▶ 深い眠りのため…  12:34 / 30:00", second: "L -20.1 R -10.0 dBFS · DSP 3 %…"),
        Case(
            name: "a title cannot move the cursor",
            status: changed {
                $0.item = "a\u{1B}[2Jb\nc\u{202E}d"
                $0.chapter = nil
                $0.address = ""
            }, width: 60,
            first: "▶ a [2Jb cd  12:34 / 30:00", second: "L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · → system:playback…"),
    ]

    @Test("a status becomes two lines that fit the window", arguments: cases)
    func table(_ each: Case) {
        let lines = Self.two(each.status, width: each.width)
        #expect(lines.map(\.text) == [each.first, each.second])
        for line in lines {
            #expect(line.columns == DisplayWidth.columns(of: line.text))
            #expect(line.columns <= each.width)
        }
    }

    @Test("no line is ever wider than the window", arguments: 1...120)
    func fits(width: Int) {
        for each in Self.cases {
            for line in Self.two(each.status, width: width) {
                #expect(DisplayWidth.columns(of: line.text) <= width, "\(each.name): \(line.text)")
            }
        }
    }

    @Test("color changes nothing but color, and is reset at the end of each line")
    func color() {
        let colored = Self.two(Self.playing, width: 80, StatusLines.Style(hasColor: true, isUnicode: true))
        let plain = Self.two(Self.playing, width: 80)
        #expect(colored.map { $0.text.replacing(/\u{1B}\[[0-9]*m/, with: "") } == plain.map(\.text))
        #expect(colored.map(\.columns) == plain.map(\.columns))
        #expect(colored.allSatisfy { $0.text.contains("\u{1B}[0m") })
    }

    @Test("a terminal without Unicode gets ASCII")
    func ascii() {
        let status = Self.changed { $0.item = "Für Elise" }
        let lines = Self.two(status, width: 40, StatusLines.Style(hasColor: false, isUnicode: false))
        #expect(lines.map(\.text) == ["> F?r Elise | 2/5 Drop  12:34 / 30:00", "L -20.1 R -10.0 dBFS | DSP 3 % | 1 xr..."])
    }

    @Test("a log line is complete, whatever its length")
    func plainLine() {
        #expect(
            StatusLines.plain(Self.playing, style: Self.plainStyle)
                == "playing · Deep alpha · 2/5 Drop · 12:34 / 30:00 · L -20.1 R -10.0 dBFS · DSP 3 % · 1 xrun · osc.udp://127.0.0.1:7830/"
                + " · → system:playback_1, system:playback_2")
    }

    @Test("a change of only time, level, load or xruns does not make a log line; any other change does")
    func worthALine() {
        #expect(Self.playing.isWorthALine(after: nil))
        #expect(!Self.playing.isWorthALine(after: Self.playing))
        let unworthy = Self.changed {
            $0.elapsed += 1
            $0.peak.left = -30
            $0.server = .running(load: 50)
            $0.xruns = 2
            $0.notice = "reported elsewhere"
        }
        #expect(!unworthy.isWorthALine(after: Self.playing))
        let worthy: [(inout TerminalStatus) -> Void] = [
            { $0.state = .paused }, { $0.item = "x" }, { $0.chapter?.index = 3 }, { $0.duration = nil }, { $0.address = "" },
            { $0.connections = [] }, { $0.server = .away }, { $0.server = .stalled },
        ]
        for change in worthy { #expect(Self.changed(change).isWorthALine(after: Self.playing)) }
        let (stalled, away) = (Self.changed { $0.server = .stalled }, Self.changed { $0.server = .away })
        #expect(stalled.isWorthALine(after: away))
        #expect(away.isWorthALine(after: stalled))
    }
}
