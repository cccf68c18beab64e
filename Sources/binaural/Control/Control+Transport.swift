import Dispatch
import Engine
import Playback
import Studio

extension Control {
    /// Lets the player see what JACK's transport did, while it is followed.
    func followTransport() {
        guard player.state.transportMode == .follow, let sighting = backend?.transport,
            let isRolling = transportWatch.isRolling(sighting, sampleRate: player.state.sampleRate)
        else { return }
        player.follow(isRolling: isRolling, frame: sighting.frame, at: performance.moment(ofEngineFrame: sighting.engineFrame))
    }

    /// Lets pulses and beats follow the tempo of JACK's transport.
    func followTempo() {
        guard let sighting = backend?.transport else { return }
        player.follow(tempo: sighting.tempo)
        performance.keepTime(with: sighting, player.state)
    }

    /// Asks JACK's transport for something that is to take effect where the sound does. JACK does it at the beginning of a cycle, so that
    /// it is asked as late as that.
    ///
    /// - Parameter urgently: nothing is waited for, and what waits is dropped.
    func ask(_ request: TransportRequest, urgently: Bool) {
        if urgently { transportRequests = [] }
        transportRequests.append((request, urgently ? performance.now : performance.moment))
        askTransport()
    }

    /// Passes on what is due, and looks again every millisecond while something is not.
    func askTransport() {
        while let (request, moment) = transportRequests.first {
            if let status = performance.status, performance.lead != nil,
                moment.frame - performance.moment(ofEngineFrame: status.engineFrame).frame > frames(before: request, status)
            {
                executor.queue.asyncAfter(deadline: .now() + .milliseconds(1)) { [weak self] in self?.assumeIsolated { $0.askTransport() } }
                return
            }
            transportRequests.removeFirst()
            backend?.move(transportLead.request(request, position: nextPosition, performance.status))
        }
    }

    /// Frames that JACK takes from being asked to doing it.
    private func frames(before request: TransportRequest, _ status: EngineStatus) -> Int64 {
        // Where it is to roll is asked for together with its rolling; a stop comes with the next cycle.
        let isStop = request == .stop || !transportRequests.contains { $0.request == .start }
        return (isStop ? 0 : transportLead.cyclesAhead) * Int64(status.cycleFrames)
    }

    /// Where a transport that is led has to be when the next cycle begins; before the start of it all where that begins later.
    private var nextPosition: Int64? {
        guard let status = performance.status else { return nil }
        return leadPosition(at: performance.moment(ofEngineFrame: status.engineFrame))
    }

    /// Brings a transport that is led in line, once what was asked of it can be seen.
    func leadTransport() {
        guard transportLead.isAligning, transportRequests.isEmpty, !performance.isSettling, let sighting = backend?.transport,
            let status = performance.status
        else {
            return
        }
        let moment = performance.moment(ofEngineFrame: sighting.engineFrame)
        guard moment >= player.state.anchor.moment else { return }
        let request = transportLead.correction(sighting, position: leadPosition(at: moment), cycleFrames: status.cycleFrames)
        if let request { backend?.move(request) }
    }

    /// Where the transport has to be; `nil` unless the player plays and leads it, at the only rate there is for both.
    private func leadPosition(at moment: Moment) -> Int64? {
        let state = player.state
        guard state.transportMode == .lead, state.playback == .playing, state.rate == 1 else { return nil }
        let position = state.anchor.position + moment.frame - state.anchor.moment.frame
        return state.length.map { min(position, $0) } ?? position
    }

    /// The transport's responder stands at the front of the chain exactly while the player has to do with the transport.
    func arrangeTransport() {
        let mode = player.state.transportMode
        guard (mode == .none) != (transportResponder == nil) else { return }
        if let responder = transportResponder {
            chain.remove(responder)
            transportResponder = nil
        } else {
            let responder = TransportResponder()
            chain.insertAtFront(responder)
            transportResponder = responder
        }
    }
}
