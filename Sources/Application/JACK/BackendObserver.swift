import Dispatch
import OperatingSystem
import Patches
import Playback
import JACKBackend
import Performance

/// Handles the events of the backend and the answers to requests.
@MainActor final class BackendObserver {
    private let sessionConnections: SessionConnections
    private let transport: TransportCoordinator
    private let host: PlayerHost
    /// The server's condition according to the events received so far, which commands are judged by as well. The backend's own status is
    /// ahead of it by the events that are under way.
    private(set) var condition = BackendStatus.Condition.away
    /// When the server went away or stalled; `nil` while it is there.
    private var lostSince: WallTime?
    /// The events that arrived before the backend was open.
    private var earlyEvents: [BackendEvent] = []
    /// The events whose answers wait for memory; `nil` if none do.
    private var waiting: Waiting?
    /// The file by which `ctl` finds this program, under the name of its JACK client.
    var addressFile: AddressFile?

    /// Events that are answered by rendering, each of them once.
    private struct Waiting {
        /// In Hz, by the last one.
        let sampleRate: Int
        var count: Int
    }

    /// Seconds after which connections are stable enough to be judged, since they are made one at a time.
    private static let foldingDelay = 2.0

    init(_ sessionConnections: SessionConnections, _ transport: TransportCoordinator, _ host: PlayerHost) {
        (self.sessionConnections, self.transport, self.host) = (sessionConnections, transport, host)
    }

    func use(_ backend: any AudioDevice) {
        host.device = backend
        let events = earlyEvents
        earlyEvents = []
        for event in events { receive(event) }
    }

    func receive(_ event: BackendEvent) {
        guard let backend = host.device else { return earlyEvents.append(event) }
        host.performance.isFreewheeling = backend.status.isFreewheeling
        switch event {
        // The next tick shows their number, and nothing else depends on them.
        case .xrun: return
        case .libraryMessage(let text): return host.logger.debug("JACK: \(text)")
        default: host.attend()
        }
        switch event {
        case .available, .resumed: condition = .running
        case .stalled: condition = .stalled
        case .lost, .reopening: condition = .away
        default: break
        }
        switch event {
        case .available(let sampleRate, _):
            takeName()
            beginRendering(sampleRate: Int(sampleRate))
            reportReturn(sampleRate: Int(sampleRate))
        case .sampleRateChanged(let sampleRate): beginRendering(sampleRate: Int(sampleRate))
        case .resumed:
            let sampleRate = waiting?.sampleRate ?? host.player.state.sampleRate
            beginRendering(sampleRate: sampleRate)
            reportReturn(sampleRate: sampleRate)
        case .lost(let reason):
            lostSince = lostSince ?? host.time.wallTime
            audioLost()
            host.notify(notice: "JACK is away: \(reason). Waiting for the server to come back.")
        case .reopening(let name):
            audioLost()
            host.notify(notice: "The JACK client is being reopened as \(name).")
        case .stalled:
            lostSince = lostSince ?? host.time.wallTime
            audioLost()
            host.notify(notice: "JACK has stalled: the server no longer calls its clients. Waiting for it to continue.")
        case .leftBehind:
            host.performance.leaveBehind()
            host.logger.warning(
                "JACK: a cycle has not ended within a second. Its engine was replaced, and is freed when it ends.")
        case .notice(let text): host.notify(notice: text)
        case .connectionsLearnt(let links): sessionConnections.learn(links)
        case .portsChanged(let ports): sessionConnections.see(ports)
        case .waiting(let ports): sessionConnections.reportWaiting(for: ports)
        case .connectionsChanged: watchForMonoFold()
        case .bufferSizeChanged, .freewheelChanged, .xrun, .libraryMessage: break
        }
        host.settle()
    }

    /// The sound has stopped, and where it stopped is kept.
    func audioLost() {
        // A server that stalls and then ends is reported as lost only once.
        guard host.player.state.hasAudio else { return }
        host.notify(.willResignActive)
        host.loseAudio()
        transport.dropRequests()
        host.notify(.didResignActive)
    }

    /// Sends the backend a request that JACK may refuse, and answers with the result.
    func ask(
        _ answer: @escaping @MainActor (CommandResult) -> Void,
        _ body: (any AudioDevice, @escaping @Sendable (Backend.Failure?) -> Void) -> Void
    ) {
        guard let backend = host.device else {
            return answer(CommandResult(.deviceNotFound, by: "application", "JACK has not been opened yet: try again."))
        }
        body(backend) { [weak host] error in
            guard let host else { return }
            host.enter {
                let result = error.map { CommandResult($0.commandStatus, by: "application", "\($0)") }
                answer(result ?? CommandResult(.success, by: "application"))
            }
        }
    }

    /// Waits, for two seconds at most, until it is known whether the latest connections and disconnections are permanent.
    func settleConnections() async {
        host.device?.lookAtConnections()
        let end = host.time.seconds + 2
        while host.device?.status.connectionsAreInDoubt == true, host.time.seconds < end { await host.time.sleep(seconds: 0.01) }
        // The last event may still be on its way to this queue.
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    }

    /// Reports the delay of inputs to the server, and begins to render if that waited for memory and there is enough.
    func tick() {
        host.device?.delay(by: host.performance.inputDelay)
        guard let waiting, condition == .running, host.performance.shortage.hasRoom() else { return }
        self.waiting?.count -= 1
        beginRendering(sampleRate: waiting.sampleRate)
        host.settle()
    }

    /// Notifies the user that the server is back.
    ///
    /// - Parameter sampleRate: in Hz.
    private func reportReturn(sampleRate: Int) {
        guard lostSince != nil else { return }
        lostSince = nil
        host.notify(notice: "JACK is back, at \(NumberText.string(from: Double(sampleRate) / 1000)) kHz.")
    }

    private func beginRendering(sampleRate: Int) {
        let answers = (waiting?.count ?? 0) + 1
        guard host.performance.shortage.hasRoom() else {
            waiting = Waiting(sampleRate: sampleRate, count: answers)
            return audioLost()
        }
        waiting = nil
        // After a change of the sample rate, the program has not become active again.
        let wasActive = host.player.state.hasAudio
        if !wasActive { host.notify(.willBecomeActive) }
        // The machine may have been suspended, which only the time of day shows.
        let absence = lostSince.map { host.time.wallTime.secondsSince1970 - $0.secondsSince1970 } ?? 0
        let engine = host.beginAudio(sampleRate: sampleRate, unrendered: absence)
        for _ in 0..<answers { host.device?.startRendering(engine) }
        if !wasActive { host.notify(.didBecomeActive) }
    }

    /// Adopts the JACK client's name, which may have changed: a session manager assigns it, or JACK adds a number.
    private func takeName() {
        guard let name = host.device?.status.clientName else { return }
        host.frontEnds.rename(name)
        do { try addressFile?.rename(to: name) } catch { host.notify(notice: "\(error)") }
    }

    /// Warns if both outputs lead to one ear once the connections have been stable for a while.
    private func watchForMonoFold() {
        let connections = host.device?.status.connections
        Task {
            await host.time.sleep(seconds: Self.foldingDelay)
            guard let connections, host.device?.status.connections == connections, let fold = MonoFold(connections),
                let text = host.player.state.current?.patch.flatMap({ fold.words(for: $0) }), host.frontEnds.notice != text
            else { return }
            host.notify(notice: text)
            host.settle()
        }
    }
}
