import Engine
import JACK
import Patches
import JACKBackend
import Synchronization
import TestSupport

/// The owner of a backend in these tests: records the events, and starts rendering when an event requires it.
final class BackendOwner: Sendable {
    private let events = WatchedState<[BackendEvent]>([])
    private let answering: Answering
    let backend: Backend

    var seen: [BackendEvent] { events.value }

    /// With `engine` nil nothing is rendered until the test calls `startRendering` itself.
    init(
        on server: JACKServer, connect: ConnectionChoice = .none, connections: [PortLink]? = nil, waitForServer: Bool = false,
        engine: EngineControl?,
        openWithin: Duration = Patience.limit, retryEvery: Duration = .milliseconds(250)
    ) throws {
        let answering = Answering(engine.map(EngineHold.init))
        var configuration = Backend.Configuration(
            clientName: server.clientName, serverName: server.name, connect: connect, connections: connections)
        configuration.openWithin = openWithin
        configuration.retryEvery = retryEvery
        backend = try Backend(configuration: configuration, waitForServer: waitForServer) { [events] event in
            switch event {
            case .available, .resumed, .sampleRateChanged: answering.answer()
            default: break
            }
            events.update { $0.append(event) }
        }
        self.answering = answering
        answering.knows(backend)
    }

    /// Waits for an event that satisfies a condition, from event `index` on, and returns the index after it.
    @discardableResult
    func event(
        from index: Int = 0, at file: StaticString = #fileID, _ line: UInt = #line,
        where satisfies: @escaping @Sendable (BackendEvent) -> Bool
    ) async throws -> Int {
        let found = await events.wait(at: file, line) { events in
            events.indices.dropFirst(index).first { satisfies(events[$0]) }
        }
        guard let found else { throw ProgramFailure("the awaited event did not come; there were \(seen.dropFirst(index))") }
        return found + 1
    }

    /// Requests a connection of one of the backend's ports.
    func connect(_ port: String, _ other: String) async -> JACKError? {
        await withCheckedContinuation { done in backend.connect(port, to: other) { done.resume(returning: $0) } }
    }

    /// Has the client opened for another session.
    func reopen(as name: String, connections: [PortLink]?, connect: ConnectionChoice) async -> JACKError? {
        await withCheckedContinuation { done in
            backend.reopen(as: name, connections: connections, connect: connect) { done.resume(returning: $0) }
        }
    }

    @discardableResult
    func event(
        _ event: BackendEvent, from index: Int = 0, at file: StaticString = #fileID, _ line: UInt = #line
    ) async throws -> Int {
        try await self.event(from: index, at: file, line) { $0 == event }
    }
}

/// Answers that are due before the backend's initialiser has returned are sent afterwards.
private final class Answering: Sendable {
    private struct State {
        var backend: Backend?
        var due = 0
    }

    private let state = Mutex(State())
    private let engine: EngineHold?

    init(_ engine: EngineHold?) {
        self.engine = engine
    }

    func answer() {
        guard let engine else { return }
        state.withLock { state in
            if let backend = state.backend { backend.startRendering(engine) } else { state.due += 1 }
        }
    }

    func knows(_ backend: Backend) {
        guard let engine else { return }
        state.withLock { state in
            state.backend = backend
            for _ in 0..<state.due { backend.startRendering(engine) }
        }
    }
}

extension BackendEvent {
    var isLost: Bool {
        if case .lost = self { true } else { false }
    }

    var isAvailable: Bool {
        if case .available = self { true } else { false }
    }

    var isXrun: Bool {
        if case .xrun = self { true } else { false }
    }
}

/// An engine that plays a binaural tone without end: `carrier` plus and minus half of `beat`, in hertz.
func soundingEngine(carrier: Double = 200, beat: Double = 8, sampleRate: Double = 48_000) -> EngineControl {
    let control = EngineControl(sampleRate: sampleRate)
    control.start(binauralPlan(carrier: carrier, beat: beat, sampleRate: sampleRate))
    // Never freed: a test that fails leaves its client behind, whose callbacks continue.
    _ = Unmanaged.passRetained(control)
    return control
}

func binauralPlan(carrier: Double = 200, beat: Double = 8, sampleRate: Double = 48_000) -> Plan {
    let layer = Layer(name: "tone", kind: .binaural, values: [.carrier: carrier, .beat: beat])
    return PlanCompiler.compile(Patch(layers: [layer]), sampleRate: sampleRate)
}

/// The frequencies, in hertz, of the tones that ports of a patient server put out; throws where one holds none.
func frequencies(at ports: [String], of server: JACKServer, seconds: Double) async throws -> [Double] {
    let wave = try await server.capture(ports, seconds: seconds)
    let found = wave.channels.compactMap { samples in
        measureSine(samples[(samples.count / 2)...], sampleRate: wave.sampleRate).flatMap { $0.residualInDecibels < -100 ? $0 : nil }
    }
    guard found.count == ports.count else {
        throw ProgramFailure("\(ports) hold no clean tone; the peaks are \(wave.channels.map { $0.map(abs).max() ?? 0 })")
    }
    return found.map(\.frequency)
}
