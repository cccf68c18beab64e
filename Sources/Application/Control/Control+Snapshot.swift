import Playback
import Performance

extension Control {
    func snapshot() -> Snapshot {
        var snapshot = Snapshot()
        snapshot.player = player.state
        snapshot.moment = performance.now
        snapshot.clock = clock
        snapshot.nowPlaying = publisher.nowPlaying
        for kind in RemoteCommandKind.allCases {
            snapshot.enabled[kind] = center.isEnabled(kind, in: player.state, at: snapshot.moment)
        }
        snapshot.skipIntervals = center[.skipForward].preferredIntervals
        snapshot.preferences = preferencesKeeper.preferences.values
        snapshot.jack = Snapshot.JACKStatus(backend?.status, engine: performance.status)
        snapshot.meter = meter.reading
        snapshot.session = keeper.status(player.state)
        snapshot.lifecycle = lifecycle.last?.rawValue ?? ""
        snapshot.notice = frontEnds.notice
        snapshot.start = agenda.startTime
        return snapshot
    }

    /// The conversion of moments to wall-clock time, from the beginning of the last cycle.
    var clock: Snapshot.Clock { Snapshot.Clock(of: performance, sampleRate: player.state.sampleRate) }
}
