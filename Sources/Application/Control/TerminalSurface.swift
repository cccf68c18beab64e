import POSIX
import Playback
import Terminal

/// Shows the player on the terminal.
final class TerminalSurface: Surface {
    private let view: TerminalView
    private let address: String
    private var lastUpdate = 0.0
    /// The last notice since this surface was added; an earlier one is in the snapshot.
    private var notice: Notice?
    /// Seconds between updates, often enough for the eye.
    private static let interval = 0.1

    init(_ view: TerminalView, address: String) {
        self.view = view
        self.address = address
    }

    func changed(_ snapshot: Snapshot) { show(snapshot) }

    func notice(_ notice: Notice) { self.notice = notice }

    func tick(_ snapshot: Snapshot) {
        guard MonotonicClock.seconds - lastUpdate >= Self.interval else { return }
        show(snapshot)
    }

    func close() {}

    private func show(_ snapshot: Snapshot) {
        lastUpdate = MonotonicClock.seconds
        var status = TerminalStatus(snapshot, address: address)
        if let notice { status.notice = notice.text }
        view.update(status)
    }
}

extension TerminalStatus {
    init(_ snapshot: Snapshot, address: String) {
        self.init()
        let player = snapshot.player
        switch player.playback {
        case .playing: state = .playing
        case .paused: state = .paused
        case .stopped: state = .stopped
        case .interrupted: state = .interrupted
        }
        item = player.current?.title ?? ""
        if let patch = player.patch, !patch.chapters.isEmpty {
            let index = player.chapterIndex(at: snapshot.moment)
            chapter = Chapter(index: (index ?? -1) + 1, count: patch.chapters.count, title: index.map { patch.chapters[$0].title } ?? "")
        }
        elapsed = player.elapsed(at: snapshot.moment)
        duration = player.patch?.duration
        timeToSleep = player.sleep.map { _ in player.timeToSleep(at: snapshot.moment) }
        peak = Peak(left: snapshot.meter.peakLeft, right: snapshot.meter.peakRight)
        load = snapshot.jack.state == .running ? snapshot.jack.load : nil
        xruns = snapshot.jack.xruns
        self.address = address
        connections = snapshot.jack.connections.map(\.destination)
        notice = snapshot.notice.isEmpty ? nil : snapshot.notice
    }
}
