// Control reads and requests; the backend's worker thread calls JACK.
import JACK
import Playback

extension Backend {
    /// The state of JACK's transport in the last rendered cycle; `nil` while nothing is rendered.
    package var transport: TransportSighting? {
        core.state.withLock { $0.status.condition == .running ? $0.context?.sighting : nil }
    }

    /// Sends a request to JACK's transport; does nothing while the server is away.
    package func move(_ request: TransportRequest) { core.post(.transport(request)) }
}

extension BackendWorker {
    borrowing func move(_ request: TransportRequest) {
        switch request {
        case .start: client?.startTransport()
        case .stop: client?.stopTransport()
        case .locate(let frame):
            do throws(JACKError) {
                try client?.locateTransport(to: UInt32(clamping: frame))
            } catch {
                deliver(.notice(error.description))
            }
        }
    }
}
