import Dispatch
import Playback
import JACKBackend
import Performance

/// Handles the events of the backend. Belongs to the control actor.
final class BackendObserver {
    /// `nil` until it is open.
    private(set) var backend: Backend?
    /// The events that came before.
    private var earlyEvents: [BackendEvent] = []
    /// The file by which `ctl` finds this program, under the name of its JACK client.
    var addressFile: AddressFile?

    /// Seconds after which connections are stable enough to be judged, since they are made one at a time.
    private static let foldingDelay = 2.0

    func use(_ backend: Backend, _ control: isolated Control) {
        self.backend = backend
        let events = earlyEvents
        earlyEvents = []
        for event in events { receive(event, control) }
    }

    func receive(_ event: BackendEvent, _ control: isolated Control) {
        guard backend != nil else { return earlyEvents.append(event) }
        switch event {
        case .available(let sampleRate, _):
            takeName(control)
            beginRendering(sampleRate: Int(sampleRate), control)
        case .sampleRateChanged(let sampleRate): beginRendering(sampleRate: Int(sampleRate), control)
        case .resumed: beginRendering(sampleRate: control.player.state.sampleRate, control)
        case .lost(let reason):
            control.audioLost()
            control.tell(notice: "JACK is away: \(reason). Waiting for the server to come back.")
        case .reopening(let name):
            control.sessions.clientIsClosed()
            control.audioLost()
            control.tell(notice: "The JACK client is being reopened as \(name).")
        case .stalled:
            control.audioLost()
            control.tell(notice: "JACK has stalled: the server no longer calls its clients. Waiting for it to continue.")
        case .leftBehind:
            control.performance.leaveBehind()
            control.logger.warning(
                "JACK: a cycle has not ended within a second. Its engine was replaced, and is freed when it ends.")
        case .notice(let text): control.tell(notice: text)
        case .libraryMessage(let text): control.logger.debug("JACK: \(text)")
        case .connectionsLearnt where control.sessions.ignoresConnections: break
        case .connectionsLearnt(let links): control.keeper.connections = links.map { .init(port: $0.port, other: $0.other) }
        case .connectionsChanged: watchForMonoFold(control)
        case .bufferSizeChanged, .xrun, .freewheelChanged: break
        }
        control.settle()
    }

    private func beginRendering(sampleRate: Int, _ control: isolated Control) {
        let performance = control.performance
        // After a change of the sample rate, the program has not become active again.
        let wasActive = control.player.state.hasAudio
        if !wasActive { control.tell(.willBecomeActive) }
        // At a change of the sample rate, playing stops at the frame that was reached.
        if control.player.state.hasAudio { control.player.audioLost(position: performance.position, at: performance.moment) }
        let engine = performance.prepare(sampleRate: sampleRate, state: control.player.state)
        control.player.audioAvailable(sampleRate: sampleRate, at: performance.moment)
        control.carryOutEffects()
        backend?.startRendering(engine)
        if !wasActive { control.tell(.didBecomeActive) }
    }

    /// Adopts the JACK client's name, which may have changed: a session manager assigns it, or JACK adds a number.
    private func takeName(_ control: isolated Control) {
        guard let name = backend?.status.clientName else { return }
        control.surfaces.remote?.rename(name)
        do { try addressFile?.rename(to: name) } catch { control.tell(notice: "\(error)") }
    }

    /// Warns if both outputs lead to one ear once the connections have been stable for a while.
    private func watchForMonoFold(_ control: isolated Control) {
        let connections = backend?.status.connections
        control.executor.queue.asyncAfter(deadline: .now() + Self.foldingDelay) { [weak control] in
            control?.assumeIsolated { control in
                guard let connections, control.backend?.status.connections == connections, let fold = MonoFold(connections),
                    let text = control.player.state.current?.patch.flatMap({ fold.words(for: $0) }), control.surfaces.notice != text
                else { return }
                control.tell(notice: text)
                control.settle()
            }
        }
    }
}
