import Dispatch
import POSIX
import Playback
import JACKBackend
import Performance

/// Handles the events of the backend and the answers to requests.
@MainActor final class BackendObserver {
    /// The backend; `nil` until it is open.
    private(set) var backend: (any AudioDevice)?
    /// The server's condition according to the events received so far, which commands are judged by as well. The backend's own status is
    /// ahead of it by the events that are under way.
    private(set) var condition = BackendStatus.Condition.away
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

    func use(_ backend: any AudioDevice, _ control: Control) {
        self.backend = backend
        let events = earlyEvents
        earlyEvents = []
        for event in events { receive(event, control) }
    }

    func receive(_ event: BackendEvent, _ control: Control) {
        guard let backend else { return earlyEvents.append(event) }
        control.performance.isFreewheeling = backend.status.isFreewheeling
        switch event {
        // The next tick shows their number, and nothing else depends on them.
        case .xrun: return
        case .libraryMessage(let text): return control.logger.debug("JACK: \(text)")
        default: control.attend()
        }
        switch event {
        case .available, .resumed: condition = .running
        case .stalled: condition = .stalled
        case .lost, .reopening: condition = .away
        default: break
        }
        switch event {
        case .available(let sampleRate, _):
            takeName(control)
            beginRendering(sampleRate: Int(sampleRate), control)
        case .sampleRateChanged(let sampleRate): beginRendering(sampleRate: Int(sampleRate), control)
        case .resumed: beginRendering(sampleRate: waiting?.sampleRate ?? control.player.state.sampleRate, control)
        case .lost(let reason):
            control.audioLost()
            control.notify(notice: "JACK is away: \(reason). Waiting for the server to come back.")
        case .reopening(let name):
            control.sessions.clientIsClosed()
            control.audioLost()
            control.notify(notice: "The JACK client is being reopened as \(name).")
        case .stalled:
            control.audioLost()
            control.notify(notice: "JACK has stalled: the server no longer calls its clients. Waiting for it to continue.")
        case .leftBehind:
            control.performance.leaveBehind()
            control.logger.warning(
                "JACK: a cycle has not ended within a second. Its engine was replaced, and is freed when it ends.")
        case .notice(let text): control.notify(notice: text)
        case .connectionsLearnt where control.sessions.ignoresConnections: break
        case .connectionsLearnt(let links): ConnectionReminder(keeper: control.keeper).learn(links)
        case .portsChanged(let ports): ConnectionReminder(keeper: control.keeper).see(ports)
        case .waiting(let ports): ConnectionReminder(keeper: control.keeper).reportWaiting(for: ports, control)
        case .connectionsChanged: watchForMonoFold(control)
        case .bufferSizeChanged, .freewheelChanged, .xrun, .libraryMessage: break
        }
        control.settle()
    }

    /// Sends the backend a request that JACK may refuse, and answers with the result.
    func ask(
        _ control: Control, _ answer: @escaping @MainActor (CommandResult) -> Void,
        _ body: (any AudioDevice, @escaping @Sendable (Backend.Failure?) -> Void) -> Void
    ) {
        guard let backend else {
            return answer(CommandResult(.deviceNotFound, by: "application", "JACK has not been opened yet: try again."))
        }
        body(backend) { [weak control] error in
            guard let control else { return }
            control.enter { _ in
                let result = error.map { CommandResult($0.commandStatus, by: "application", "\($0)") }
                answer(result ?? CommandResult(.success, by: "application"))
            }
        }
    }

    /// Waits, for two seconds at most, until it is known whether the latest connections and disconnections are permanent.
    func settleConnections(_ control: Control) async {
        backend?.lookAtConnections()
        let end = control.time.seconds + 2
        while backend?.status.connectionsAreInDoubt == true, control.time.seconds < end { await control.time.sleep(seconds: 0.01) }
        // The last event may still be on its way to this queue.
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    }

    /// Reports the delay of inputs to the server, and begins to render if that waited for memory and there is enough.
    func tick(_ control: Control) {
        backend?.delay(by: control.performance.inputDelay)
        guard let waiting, condition == .running, control.performance.shortage.hasRoom() else { return }
        self.waiting?.count -= 1
        beginRendering(sampleRate: waiting.sampleRate, control)
        control.settle()
    }

    private func beginRendering(sampleRate: Int, _ control: Control) {
        let performance = control.performance
        let answers = (waiting?.count ?? 0) + 1
        guard performance.shortage.hasRoom() else {
            waiting = Waiting(sampleRate: sampleRate, count: answers)
            return control.audioLost()
        }
        waiting = nil
        // After a change of the sample rate, the program has not become active again.
        let wasActive = control.player.state.hasAudio
        if !wasActive { control.notify(.willBecomeActive) }
        // At a change of the sample rate, playing stops at the frame that was reached.
        if control.player.state.hasAudio { control.player.audioLost(position: performance.position, at: performance.moment) }
        let engine = performance.prepare(sampleRate: sampleRate, state: control.player.state)
        control.player.audioAvailable(sampleRate: sampleRate, at: performance.moment)
        control.carryOutEffects()
        for _ in 0..<answers { backend?.startRendering(engine) }
        if !wasActive { control.notify(.didBecomeActive) }
    }

    /// Adopts the JACK client's name, which may have changed: a session manager assigns it, or JACK adds a number.
    private func takeName(_ control: Control) {
        guard let name = backend?.status.clientName else { return }
        control.frontEnds.rename(name)
        do { try addressFile?.rename(to: name) } catch { control.notify(notice: "\(error)") }
    }

    /// Warns if both outputs lead to one ear once the connections have been stable for a while.
    private func watchForMonoFold(_ control: Control) {
        let connections = backend?.status.connections
        Task {
            await control.time.sleep(seconds: Self.foldingDelay)
            guard let connections, control.backend?.status.connections == connections, let fold = MonoFold(connections),
                let text = control.player.state.current?.patch.flatMap({ fold.words(for: $0) }), control.frontEnds.notice != text
            else { return }
            control.notify(notice: text)
            control.settle()
        }
    }
}
