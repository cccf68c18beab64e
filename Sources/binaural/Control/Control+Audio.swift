import Foundation
import Playback
import Studio

extension Control {
    func use(_ backend: JACKBackend) {
        self.backend = backend
        let events = earlyEvents
        earlyEvents = []
        for event in events { receive(event) }
    }

    /// Sets the file by which `ctl` finds this program, under the name of its JACK client.
    func answer(under file: AddressFile) { addressFile = file }

    /// Adopts the JACK client's name, which may have changed: a session manager assigns it, or JACK adds a number.
    private func takeName() {
        guard let name = backend?.status.clientName else { return }
        remote?.rename(name)
        do { try addressFile?.rename(to: name) } catch { tell(notice: "\(error)") }
    }

    /// Handles an event of the backend. The first events may come before `backend` is set here.
    func receive(_ event: BackendEvent) {
        guard backend != nil else { return earlyEvents.append(event) }
        switch event {
        case .available(let sampleRate, _):
            takeName()
            beginRendering(sampleRate: Int(sampleRate))
        case .sampleRateChanged(let sampleRate): beginRendering(sampleRate: Int(sampleRate))
        case .resumed: beginRendering(sampleRate: player.state.sampleRate)
        case .lost(let reason):
            audioLost()
            tell(notice: "JACK is away: \(reason). Waiting for the server to come back.")
        case .reopening(let name):
            ignoresConnections = false
            audioLost()
            tell(notice: "The JACK client is being reopened as \(name).")
        case .stalled:
            audioLost()
            tell(notice: "JACK has stalled: the server no longer calls its clients. Waiting for it to continue.")
        case .leftBehind:
            performance.leaveBehind()
            logger.warning("JACK: a cycle has not ended within a second. Its engine was replaced, and is freed when it ends.")
        case .notice(let text): tell(notice: text)
        case .libraryMessage(let text): logger.debug("JACK: \(text)")
        case .connectionsLearnt where ignoresConnections: break
        case .connectionsLearnt(let links): keeper.connections = links.map { .init(port: $0.port, other: $0.other) }
        case .connectionsChanged: watchForMonoFold()
        case .bufferSizeChanged, .xrun, .freewheelChanged: break
        }
        settle()
    }

    /// Waits, for two seconds at most, until it is known whether the latest connections and disconnections are permanent.
    func settleConnections() async {
        backend?.lookAtConnections()
        let end = Date(timeIntervalSinceNow: 2)
        while backend?.status.connectionsAreInDoubt == true, Date() < end { try? await Task.sleep(for: .milliseconds(10)) }
        // The last event may still be on its way to this queue.
        await withCheckedContinuation { done in executor.queue.async { done.resume() } }
    }

    /// Connections are made one at a time, so they are checked once they have been stable for a while.
    private func watchForMonoFold() {
        let connections = backend?.status.connections
        executor.queue.asyncAfter(deadline: .now() + 2) { [weak self] in
            self?.assumeIsolated { control in
                guard let connections, control.backend?.status.connections == connections, let fold = MonoFold(connections),
                    let text = control.player.state.current?.patch.flatMap({ fold.words(for: $0) }), control.notice != text
                else { return }
                control.tell(notice: text)
                control.settle()
            }
        }
    }

    private func beginRendering(sampleRate: Int) {
        // After a change of the sample rate, the program has not become active again.
        let wasActive = player.state.hasAudio
        if !wasActive { tell(.willBecomeActive) }
        // At a change of the sample rate, playing stops at the frame that was reached.
        if player.state.hasAudio { player.audioLost(position: performance.position, at: performance.moment) }
        let engine = performance.prepare(sampleRate: sampleRate, state: player.state)
        player.audioAvailable(sampleRate: sampleRate, at: performance.moment)
        carryOutEffects()
        backend?.startRendering(engine)
        if !wasActive { tell(.didBecomeActive) }
    }

    func audioLost() {
        // A server that stalls and then ends is reported as lost only once.
        guard player.state.hasAudio else { return }
        tell(.willResignActive)
        player.audioLost(position: performance.position, at: performance.moment)
        performance.suspend()
        transportRequests = []
        tell(.didResignActive)
    }

    /// Sends the backend a request that JACK may refuse, and answers with the result.
    func ask(
        _ answer: @escaping (CommandResult) -> Void, _ body: (JACKBackend, @escaping @Sendable (JACKBackend.Failure?) -> Void) -> Void
    ) {
        guard let backend else {
            return answer(CommandResult(.deviceNotFound, by: "application", "JACK has not been opened yet: try again."))
        }
        let answer = OnQueue(answer)
        body(backend) { [weak self] error in
            guard let self else { return }
            executor.queue.async {
                let result = error.map { CommandResult($0.commandStatus, by: "application", "\($0)") }
                self.assumeIsolated { _ in answer.value(result ?? CommandResult(.success, by: "application")) }
            }
        }
    }

    /// The playing position in seconds from the start of the current item.
    var position: Double { player.state.elapsed(at: performance.moment) }
}
