import OSCRemote
import Patches
import Terminal

/// The status of an instance that `watch` shows at one moment.
package struct WatchStatus: Sendable {
    /// The item that plays, and its position.
    package var playing = TerminalStatus()
    /// Index in the queue, counted from 1.
    package var index = 0
    package var count = 0
    /// The speed at which it plays when it plays.
    package var rate = 1.0
    package var chapterStarts: [Double] = []
    /// `nil` if the levels are unknown.
    package var mixer: TerminalMixer?
    package var selection = KeySelection()
    package var showsPeak = false
    /// The master level, mutes and solos in words, for a line; empty if they are not known.
    package var levels = SettledText()
    /// The instance's address.
    package var address = ""
    /// How often the position differed from the extrapolated one.
    package var jumpCount = 0
    /// Why the instance cannot be followed; a sentence.
    package var trouble: String?

    package init() {}

    package init(_ follower: Follower, at now: Instant) {
        guard let nowPlaying = follower.nowPlaying else { return }
        playing.state = TerminalStatus.State(rawValue: nowPlaying.state) ?? .stopped
        playing.item = nowPlaying.title
        if nowPlaying.chapter.count > 0 {
            playing.chapter = .init(index: nowPlaying.chapter.index, count: nowPlaying.chapter.count, title: nowPlaying.chapter.title)
        }
        playing.duration = nowPlaying.duration > 0 ? nowPlaying.duration : nil
        playing.elapsed = follower.elapsed(at: now)
        let isWaiting = playing.state == .paused || playing.state == .stopped
        playing.startTime = isWaiting ? nowPlaying.startTime.map(TimeOfDayText.string(atTime:)) : nil
        playing.timeToSleep = follower.timeToSleep(at: now)
        if let peak = follower.peak { playing.peak = .init(left: peak.left, right: peak.right) }
        (index, count) = nowPlaying.queue
        rate = nowPlaying.defaultRate
        jumpCount = follower.jumpCount
        mixer = follower.mixer.mixer
        chapterStarts = follower.mixer.chapterStarts
    }
}

extension WatchStatus: TerminalPicture {
    package var notice: String? { nil }

    package func isWorthALine(after previous: (any TerminalPicture)?) -> Bool {
        guard let previous = previous as? WatchStatus else { return true }
        // Without contact, nothing can have changed.
        if let trouble { return trouble != previous.trouble }
        return previous.trouble != nil || playing.isWorthALine(after: previous.playing) || index != previous.index
            || count != previous.count || rate != previous.rate || levels.isWorthALine(after: previous.levels)
            || jumpCount != previous.jumpCount
    }

    package func live(size: TerminalSize, style: StatusLines.Style) -> [StatusLines.Line] {
        if let trouble {
            let last = playing.item.isEmpty ? "" : "last heard: " + StatusLines.position(of: playing, style: style)
            return [
                StatusLines.line("! " + StatusLines.text(trouble, style: style), .alarm, width: size.columns - 1, style: style),
                StatusLines.line(last, .dim, width: size.columns - 1, style: style),
            ] + (selection.showsKeys ? KeyList.lines(columns: size.columns - 1, rows: size.rows - 3, style: style) : [])
        }
        var area = LiveArea(playing)
        area.place = QueuePlace(index: index, count: count, rate: rate)
        area.chapterStarts = chapterStarts
        area.mixer = mixer
        area.selection = selection
        area.footer = [playing.state.rawValue, showsPeak ? StatusLines.level(of: playing) : "", address]
        return area.lines(size, style: style)
    }

    package func plain(style: StatusLines.Style) -> String {
        if let trouble { return ["waiting", StatusLines.text(trouble, style: style)].joined(separator: StatusLines.separator(style)) }
        return [playing.state.rawValue, StatusLines.position(of: playing, style: style), place, levels.text].filter { !$0.isEmpty }.joined(
            separator: StatusLines.separator(style))
    }

    private var place: String { "item \(index)/\(count), rate \(NumberText.string(from: (rate * 1000).rounded() / 1000))" }
}
