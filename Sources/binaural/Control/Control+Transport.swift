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
