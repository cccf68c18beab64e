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

    /// Asks JACK's transport for something; a transport that is led is to be where the player is.
    func move(_ request: TransportRequest) {
        // What begins at a later frame is not ahead of itself.
        let position = leadPosition(at: max(performance.now, player.state.anchor.moment))
        backend?.move(transportLead.request(request, position: position, performance.status))
    }

    /// Brings a transport that is led in line, once what was asked of it can be seen.
    func leadTransport() {
        guard transportLead.isAligning, !performance.isSettling, let sighting = backend?.transport, let status = performance.status else {
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
        return state.transportMode == .lead && state.playback == .playing && state.rate == 1 ? state.position(at: moment) : nil
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
