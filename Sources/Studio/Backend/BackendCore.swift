// Several threads: what the backend's worker, its owner and JACK's threads leave for one another, under a lock.
import Dispatch
import Engine
import JACK
import Playback
import Synchronization

/// What the backend's worker, its owner and JACK's threads share.
final class BackendCore: Sendable {
    /// What the worker is told.
    enum Work: Sendable {
        case notice(ClientNotice, generation: Int)
        case message(LibraryMessage)
        /// A client that was left behind has been closed.
        case closed
        case transport(TransportRequest)
        /// Whoever asks is told the error, if it cannot be had.
        case reconnect(@Sendable (JACKError?) -> Void)
        case wiring(Wiring)
        case restore([PortLink]?)
        /// JACK's notices of connections may be under way still.
        case look
        case reopening(Reopening)
        case close
    }

    /// One of our ports is to be connected, or disconnected; whoever asks is told the error, if it cannot be.
    struct Wiring: Sendable {
        let port: String
        let other: String
        let isConnected: Bool
        let answer: @Sendable (JACKError?) -> Void
    }

    /// The client is to be another session's, under another name; whoever asks is told the error, if that could not be done at once.
    struct Reopening: Sendable {
        let clientName: String
        let connections: [PortLink]?
        let connect: ConnectionChoice
        let answer: @Sendable (JACKError?) -> Void
    }

    struct State: Sendable {
        var status: BackendStatus
        var context: RenderContextOwner?
        /// Events that ask for `startRendering` and have not been answered; rendering is allowed at 0.
        var startsOwed = 0
        var work: [Work] = []
    }

    let state: Mutex<State>
    private let arrival = DispatchSemaphore(value: 0)

    init(status: BackendStatus) {
        state = Mutex(State(status: status))
    }

    func post(_ work: Work) {
        state.withLock { $0.work.append(work) }
        arrival.signal()
    }

    /// Waits for work, or until `limit` has passed.
    func takeWork(within limit: Duration) -> [Work] {
        if state.withLock({ $0.work.isEmpty }) {
            _ = arrival.wait(timeout: .now() + limit.timeInterval)
        }
        return state.withLock { state in
            defer { state.work = [] }
            return state.work
        }
    }

    func updateStatus(_ change: (inout BackendStatus) -> Void) {
        state.withLock { change(&$0.status) }
    }

    /// Rendering goes on once every event that asked for it is answered, and the server runs.
    func startRendering(_ engine: EngineHold) {
        state.withLock { state in
            state.startsOwed = max(0, state.startsOwed - 1)
            guard state.startsOwed == 0, state.status.condition == .running else { return }
            state.context?.open(with: engine)
        }
    }

    /// No rendering from the next cycle on, until the owner has answered `owedStarts` more events.
    func stopRendering(owedStarts: Int, condition: BackendStatus.Condition) {
        state.withLock { state in
            state.context?.shut()
            state.startsOwed += owedStarts
            state.status.condition = condition
        }
    }
}

extension Duration {
    var timeInterval: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
