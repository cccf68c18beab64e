import Foundation
import Playback
import Studio

extension Control {
    func snapshot() -> Snapshot {
        var snapshot = Snapshot()
        snapshot.player = player.state
        snapshot.moment = performance.now
        snapshot.clock = clock
        snapshot.nowPlaying = nowPlayingCenter.nowPlaying
        for kind in RemoteCommandKind.allCases {
            snapshot.enabled[kind] = center.isEnabled(kind, in: player.state, at: snapshot.moment)
        }
        snapshot.skipIntervals = center[.skipForward].preferredIntervals
        snapshot.preferences = preferencesKeeper.preferences.values
        snapshot.jack = jackStatus
        snapshot.meter = meter.reading
        snapshot.session = keeper.status(player.state)
        snapshot.lifecycle = lifecycle.last?.rawValue ?? ""
        snapshot.notice = notice
        return snapshot
    }

    /// The conversion of moments to wall-clock time, from the beginning of the last cycle.
    var clock: Snapshot.Clock {
        var clock = Snapshot.Clock()
        clock.sampleRate = player.state.sampleRate
        let lastCycle = performance.lastCycle
        clock.moment = lastCycle?.moment ?? performance.now
        clock.seconds = lastCycle?.seconds ?? Date().timeIntervalSince1970
        return clock
    }

    private var jackStatus: Snapshot.JACKStatus {
        var result = Snapshot.JACKStatus()
        guard let status = backend?.status else { return result }
        switch status.condition {
        case .running: result.state = .running
        case .stalled: result.state = .stalled
        case .away: result.state = .away
        }
        result.sampleRate = Int(status.sampleRate)
        result.bufferSize = status.bufferSize
        result.load = status.load
        result.peakLoad = status.peakLoad
        result.xruns = status.xruns
        if let actions = performance.status?.guardActions {
            result.guardActions = Int(clamping: actions.nonFinite + actions.ceiling + actions.dc)
            result.cutSamples = Int(clamping: actions.ceiling)
            result.badSamples = Int(clamping: actions.nonFinite)
            result.mutedLayers = Int(clamping: actions.dc)
        }
        result.connections = status.connections.flatMap { port in
            port.connectedTo.map { Snapshot.Connection(source: port.port, destination: $0) }
        }
        result.inputConnections = status.inputConnections.flatMap { port in
            port.connectedTo.map { Snapshot.Connection(source: $0, destination: port.port) }
        }
        return result
    }
}
