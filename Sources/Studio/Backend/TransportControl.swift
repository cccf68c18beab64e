// Control looks and asks; the backend's worker thread asks JACK.
import JACK
import Playback

extension JACKBackend {
    /// What the render thread saw of JACK's transport in its last cycle; `nil` while it renders nothing.
    package var transport: TransportSighting? {
        core.state.withLock { $0.status.condition == .running ? $0.context?.sighting : nil }
    }

    /// Asks JACK's transport for something; nothing happens while the server is away.
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
