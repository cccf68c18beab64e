// Any thread may call; JACK is called by the worker, whose thread is started here. Only the first opening is waited for.
import Dispatch
import Engine
import Foundation
import JACK
import Synchronization

/// The engine as a JACK client with the ports `out_left` and `out_right`, which is reopened whenever the server comes back.
///
/// A worker thread opens and reopens the client, watches the cycles and reports events to the owner; no other thread waits for JACK.
package final class Backend: Sendable {
    package struct Configuration: Sendable {
        package var clientName = "binaural"
        /// The name of the server; `nil` means the one in JACK_DEFAULT_SERVER, else "default".
        package var serverName: String?
        package var connect = ConnectionChoice.automatic
        /// The connections to make at the start, instead of `connect`, and when a port appears later; `nil` if none are remembered.
        package var connections: [PortLink]?
        /// The number of layers with output ports of their own beside the mix: layer_1_left, layer_1_right, layer_2_left and so on.
        package var layerOutputCount = 0
        /// The age of the last cycle that counts as a stall; three cycles if that is longer.
        package var stallAfter = Duration.milliseconds(300)
        /// The interval between attempts to reach a server that is gone.
        package var retryEvery = Duration.milliseconds(250)
        /// The time limit of the first opening: a suspended server never answers.
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

    /// Opens the client; throws if that fails, unless `waitForServer`: then the backend keeps trying in the background.
    ///
    /// `deliver` is called on the worker thread, one event after the other; the main actor receives them in order with
    /// `DispatchQueue.main.async { receive(event) }`. It must not wait for the owner of this backend.
    ///
    /// The ports are silent, and nothing is rendered, until `startRendering` has been called once for each of the events `available`,
    /// `resumed` and `sampleRateChanged`. When such an event arrives, no rendering is going on and none begins before that call, so the
    /// engine can be prepared. If `leftBehind` came before it, the old engine is still in use, and another one has to be prepared.
    package init(
        configuration: Configuration = Configuration(), waitForServer: Bool = false, deliver: @escaping @Sendable (BackendEvent) -> Void
    ) throws(JACKError) {
        forbidStartingServers()
        let serverName = configuration.serverName ?? defaultServerName()
        core = BackendCore(status: BackendStatus(clientName: configuration.clientName, serverName: serverName))
        let (core, ended) = (core, ended)
        receiveLog { core.post(.message($0)) }
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

    /// Starts rendering, with an engine for the present sample rate. To be called once for each event that requires it; an additional call
    /// replaces the engine. The backend keeps an engine for as long as a callback may render with it; its owner must not reset it before
    /// the next event that stops rendering, nor at all after `leftBehind`.
    package func startRendering(_ engine: EngineHold) {
        core.startRendering(engine)
    }

    /// The present status. Any thread may read it, without waiting.
    package var status: BackendStatus {
        core.state.withLock { $0.status }
    }

    /// The wall-clock time, in seconds since 1970, of a time in microseconds on JACK's clock.
    package func wallClockTime(ofHostTime microseconds: UInt64) -> Double {
        wallClockOrigin() + Double(microseconds) / 1e6
    }

    /// Says whether nothing plays and nobody is connected, so that it may take two seconds until a stall is noticed.
    package func rest(_ isAtRest: Bool) { core.state.withLock { $0.isAtRest = isAtRest } }

    /// Says how many frames, at least and at most, the outputs are later than the inputs that they pass on. JACK learns of a change.
    package func delay(by frames: ClosedRange<UInt32>) {
        let isNew = core.state.withLock { state in
            defer { state.delay = frames }
            return state.delay != frames
        }
        if isNew { core.post(.delay) }
    }

    /// Looks for a missing server now, without waiting for the next attempt. `answer` is called on the worker thread: with `nil` if the
    /// client is open, even if it was before; with `noAnswer` while the server is stalled, which only the server itself can end.
    package func reconnect(answer: @escaping @Sendable (JACKError?) -> Void) {
        core.post(.reconnect(answer))
    }

    /// Connects a port, named with or without the client's name, to a port by its full name. `answer` is called on the worker thread, with
    /// `nil` if they are connected, even if they were before.
    package func connect(_ port: String, to other: String, answer: @escaping @Sendable (JACKError?) -> Void) {
        core.post(.wiring(.init(port: port, other: other, isConnected: true, answer: answer)))
    }

    /// Disconnects two ports; a remembered connection that waits for its port is forgotten.
    package func disconnect(_ port: String, from other: String, answer: @escaping @Sendable (JACKError?) -> Void) {
        core.post(.wiring(.init(port: port, other: other, isConnected: false, answer: answer)))
    }

    /// Replaces the present connections; `nil` leaves everything as it is.
    package func restore(_ connections: [PortLink]?) {
        core.post(.restore(connections))
    }

    /// No longer remembers connections, unless they exist.
    package func forget(_ connections: [PortLink]) {
        core.post(.forget(connections))
    }

    /// Checks the connections again; until the result is certain, they are in doubt. For a change that JACK has not reported yet; does
    /// nothing while the server does not answer.
    package func lookAtConnections() {
        let isAsked = core.state.withLock { state in
            guard state.status.condition == .running else { return false }
            state.status.connectionsAreInDoubt = true
            return true
        }
        if isAsked { core.post(.look) }
    }

    /// Closes the client and opens it again under another name, for another session: its ports get that session's remembered connections,
    /// or those of `connect` if it has none. The event `reopening` separates the events of the two clients. `answer` is called on the
    /// worker thread, after the event `available`: with `nil` if the client is open, under that name or a numbered one; otherwise with the
    /// error of the first attempt, after which the backend keeps trying.
    package func reopen(
        as clientName: String, connections: [PortLink]?, connect: ConnectionChoice, answer: @escaping @Sendable (JACKError?) -> Void
    ) {
        core.post(.reopening(.init(clientName: clientName, connections: connections, connect: connect, answer: answer)))
    }

    /// Silences and closes the client, waiting at most `limit` for a server in trouble. Afterwards no event is delivered and nothing is
    /// rendered.
    package func close(within limit: Duration) async {
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
