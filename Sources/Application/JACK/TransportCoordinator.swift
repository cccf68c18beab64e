import Engine
import OperatingSystem
import Playback
import JACKBackend
import Performance

/// Keeps the player and JACK's transport together: follows the transport, or leads it.
@MainActor final class TransportCoordinator {
    private let host: PlayerHost
    private var watch = TransportWatch()
    private var lead = TransportLead()
    /// Requests not yet sent to the transport, with the moment at which each takes effect.
    private var requests: [(request: TransportRequest, moment: Moment)] = []
    /// The responder at the front of the chain; `nil` while JACK's transport is ignored.
    private var responder: PlaybackResponder?
    /// Fires when requests that wait may be due.
    private var timer: (any InstanceTimer)?

    init(_ host: PlayerHost) { self.host = host }

    private var performance: LivePerformance { host.performance }

    func tick() {
        follow()
        align(host.player.state)
        followTempo()
    }

    /// Keeps the transport's responder at the front of the chain exactly while the transport is followed or led.
    func arrange(_ mode: TransportMode) {
        guard (mode == .none) != (responder == nil) else { return }
        if let responder {
            host.chain.remove(responder)
            self.responder = nil
        } else {
            let responder = PlaybackResponder()
            host.chain.insertAtFront(responder)
            self.responder = responder
        }
    }

    // MARK: Following

    /// Passes the state of JACK's transport to the player while it is followed.
    private func follow() {
        guard host.player.state.transportMode == .follow, let sighting = host.device?.transport,
            let isRolling = watch.isRolling(sighting, sampleRate: host.player.state.sampleRate)
        else { return }
        host.player.follow(isRolling: isRolling, frame: sighting.frame, at: performance.moment(of: sighting.engineFrame))
    }

    /// Passes the tempo of JACK's transport to the player and keeps pulses and beats aligned with it.
    private func followTempo() {
        guard let sighting = host.device?.transport else { return }
        host.player.follow(tempo: sighting.tempo)
        guard sighting.state == .rolling else { return }
        let position = MusicalPosition(engineFrame: sighting.engineFrame, wholeNotes: sighting.wholeNotes, tempo: sighting.tempo)
        performance.keepTime(with: position, host.player.state)
    }

    // MARK: Leading

    /// Sends a request to JACK's transport that takes effect together with the sound. JACK acts at the beginning of a cycle, so the
    /// request is delayed until then.
    ///
    /// - Parameter urgently: makes it due at once and drops waiting requests.
    func send(_ request: TransportRequest, urgently: Bool) {
        if urgently { requests = [] }
        requests.append((request, urgently ? performance.now : performance.moment))
        sendDue()
    }

    /// Drops the waiting requests.
    func dropRequests() { requests = [] }

    /// Sends the requests that are due, and checks again every millisecond while others wait.
    private func sendDue() {
        guard sendDue(host.player.state) else { return }
        let timer =
            timer ?? host.time.timer(on: .main) { [weak self] in MainActor.assumeIsolated { self?.sendDue() } }
        timer.schedule(in: 0.001)
        self.timer = timer
    }

    /// - Returns: Whether requests still wait; these are due within milliseconds.
    private func sendDue(_ state: PlayerState) -> Bool {
        while let (request, moment) = requests.first {
            if let status = performance.status, performance.lead != nil,
                moment.frame - performance.moment(of: status.engineFrame).frame > frames(before: request, status)
            {
                return true
            }
            requests.removeFirst()
            host.device?.move(lead.request(request, position: nextPosition(state), performance.status))
        }
        return false
    }

    /// The number of frames that JACK takes from the request to the action.
    private func frames(before request: TransportRequest, _ status: EngineStatus) -> Int64 {
        // A locate before a start is sent together with the start; a stop takes effect in the next cycle.
        let isStop = request == .stop || !requests.contains { $0.request == .start }
        return (isStop ? 0 : lead.cyclesAhead) * Int64(status.cycleFrames)
    }

    /// The frame at which a led transport has to be when the next cycle begins; negative if the patch starts later.
    private func nextPosition(_ state: PlayerState) -> Int64? {
        guard let status = performance.status else { return nil }
        return leadPosition(state, at: performance.moment(of: status.engineFrame))
    }

    /// Aligns a led transport, once the effect of the last request is visible.
    private func align(_ state: PlayerState) {
        guard lead.isAligning, requests.isEmpty, !performance.isSettling, let sighting = host.device?.transport,
            let status = performance.status
        else {
            return
        }
        let moment = performance.moment(of: sighting.engineFrame)
        guard moment >= state.anchor.moment else { return }
        let request = lead.correction(sighting, position: leadPosition(state, at: moment), cycleFrames: status.cycleFrames)
        if let request { host.device?.move(request) }
    }

    /// The position required of the transport; `nil` unless the player plays and leads it at rate 1, the only rate of a transport.
    private func leadPosition(_ state: PlayerState, at moment: Moment) -> Int64? {
        guard state.transportMode == .lead, state.playback == .playing, state.rate == 1 else { return nil }
        let position = state.anchor.position + moment.frame - state.anchor.moment.frame
        return state.length.map { min(position, $0) } ?? position
    }
}
