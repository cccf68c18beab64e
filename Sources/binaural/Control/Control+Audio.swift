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

    /// `ctl` finds this program by that file, under the name of its JACK client.
    func answer(under file: AddressFile) { addressFile = file }

    /// JACK's client may have another name than before: the one that a session manager gives, or with a number.
    private func takeName() {
        guard let name = backend?.status.clientName else { return }
        remote?.rename(name)
        do { try addressFile?.rename(to: name) } catch { tell(notice: "\(error)") }
    }

    /// What JACK reports, in order. The first events may come before the backend that sends them is known here.
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
            tell(notice: "JACK's client is opened again, as \(name).")
        case .stalled:
            audioLost()
            tell(notice: "JACK has stalled: the server calls nobody. Waiting for it to go on.")
        case .leftBehind:
            performance.leaveBehind()
            logger.warning("JACK: a cycle has not ended within a second. Its engine is kept until it does, and replaced by another.")
        case .notice(let text): tell(notice: text)
        case .libraryMessage(let text): logger.debug("JACK: \(text)")
        case .connectionsLearnt where ignoresConnections: break
        case .connectionsLearnt(let links): keeper.connections = links.map { .init(port: $0.port, other: $0.other) }
        case .connectionsChanged: watchForMonoFold()
        case .bufferSizeChanged, .xrun, .freewheelChanged: break
        }
        settle()
    }

    /// Waits, for two seconds at most, until it is known what was connected or disconnected just now: that is to stay so.
    func settleConnections() async {
        backend?.lookAtConnections()
        let end = Date(timeIntervalSinceNow: 2)
        while backend?.status.connectionsAreInDoubt == true, Date() < end { try? await Task.sleep(for: .milliseconds(10)) }
        // What was told before the doubt ended may still be on its way here.
        await withCheckedContinuation { done in executor.queue.async { done.resume() } }
    }

    /// Connections are made one by one: what they come to is looked at when they have been left alone for a while.
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
        // Another sample rate is no reason to say that it has become active again.
        let wasActive = player.state.hasAudio
        if !wasActive { tell(.willBecomeActive) }
        // What sounded up to a change of the rate stands at the frame that was reached.
        if player.state.hasAudio { player.audioLost(position: performance.position, at: performance.moment) }
        let engine = performance.prepare(sampleRate: sampleRate, state: player.state)
        player.audioAvailable(sampleRate: sampleRate, at: performance.moment)
        carryOutEffects()
        backend?.startRendering(engine)
        if !wasActive { tell(.didBecomeActive) }
    }

    func audioLost() {
        // A server that stalls and then goes has resigned once.
        guard player.state.hasAudio else { return }
        tell(.willResignActive)
        player.audioLost(position: performance.position, at: performance.moment)
        performance.suspend()
        transportRequests = []
        tell(.didResignActive)
    }

    /// Has the backend do something that JACK may refuse, and answers with how that went.
    func ask(
        _ answer: @escaping (CommandResult) -> Void, _ body: (JACKBackend, @escaping @Sendable (JACKBackend.Failure?) -> Void) -> Void
    ) {
        guard let backend else { return answer(CommandResult(.deviceNotFound, by: "application", "JACK has not been opened yet.")) }
        let answer = OnQueue(answer)
        body(backend) { [weak self] error in
            guard let self else { return }
            executor.queue.async {
                let result = error.map { CommandResult($0.commandStatus, by: "application", "\($0)") }
                self.assumeIsolated { _ in answer.value(result ?? CommandResult(.success, by: "application")) }
            }
        }
    }

    /// Seconds from the start of the current item.
    var position: Double { player.state.elapsed(at: performance.moment) }
}
