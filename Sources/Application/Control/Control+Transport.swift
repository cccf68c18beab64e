import Dispatch
import Engine
import Playback
import Studio

extension Control {
    /// Passes the state of JACK's transport to the player while it is followed.
    func followTransport() {
        guard player.state.transportMode == .follow, let sighting = backend?.transport,
            let isRolling = transportWatch.isRolling(sighting, sampleRate: player.state.sampleRate)
        else { return }
        player.follow(isRolling: isRolling, frame: sighting.frame, at: performance.moment(ofEngineFrame: sighting.engineFrame))
    }

    /// Passes the tempo of JACK's transport to the player and keeps pulses and beats aligned with it.
    func followTempo() {
        guard let sighting = backend?.transport else { return }
        player.follow(tempo: sighting.tempo)
        performance.keepTime(with: sighting, player.state)
    }

    /// Sends a request to JACK's transport that takes effect together with the sound. JACK acts at the beginning of a cycle, so the request
    /// is delayed until then.
    ///
    /// - Parameter urgently: sends it at once and drops waiting requests.
    func ask(_ request: TransportRequest, urgently: Bool) {
        if urgently { transportRequests = [] }
        transportRequests.append((request, urgently ? performance.now : performance.moment))
        askTransport()
    }

    /// Sends the requests that are due, and checks again every millisecond while others wait.
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

    /// Frames that JACK takes from the request to the action.
    private func frames(before request: TransportRequest, _ status: EngineStatus) -> Int64 {
        // A locate before a start is sent together with the start; a stop takes effect in the next cycle.
        let isStop = request == .stop || !transportRequests.contains { $0.request == .start }
        return (isStop ? 0 : transportLead.cyclesAhead) * Int64(status.cycleFrames)
    }

    /// Where a led transport has to be when the next cycle begins; negative if the patch starts later.
    private var nextPosition: Int64? {
        guard let status = performance.status else { return nil }
        return leadPosition(at: performance.moment(ofEngineFrame: status.engineFrame))
    }

    /// Aligns a led transport, once the effect of the last request is visible.
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

    /// The position required of the transport; `nil` unless the player plays and leads it at rate 1, the only rate of a transport.
    private func leadPosition(at moment: Moment) -> Int64? {
        let state = player.state
        guard state.transportMode == .lead, state.playback == .playing, state.rate == 1 else { return nil }
        let position = state.anchor.position + moment.frame - state.anchor.moment.frame
        return state.length.map { min(position, $0) } ?? position
    }

    /// Keeps the transport's responder at the front of the chain exactly while the transport is followed or led.
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
