// The backend's worker thread: the only one that opens and closes the client and sends it requests.
import Engine
import Foundation
import JACK

/// Keeps a client open on a server, carries out the owner's requests, and reports events to the owner.
struct BackendWorker: ~Copyable {
    /// The interval between checks of the cycles: while anything is in doubt, otherwise, and while the owner is at rest.
    private static let tick = Duration.milliseconds(50)
    private static let (certainTick, restingTick) = (Duration.milliseconds(150), Duration.milliseconds(800))
    /// How long a client that is still closing delays opening the next one, since the library can hold only one server's memory at a time.
    private static let closeLimit = Duration.seconds(2)

    let configuration: Backend.Configuration
    let core: BackendCore
    let deliver: @Sendable (BackendEvent) -> Void

    var client: ActiveClient?
    var ports = ClientPorts()
    private(set) var context: RenderContextOwner?
    /// Identifies the present client; notices of earlier ones are ignored.
    private var generation = 0
    /// The name to open the client with: once JACK has assigned a name, that one.
    private var clientName: String
    private var nextTry = ContinuousClock.now
    /// Callbacks that wait for the result of the next attempt to open.
    private var waiting: [@Sendable (JACKError?) -> Void] = []
    private var closing: (count: Int, since: ContinuousClock.Instant) = (0, .now)
    private var cycles = CycleWatch()
    /// The number of missed cycles that are already in the status.
    private var knownMissedCycles = 0
    private var pipeWire = PipeWireSocket.Identity?.none
    var connections: ConnectionKeeper

    init(configuration: Backend.Configuration, core: BackendCore, deliver: @escaping @Sendable (BackendEvent) -> Void) {
        self.configuration = configuration
        self.core = core
        self.deliver = deliver
        clientName = configuration.clientName
        connections = ConnectionKeeper(
            configuration.connections, choice: configuration.connect, report: ConnectionReport.receiver(core, deliver))
    }

    /// Opens the client; returns the error if that fails.
    mutating func tryOpening() -> JACKError? {
        do throws(JACKError) {
            try open()
            return nil
        } catch {
            return error
        }
    }

    mutating func run() {
        while true {
            let arrived = core.takeWork(within: isCertain ? interval : BackendWorker.tick)
            if arrived.contains(where: \.callsServer), !arrived.contains(where: \.endsClient) { awaitCycle() }
            for work in arrived {
                switch work {
                case .notice(let notice, let generation) where generation == self.generation && client != nil: take(notice)
                case .notice: break
                case .message(.error(let text)) where client != nil: deliver(.libraryMessage(text))
                case .message: break
                case .closed: closing.count -= 1
                case .transport(let request): move(request)
                case .reconnect(let answer): reconnect(answer)
                case .wiring(let wiring): wire(wiring)
                case .restore(let links): restore(links)
                case .forget(let links): for link in links { connections.forget(link) }
                case .look where client != nil: recordChange()
                case .look: core.updateStatus { $0.connectionsAreInDoubt = false }
                case .delay: core.reportDelay(client)
                case .reopening(let reopening): reopen(reopening)
                case .close: return leave()
                }
            }
            if client != nil {
                countMissedCycles()
                watchCycles()
                watchConnections()
            } else {
                tryAgain()
            }
        }
    }

    private mutating func open() throws(JACKError) {
        generation += 1
        let (core, generation) = (core, generation)
        pipeWire = libraryIsPipeWire() ? PipeWireSocket.identity() : nil
        let freewheel = FreewheelFlag()
        let inactive = try InactiveClient.open(name: clientName, serverName: configuration.serverName) { notice in
            if case .freewheel(let isOn) = notice { freewheel.pointer.pointee.store(isOn, ordering: .releasing) }
            core.post(.notice(notice, generation: generation))
        }
        if let error = obstacle(inactive.sampleRate) { throw error }
        var outputs = [try inactive.registerOutput("out_left"), try inactive.registerOutput("out_right")]
        for name in configuration.layerPortNames { outputs.append(try inactive.registerOutput(name)) }
        // The inputs are always registered, so that their connections outlast patches that do not use them.
        let (left, right) = (try inactive.registerInput("in_left"), try inactive.registerInput("in_right"))
        let midiInput = try inactive.registerMIDIInput("midi_in")
        let ports = ClientPorts(outputs: outputs, inputs: [left, right, midiInput])
        let context = RenderContextOwner(
            client: inactive.reference, left: outputs[0], right: outputs[1], layers: Array(outputs.dropFirst(2)),
            inputs: (left, right), midiInput: midiInput, freewheel: freewheel)
        do throws(JACKError) {
            try inactive.setProcessCallback(processCycle, context: context.pointer)
            let active = try inactive.activate()
            clientName = active.name
            self.context = context
            self.ports = ports
            cycles = CycleWatch()
            knownMissedCycles = 0
            becomeAvailable(active)
            core.reportDelay(client)
        } catch {
            context.freeIfQuiet()
            throw error
        }
    }

    /// The error if the engine does not support that sample rate, in hertz.
    private func obstacle(_ sampleRate: Double) -> JACKError? {
        guard !EngineControl.sampleRates.contains(sampleRate) else { return nil }
        return .unplayableSampleRate(
            sampleRate, serverName: core.state.withLock { $0.status.serverName }, playable: EngineControl.sampleRates)
    }

    private mutating func becomeAvailable(_ active: consuming ActiveClient) {
        let (sampleRate, bufferSize, name, context) = (active.sampleRate, active.bufferSize, active.name, context)
        client = consume active
        connectPorts()
        core.state.withLock { state in
            state.context = context
            state.startsOwed += 1
            state.status.condition = .running
            state.status.clientName = name
            state.status.sampleRate = sampleRate
            state.status.bufferSize = bufferSize
            state.status.isFreewheeling = false
        }
        deliver(.available(sampleRate: sampleRate, bufferSize: bufferSize))
        client?.describe(ports.properties, within: .seconds(1))
        watchConnections()
    }

    private mutating func take(_ notice: ClientNotice) {
        switch notice {
        case .shutdown(let reason):
            lose(reason: reason.isEmpty ? "the server stopped" : reason)
        case .bufferSize(let frames):
            guard Int(frames) != core.state.withLock({ $0.status.bufferSize }) else { return }
            core.updateStatus { $0.bufferSize = Int(frames) }
            deliver(.bufferSizeChanged(Int(frames)))
        case .sampleRate(let rate):
            guard Double(rate) != core.state.withLock({ $0.status.sampleRate }) else { return }
            guard obstacle(Double(rate)) == nil else {
                return lose(reason: "its sample rate of \(rate) Hz is not supported")
            }
            core.updateStatus { $0.sampleRate = Double(rate) }
            core.stopRendering(owedStarts: 1, condition: core.state.withLock { $0.status.condition })
            settle()
            deliver(.sampleRateChanged(Double(rate)))
        case .freewheel(let isOn):
            core.updateStatus { $0.isFreewheeling = isOn }
            deliver(.freewheelChanged(isOn))
        case .connections:
            recordChange()
        case .ports:
            connections.recordNewPorts()
        }
    }

    /// Updates the number of missed cycles. It is polled, since the callback that counts may run on the render thread.
    private mutating func countMissedCycles() {
        guard let count = client?.missedCycles, count > knownMissedCycles else { return }
        let more = count - knownMissedCycles
        knownMissedCycles = count
        let total = core.state.withLock { state in
            state.status.xruns += more
            return state.status.xruns
        }
        deliver(.xrun(total: total))
    }

    var isRunning: Bool { core.state.withLock { $0.status.condition == .running } }

    private var interval: Duration { core.state.withLock { $0.isAtRest } ? BackendWorker.restingTick : BackendWorker.certainTick }

    /// Whether nothing is in doubt, so that it can wait longer.
    private var isCertain: Bool { client != nil && isRunning && !cycles.isInDoubt && !connections.isInDoubt }

    /// Waits for a new cycle, the client's end, or until the lack of cycles counts as a stall: the server may have stalled since the last
    /// check, and would never answer a call.
    private mutating func awaitCycle() {
        let core = core
        while let context, isRunning, !context.begins(within: BackendWorker.tick, unless: { core.knowsOfEnd }) { watchCycles() }
    }

    private mutating func watchCycles() {
        guard let context else { return }
        let status = core.state.withLock { $0.status }
        let period = status.sampleRate > 0 ? Double(status.bufferSize) / status.sampleRate : 0
        let limit = max(configuration.stallAfter, .seconds(3 * period))
        switch (cycles.look(at: context.cyclesBegun, now: .now, limit: limit), status.condition) {
        case (.stalled, .running):
            core.stopRendering(owedStarts: 0, condition: .stalled)
            deliver(.stalled)
        case (.running, .stalled):
            core.stopRendering(owedStarts: 1, condition: .running)
            settle()
            core.reportDelay(client)
            deliver(.resumed)
        case (.stalled, .stalled):
            // PipeWire's library neither reports that its server is gone nor reconnects to the next one.
            if let pipeWire, PipeWireSocket.identity() != pipeWire { lose(reason: "PipeWire ended") }
        default:
            break
        }
        if let load = client?.load {
            core.updateStatus { status in
                status.load = load
                status.peakLoad = max(status.peakLoad, load)
            }
        }
    }

    private mutating func lose(reason: String) {
        abandonClient()
        deliver(.lost(reason: reason))
    }

    /// Gives up the client, which outputs silence from now on; another one is opened as soon as possible.
    private mutating func abandonClient() {
        connections.recordLoss()
        countMissedCycles()
        core.stopRendering(owedStarts: 0, condition: .away)
        settle()
        closeClient()
        core.updateStatus { status in
            status.load = 0
            status.isFreewheeling = false
            (status.connections, status.inputConnections) = ([], [])
            status.connectionsAreInDoubt = false
        }
        nextTry = .now
    }

    /// Reopens the client under another name, since JACK cannot rename a client.
    private mutating func reopen(_ reopening: BackendCore.Reopening) {
        clientName = reopening.clientName
        if client != nil { abandonClient() }
        connections = ConnectionKeeper(
            reopening.connections, choice: reopening.connect, report: ConnectionReport.receiver(core, deliver))
        nextTry = .now
        waiting.append(reopening.answer)
        deliver(.reopening(as: clientName))
    }

    /// Closes the client on another thread, since that may hang if the server is in trouble; the context is freed only afterwards.
    private mutating func closeClient() {
        guard let client = client.take(), let context else { return }
        self.context = nil
        core.state.withLock { $0.context = nil }
        ports = ClientPorts()
        closing = (closing.count + 1, .now)
        let core = core
        client.closeBehind {
            context.freeIfQuiet()
            core.post(.closed)
        }
    }

    private mutating func tryAgain() {
        let now = ContinuousClock.now
        guard now >= nextTry, closing.count == 0 || closing.since + BackendWorker.closeLimit < now else { return }
        nextTry = now + configuration.retryEvery
        // A failure is not reported as an event: the owner knows that the server is away.
        let error = tryOpening()
        for answer in waiting { answer(error) }
        waiting = []
    }

    private mutating func reconnect(_ answer: @escaping @Sendable (JACKError?) -> Void) {
        guard client == nil else {
            let status = core.state.withLock { $0.status }
            return answer(status.condition == .running ? nil : .noAnswer(serverName: status.serverName))
        }
        nextTry = .now
        waiting.append(answer)
    }

    /// Waits after rendering was stopped: a callback under way normally ends within a cycle. If it does not, as when it waits for a slow
    /// disk under freewheel, the owner is notified that its engine must be left alone.
    private func settle() {
        if !waitForQuiet() { deliver(.leftBehind) }
    }

    /// - Returns: Whether no callback renders any more; if so, the engines used so far are released.
    private func waitForQuiet() -> Bool {
        guard let context else { return true }
        let begun = context.cyclesBegun
        let deadline = ContinuousClock.now + .seconds(1)
        while !context.isQuiet(since: begun) {
            guard ContinuousClock.now < deadline else { return false }
            usleep(500)
        }
        // The last reference frees an engine, which must not happen under the lock.
        _ = core.state.withLock { _ in context.takeEngines() }
        return true
    }

    private mutating func leave() {
        core.stopRendering(owedStarts: 0, condition: .away)
        // No more events: the engine of a callback that does not end is kept until the client is closed.
        _ = waitForQuiet()
        core.updateStatus { ($0.connections, $0.inputConnections) = ([], []) }
        guard client != nil else { return }
        closeClient()
        let deadline = ContinuousClock.now + BackendWorker.closeLimit
        while closing.count > 0 && ContinuousClock.now < deadline {
            for work in core.takeWork(within: BackendWorker.tick) {
                if case .closed = work { closing.count -= 1 }
            }
        }
    }
}
