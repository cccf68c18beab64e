import RemoteClient
import Terminal
import Testing

@Suite("The lines of watch")
struct WatchStatusTests {
    private static let plainStyle = StatusLines.Style(hasColor: false, isUnicode: true)

    private static var shown: WatchStatus {
        var status = WatchStatus()
        status.playing.state = .playing
        status.playing.item = "Deep alpha"
        status.playing.chapter = TerminalStatus.Chapter(index: 2, count: 5, title: "Drop")
        (status.playing.elapsed, status.playing.duration) = (754.9, 1800)
        status.playing.peak = TerminalStatus.Peak(left: -20.06, right: -9.96)
        (status.index, status.count, status.rate) = (2, 5, 0.5)
        status.address = "osc.udp://127.0.0.1:7830/"
        return status
    }

    @Test("the lines of watch: what plays, a bar with the place in the queue, and the instance; a bar needs an end")
    func lines() {
        #expect(
            Self.shown.live(size: TerminalSize(columns: 101, rows: 5), style: Self.plainStyle).map(\.text) == [
                "▶ Deep alpha · 2/5 Drop  12:34 / 30:00",
                String(repeating: "━", count: 25) + "●" + String(repeating: "─", count: 35) + "  item 2/5, rate 0.5 · ? lists the keys",
                "playing · osc.udp://127.0.0.1:7830/",
            ])
        var endless = Self.shown
        endless.playing.duration = nil
        endless.showsPeak = true
        endless.address = ""
        #expect(
            endless.live(size: TerminalSize(columns: 101, rows: 24), style: .init(hasColor: false, isUnicode: false)).map(\.text) == [
                "> Deep alpha | 2/5 Drop  12:34", "item 2/5, rate 0.5 | ? lists the keys",
                "L " + String(repeating: "#", count: 40) + String(repeating: "-", count: 20),
                "R " + String(repeating: "#", count: 50) + String(repeating: "-", count: 10), "playing | L -20.1 R -10.0 dBFS",
            ])
        var gone = Self.shown
        gone.trouble = "Nothing is listening."
        #expect(
            gone.live(size: TerminalSize(columns: 61, rows: 24), style: Self.plainStyle).map(\.text) == [
                "! Nothing is listening.", "last heard: Deep alpha · 2/5 Drop · 12:34 / 30:00",
            ])
        #expect(gone.plain(style: Self.plainStyle) == "waiting · Nothing is listening.")
        #expect(
            Self.shown.plain(style: Self.plainStyle)
                == "playing · Deep alpha · 2/5 Drop · 12:34 / 30:00 · item 2/5, rate 0.5")
    }

    @Test("no line is wider than the window, and each knows its width", arguments: 1...90)
    func fits(width: Int) {
        var gone = Self.shown
        gone.trouble = "Nothing is listening."
        for status in [Self.shown, gone, WatchStatus()] {
            for line in status.live(size: TerminalSize(columns: width + 1, rows: 24), style: Self.plainStyle) {
                #expect(line.columns <= width)
                #expect(line.columns == DisplayWidth.columns(of: line.text))
            }
        }
    }
}
