import OperatingSystem
import JACKBackend
import Engine
import Performance
import Playback

extension Snapshot.JACKStatus {
    /// - Parameters:
    ///   - status: The backend's; `nil` before there is one.
    ///   - condition: The server's, as far as its events have been handled.
    ///   - engine: The engine's status, with what its output guards did.
    init(_ status: BackendStatus?, condition: BackendStatus.Condition, engine: EngineStatus?) {
        self.init()
        guard let status else { return }
        switch condition {
        case .running: state = .running
        case .stalled: state = .stalled
        case .away: state = .away
        }
        sampleRate = Int(status.sampleRate)
        bufferSize = status.bufferSize
        load = status.load
        peakLoad = status.peakLoad
        xruns = status.xruns
        if let actions = engine?.guardActions {
            guardActions = Int(clamping: actions.nonFinite + actions.ceiling + actions.dc)
            cutSamples = Int(clamping: actions.ceiling)
            badSamples = Int(clamping: actions.nonFinite)
            mutedLayers = Int(clamping: actions.dc)
        }
        connections = status.connections.flatMap { port in
            port.connectedTo.map { Snapshot.PortPair(source: port.port, destination: $0) }
        }
        inputConnections = status.inputConnections.flatMap { port in
            port.connectedTo.map { Snapshot.PortPair(source: $0, destination: port.port) }
        }
    }
}

extension Snapshot.Clock {
    /// The clock at the beginning of the last cycle; before the first one, the present time.
    init(of performance: LivePerformance, _ device: (any AudioDevice)?, _ time: any InstanceClock, sampleRate: Int) {
        self.init()
        self.sampleRate = sampleRate
        let lastCycle = performance.lastCycle
        moment = lastCycle?.moment ?? performance.now
        seconds = lastCycle.flatMap { device?.wallClockTime(ofHostTime: $0.hostTime) } ?? time.wallTime.secondsSince1970
    }
}
