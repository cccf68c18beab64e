// Any thread asks; JACK is asked by the worker, whose thread begins here. Only a first opening is waited for.
import Dispatch
import Engine
import Foundation
import JACK
import Synchronization

/// The engine as a JACK client: the ports `out_left` and `out_right`, kept alive through whatever the server does.
///
/// A worker thread opens and reopens the client, watches the cycles and tells the owner what happens; nobody else ever waits for JACK.
package final class JACKBackend: Sendable {
    package struct Configuration: Sendable {
        package var clientName = "binaural"
        /// nil: the one that JACK_DEFAULT_SERVER names, else "default".
        package var serverName: String?
        package var connect = ConnectionChoice.automatic
        /// What the ports are connected to at the start, in place of `connect`, and when a port appears later; `nil`: nobody knows yet.
        package var connections: [PortLink]?
        /// How many layers have ports of their own beside the mix: layer_1_left, layer_1_right, layer_2_left and so on.
        package var layerOutputCount = 0
        /// How old the last cycle has to be for a stall; three cycles where that is longer.
        package var stallAfter = Duration.milliseconds(300)
        /// How often a server that is gone is looked for.
        package var retryEvery = Duration.milliseconds(250)
        /// How long the first opening may take: a server that is stopped never answers.
        package var openWithin = Duration.seconds(5)

        package init(
            clientName: String = "binaural", serverName: String? = nil, connect: ConnectionChoice = .automatic,
            connections: [PortLink]? = nil
        ) {
            self.clientName = clientName
            self.serverName = serverName
            self.connect = connect
            self.connections = connections
        }

        var layerPortNames: [String] { (0..<layerOutputCount).flatMap { ["layer_\($0 + 1)_left", "layer_\($0 + 1)_right"] } }
    }

    let core: BackendCore
    private let ended = EndSignal()

    /// Opens the client; throws where that fails, unless `waitForServer`: then it is tried again and again behind.
    ///
    /// `deliver` is called on the worker thread, one event after the other; an actor takes them over in order with
    /// `queue.async { actor.assumeIsolated { $0.receive(event) } }`, `queue` being its executor. It must not wait for the owner of this backend.
    ///
    /// The ports give silence, and nothing is rendered, until `startRendering` has been called once for each of the events `available`, `resumed` and
    /// `sampleRateChanged`. When such an event arrives, no rendering is going on and none begins before that call: the time to prepare the engine. If `leftBehind` came
    /// before it, rendering is going on with the engine of before, and another one has to be prepared.
    package init(
        configuration: Configuration = Configuration(), waitForServer: Bool = false, deliver: @escaping @Sendable (BackendEvent) -> Void
    ) throws(JACKError) {
        forbidStartingServers()
        let serverName = configuration.serverName ?? defaultServerName()
        core = BackendCore(status: BackendStatus(clientName: configuration.clientName, serverName: serverName))
        let (core, ended) = (core, ended)
        receiveMessages { core.post(.message($0)) }
        let firstOpening = FirstOpening()
        let thread = Thread {
            var worker = BackendWorker(configuration: configuration, core: core, deliver: deliver)
            let result = worker.tryOpening()
            firstOpening.answer(result)
            if waitForServer || result == nil { worker.run() }
            ended.signal()
        }
        thread.name = "jack-watch"
        thread.start()
        if waitForServer { return }
        if let error = firstOpening.wait(within: configuration.openWithin, serverName: serverName) {
            core.post(.close)
            throw error
        }
    }

    /// Lets the cycles render, with the engine of the present sample rate. To be called once for each event that asks for it; one call more
    /// hands over another engine. The backend keeps an engine for as long as a callback may render with it; its owner must not reset it
    /// before the next event that stops rendering, nor at all after `leftBehind`.
    package func startRendering(_ engine: EngineHold) {
        core.startRendering(engine)
    }

    /// Any thread; waits for nothing.
    package var status: BackendStatus {
        core.state.withLock { $0.status }
    }

    /// Looks for a server that is away now, not at the next try by itself. `answer` is called on the worker thread: with `nil` when the
    /// client is open, also when it was all the time; with `noAnswer` while the server stalls, which goes on by itself or not at all.
    package func reconnect(answer: @escaping @Sendable (JACKError?) -> Void) {
        core.post(.reconnect(answer))
    }

    /// Connects one of our ports, named with or without the client's name, to a port by its full name. `answer` is called on the worker
    /// thread, with `nil` when that is done, also when it was so before.
    package func connect(_ port: String, to other: String, answer: @escaping @Sendable (JACKError?) -> Void) {
        core.post(.wiring(.init(port: port, other: other, isConnected: true, answer: answer)))
    }

    /// Disconnects it; what is remembered and only waits for its port is forgotten.
    package func disconnect(_ port: String, from other: String, answer: @escaping @Sendable (JACKError?) -> Void) {
        core.post(.wiring(.init(port: port, other: other, isConnected: false, answer: answer)))
    }

    /// Has these connections in place of those that are there; `nil` leaves everything as it is.
    package func restore(_ connections: [PortLink]?) {
        core.post(.restore(connections))
    }

    /// Looks at the connections once more; until that is certain they are in doubt. For a change that JACK has not told of yet;
    /// without a server that answers, nothing.
    package func lookAtConnections() {
        let isAsked = core.state.withLock { state in
            guard state.status.condition == .running else { return false }
            state.status.connectionsAreInDoubt = true
            return true
        }
        if isAsked { core.post(.look) }
    }

    /// Has the client closed and opened again under another name, for another session: its ports are connected to what that one remembers, or as
    /// `connect` says where it has never been connected. The event `reopening` divides what is told of the one client and of the other.
    /// `answer` is called on the worker thread, after the event `available`: with `nil`
    /// when the client is open, under that name or a numbered one; with the error of the first try otherwise, after which others follow.
    package func reopen(
        as clientName: String, connections: [PortLink]?, connect: ConnectionChoice, answer: @escaping @Sendable (JACKError?) -> Void
    ) {
        core.post(.reopening(.init(clientName: clientName, connections: connections, connect: connect, answer: answer)))
    }

    /// Ends the client: silence, then closed. A server in trouble is not waited for longer than `limit`. No event is delivered afterwards, and
    /// no rendering goes on.
    package func close(within limit: Duration = .milliseconds(500)) async {
        core.post(.close)
        await ended.wait(within: limit)
    }
}

/// Hands the result of the first opening from the worker to the initialiser.
private final class FirstOpening: Sendable {
    private let error = Mutex<JACKError?>(nil)
    private let isAnswered = DispatchSemaphore(value: 0)

    func answer(_ error: JACKError?) {
        self.error.withLock { $0 = error }
        isAnswered.signal()
    }

    func wait(within limit: Duration, serverName: String) -> JACKError? {
        guard isAnswered.wait(timeout: .now() + limit.timeInterval) == .success else { return .noAnswer(serverName: serverName) }
        return error.withLock { $0 }
    }
}
