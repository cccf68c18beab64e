import POSIX
import Foundation
import Playback
import JACKBackend
import Performance

extension Control {
    var backend: Backend? { backendObserver.backend }

    func use(_ backend: Backend) { backendObserver.use(backend, self) }

    func receive(_ event: BackendEvent) { backendObserver.receive(event, self) }

    /// Sets the file by which `ctl` finds this program, under the name of its JACK client.
    func answer(under file: AddressFile) { backendObserver.addressFile = file }

    /// Waits, for two seconds at most, until it is known whether the latest connections and disconnections are permanent.
    func settleConnections() async {
        backend?.lookAtConnections()
        let end = MonotonicClock.seconds + 2
        while backend?.status.connectionsAreInDoubt == true, MonotonicClock.seconds < end { try? await Task.sleep(for: .milliseconds(10)) }
        // The last event may still be on its way to this queue.
        await withCheckedContinuation { done in executor.queue.async { done.resume() } }
    }

    func audioLost() {
        // A server that stalls and then ends is reported as lost only once.
        guard player.state.hasAudio else { return }
        tell(.willResignActive)
        player.audioLost(position: performance.position, at: performance.moment)
        performance.suspend()
        transport.dropRequests()
        tell(.didResignActive)
    }

    /// Sends the backend a request that JACK may refuse, and answers with the result.
    func ask(
        _ answer: @escaping (CommandResult) -> Void, _ body: (Backend, @escaping @Sendable (Backend.Failure?) -> Void) -> Void
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
