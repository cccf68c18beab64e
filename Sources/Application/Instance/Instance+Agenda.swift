import Foundation
import Performance
import Playback

extension Instance {
    /// Seconds from the silencing of the master to the start, which is then inaudible at first.
    private static let silence = 0.05

    func plan(_ alarm: Agenda.Alarm?, endsWithQueue: Bool) {
        agenda.alarm = alarm
        agenda.endsWithQueue = endsWithQueue
    }

    func followAgenda() {
        if let alarm = agenda.takeDueAlarm(
            host.player.state, at: Date(timeIntervalSince1970: host.time.wallTime.secondsSince1970),
            hasRoom: host.performance.shortage.hasRoom)
        {
            start(alarm)
        }
        if agenda.isOver(host.player.state, isSounding: host.performance.status?.isSounding == true) { host.quit() }
    }

    /// Starts to play, unless something plays already.
    private func start(_ alarm: Agenda.Alarm) {
        // After the start, so that nobody is shown a paused player with a sleep timer.
        defer { if let command = alarm.then { host.perform(command) } }
        guard host.player.state.playback == .paused || host.player.state.playback == .stopped else { return }
        host.player.protect(host.player.state.hearing.replaced(byRiseOver: alarm.rise))
        host.performance.raiseMaster(over: alarm.rise, &host.player)
        let frame = host.performance.moment.frame + host.player.state.frames(Self.silence)
        host.performance.simultaneously(at: Moment(frame: frame)) { host.perform(.play) }
    }
}
