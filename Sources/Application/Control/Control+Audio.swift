import Playback
import JACKBackend
import Performance

extension Control {
    var backend: (any AudioDevice)? { backendObserver.backend }

    func use(_ backend: any AudioDevice) { backendObserver.use(backend, self) }

    func receive(_ event: BackendEvent) { backendObserver.receive(event, self) }

    /// Sets the file by which `ctl` finds this program, under the name of its JACK client.
    func answer(under file: AddressFile) { backendObserver.addressFile = file }

    func audioLost() {
        // A server that stalls and then ends is reported as lost only once.
        guard player.state.hasAudio else { return }
        notify(.willResignActive)
        player.audioLost(position: performance.position, at: performance.moment)
        performance.suspend()
        transport.dropRequests()
        notify(.didResignActive)
    }

    /// Sends the backend a request that JACK may refuse, and answers with the result.
    func ask(
        _ answer: @escaping @MainActor (CommandResult) -> Void,
        _ body: (any AudioDevice, @escaping @Sendable (Backend.Failure?) -> Void) -> Void
    ) {
        backendObserver.ask(self, answer, body)
    }

    /// The playing position in seconds from the start of the current item.
    var position: Double { player.state.elapsed(at: performance.moment) }
}
