// Several threads: the state that the backend's worker, its owner and JACK's threads share, under a lock.
import Dispatch
import Engine
import JACK
import Playback
import Synchronization

/// The state shared by the backend's worker, its owner and JACK's threads.
final class BackendCore: Sendable {
    /// A message to the worker.
    enum Work: Sendable {
        case notice(ClientNotice, generation: Int)
        case message(LibraryLog)
        /// A client whose closing was not waited for has been closed.
        case closed
        case transport(TransportRequest)
        /// Opens a client now; the callback gets the error if that fails.
        case reconnect(@Sendable (JACKError?) -> Void)
        case wiring(Wiring)
        case restore([PortLink]?)
        case forget([PortLink])
        /// Checks the connections again, since JACK's notices about them may still be under way.
        case look
        /// Reports the ``State/delay`` to the server.
        case delay
        case reopening(Reopening)
        case close

        /// Whether it ends the client, or its server has ended.
        var endsClient: Bool {
            switch self {
            case .notice(.shutdown, _), .close: true
            default: false
            }
        }

        /// Whether the worker waits for an answer of the server.
        var callsServer: Bool {
            switch self {
            case .notice(.connections, _), .notice(.ports, _), .wiring, .restore, .look, .delay, .reopening: true
            default: false
            }
        }
    }

    /// A request to connect or disconnect one of the program's ports; the callback gets the error if that fails.
    struct Wiring: Sendable {
        let port: String
        let other: String
        let isConnected: Bool
        let answer: @Sendable (JACKError?) -> Void
    }

    /// A request to reopen the client under another session's name; the callback gets the error if the first attempt fails.
    struct Reopening: Sendable {
        let clientName: String
        let connections: [PortLink]?
        let connect: ConnectionChoice
        let answer: @Sendable (JACKError?) -> Void
    }

    struct State: Sendable {
        var status: BackendStatus
        var context: RenderContextOwner?
        /// Events that require `startRendering` and have not been answered; rendering is allowed at 0.
        var startsOwed = 0
        var work: [Work] = []
        /// Whether the owner is content to learn of a stall within two seconds.
        var isAtRest = false
        /// The frames by which the outputs are later than the inputs that they pass on.
        var delay: ClosedRange<UInt32> = 0...0
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

    /// Waits for messages, until `limit` has passed.
    func takeWork(within limit: Duration) -> [Work] {
        if state.withLock({ $0.work.isEmpty }) {
            _ = arrival.wait(timeout: .now() + limit.timeInterval)
        }
        return state.withLock { state in
            defer { state.work = [] }
            return state.work
        }
    }

    /// Whether the end of the client waits to be handled.
    var knowsOfEnd: Bool { state.withLock { $0.work.contains(where: \.endsClient) } }

    func updateStatus(_ change: (inout BackendStatus) -> Void) {
        state.withLock { change(&$0.status) }
    }

    /// Reports to the server how late the outputs are, on the worker's thread. A server that has stalled would not answer.
    func reportDelay(_ client: borrowing ActiveClient?) {
        let (delay, condition) = state.withLock { ($0.delay, $0.status.condition) }
        guard condition == .running else { return }
        switch client {
        case .some(let client): client.setDelay(delay)
        case .none: break
        }
    }

    /// Resumes rendering if every event that required it has been answered and the server is running.
    func startRendering(_ engine: EngineHold) {
        state.withLock { state in
            state.startsOwed = max(0, state.startsOwed - 1)
            guard state.startsOwed == 0, state.status.condition == .running else { return }
            state.context?.open(with: engine)
        }
    }

    /// Stops rendering from the next cycle on, until the owner has answered `owedStarts` more events.
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
