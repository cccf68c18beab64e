import OSCRemote
import Patches
import Terminal

/// What `watch` shows of an instance at one moment.
package struct WatchStatus: Equatable, Sendable {
    /// What plays, and its position.
    package var playing = TerminalStatus()
    /// Index in the queue, counted from 1.
    package var index = 0
    package var count = 0
    /// The speed at which it plays when it plays.
    package var rate = 1.0
    package var showsPeak = false
    /// The instance's address.
    package var address = ""
    /// How often the position differed from the extrapolated one.
    package var jumpCount = 0
    /// Why the instance cannot be followed; a sentence.
    package var trouble: String?

    package init() {}

    init(_ follower: Follower, at now: Instant) {
        guard let told = follower.told else { return }
        playing.state = TerminalStatus.State(rawValue: told.state) ?? .stopped
        playing.item = told.title
        if told.chapter.count > 0 {
            playing.chapter = .init(index: told.chapter.index, count: told.chapter.count, title: told.chapter.title)
        }
        playing.duration = told.duration > 0 ? told.duration : nil
        playing.elapsed = follower.elapsed(at: now)
        playing.timeToSleep = follower.timeToSleep(at: now)
        if let peak = follower.peak { playing.peak = .init(left: peak.left, right: peak.right) }
        (index, count) = told.queue
        rate = told.defaultRate
        jumpCount = follower.jumpCount
    }
}

extension WatchStatus: TerminalPicture {
    package var notice: String? { nil }

    package func isWorthALine(after previous: (any TerminalPicture)?) -> Bool {
        guard let previous = previous as? WatchStatus else { return true }
        // Without contact, nothing can have changed.
        if let trouble { return trouble != previous.trouble }
        return previous.trouble != nil || playing.isWorthALine(after: previous.playing) || index != previous.index
            || count != previous.count || rate != previous.rate || jumpCount != previous.jumpCount
    }

    package func live(width: Int, style: StatusLines.Style) -> [StatusLines.Line] {
        if let trouble {
            let last = playing.item.isEmpty ? "" : "last heard: " + StatusLines.position(of: playing, style: style)
            return [
                StatusLines.line("! " + StatusLines.text(trouble, style: style), .alarm, width: width, style: style),
                StatusLines.line(last, .dim, width: width, style: style),
            ]
        }
        let bar = StatusLines.bar(of: playing, width: min(30, width / 3), style: style)
        let rest = StatusLines.line((bar.columns > 0 ? "  " : "") + details(style), .dim, width: width - bar.columns, style: style)
        return [
            StatusLines.top(of: playing, width: width, style: style),
            StatusLines.Line(text: bar.text + rest.text, columns: bar.columns + rest.columns),
        ]
    }

    package func plain(style: StatusLines.Style) -> String {
        if let trouble { return ["waiting", StatusLines.text(trouble, style: style)].joined(separator: StatusLines.separator(style)) }
        return [playing.state.rawValue, StatusLines.position(of: playing, style: style), place].joined(
            separator: StatusLines.separator(style))
    }

    private var place: String { "item \(index)/\(count), rate \(NumberText.string(from: (rate * 1000).rounded() / 1000))" }

    private func details(_ style: StatusLines.Style) -> String {
        var parts = [playing.state.rawValue, place]
        if showsPeak { parts.append(StatusLines.level(of: playing)) }
        parts.append(address)
        return parts.filter { !$0.isEmpty }.joined(separator: StatusLines.separator(style))
    }
}
