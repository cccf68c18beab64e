import Performance
import Playback

extension Control {
    func snapshot() -> Snapshot { Snapshot(of: self) }

    /// The conversion of moments to wall-clock time, from the beginning of the last cycle.
    var clock: Snapshot.Clock { Snapshot.Clock(of: performance, backend, time, sampleRate: player.state.sampleRate) }
}

extension Snapshot {
    /// Everything that front ends can show now.
    @MainActor fileprivate init(of control: Control) {
        self.init()
        player = control.player.state
        moment = control.performance.now
        clock = control.clock
        nowPlaying = control.publisher.nowPlaying
        for kind in RemoteCommandKind.allCases {
            enabled[kind] = control.center.isEnabled(kind, in: player, at: moment)
        }
        skipIntervals = control.center[.skipForward].preferredIntervals
        preferences = control.preferencesKeeper.preferences.values
        jack = Snapshot.JACKStatus(
            control.backend?.status, condition: control.backendObserver.condition, engine: control.performance.status)
        meter = control.meter.reading
        session = control.keeper.status(player)
        lifecycle = control.lifecycle.last?.rawValue ?? ""
        notice = control.frontEnds.notice
        start = control.agenda.startTime
    }
}
