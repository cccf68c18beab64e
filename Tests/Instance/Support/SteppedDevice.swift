import Engine
import JACK
import OSC
import OperatingSystem
import Playback

@testable import JACKBackend

/// An audio device whose cycles a test runs, one after the other. Between two of them it stands still.
package final class SteppedDevice: AudioDevice, @unchecked Sendable {
    // SAFETY: used by the test, and by the instance while the test waits for it.
    package private(set) var status: BackendStatus
    private let clock: TestClock
    private let deliver: (BackendEvent) -> Void
    private var connections: SteppedConnections
    /// The remembered connections as last reported.
    private var learnt: [PortLink]?
    private var engine: EngineHold?
    /// The connections that the present client was asked to make; `nil` for the first one.
    package private(set) var choice: ConnectionChoice?
    /// Events that require `startRendering` and have not been answered.
    private var startsOwed = 0
    private var isOpen = true

    /// The transport, which follows requests in the next cycle.
    private var isRolling = false
    private var transportFrame: Int64 = 0
    /// Quarter notes a minute of the timebase master, which may be any number.
    package var tempo = 0.0
    package private(set) var transport: TransportSighting?
    private var arrivals: [MIDIArrival] = []
    private var (left, right): ([Float], [Float]) = ([], [])

    /// Whether it answers requests about connections and the server.
    package var answersRequests = true

    /// The output, if it is recorded, and the frames from which it belongs to each server.
    package var keepsSound = false
    package private(set) var sound: (left: [Float], right: [Float]) = ([], [])
    package private(set) var stretches: [(start: Int, sampleRate: Int)] = []
    /// The largest output magnitude, infinity if it was not finite; and the same since ``forgetPeak()``.
    package private(set) var loudest: Float = 0
    package private(set) var peak: Float = 0

    /// - Parameters:
    ///   - remembered: The connections to make at the start.
    ///   - deliver: takes an event to its owner, and returns when that has handled it.
    package init(
        _ clock: TestClock, clientName: String = "binaural", connections remembered: [PortLink]? = nil,
        deliver: @escaping (BackendEvent) -> Void
    ) {
        (self.clock, self.deliver, connections, learnt) = (clock, deliver, SteppedConnections(remembered), remembered)
        status = BackendStatus(clientName: clientName, serverName: "default")
    }

    package func forgetPeak() { peak = 0 }

    // MARK: What happens to it

    /// A server is there, at a sample rate in hertz and with a period in frames; it may take the place of another one.
    package func come(sampleRate: Int, period: Int) {
        status.bufferSize = period
        guard status.condition != .running else {
            begin(sampleRate: sampleRate)
            return send(.sampleRateChanged(Double(sampleRate)))
        }
        open(sampleRate: sampleRate)
    }

    private func open(sampleRate: Int) {
        send(.portsChanged(connections.ports(of: status.clientName)))
        if !connections.waiting.isEmpty { send(.waiting(for: connections.waiting)) }
        connections.connectMissing()
        reportConnections()
        begin(sampleRate: sampleRate)
        send(.available(sampleRate: Double(sampleRate), bufferSize: status.bufferSize))
    }

    /// The server ends, or removes the client.
    package func go(_ reason: String = "the server has ended") {
        guard status.condition != .away else { return }
        end(.away)
        (isRolling, transportFrame) = (false, 0)
        loseConnections()
        send(.lost(reason: reason))
    }

    /// It no longer calls its clients, and ``resume()`` lets it continue where it was.
    package func stall() {
        guard status.condition == .running else { return }
        end(.stalled)
        send(.stalled)
    }

    package func resume() {
        guard status.condition == .stalled else { return }
        begin(sampleRate: Int(status.sampleRate))
        send(.resumed)
    }

    package func changePeriod(to period: Int) {
        status.bufferSize = period
        if status.condition == .running { send(.bufferSizeChanged(period)) }
    }

    /// A MIDI message arrives with the next cycle; it is lost while nothing renders.
    package func arrive(_ message: [UInt8]) {
        guard let engine else { return }
        message.withUnsafeBufferPointer {
            if let arrival = MIDIArrival($0, engineFrame: engine.handle.nextFrame, renderer: 0) { arrivals.append(arrival) }
        }
    }

    /// It reports something that has not happened.
    package func tell(_ event: BackendEvent) { deliver(event) }

    private func begin(sampleRate: Int) {
        (status.condition, status.sampleRate) = (.running, Double(sampleRate))
        stretches.append((sound.left.count, sampleRate))
        engine = nil
        startsOwed += 1
    }

    private func end(_ condition: BackendStatus.Condition) {
        (status.condition, engine, transport) = (condition, nil, nil)
    }

    private func send(_ event: BackendEvent) { if isOpen { deliver(event) } }

    /// One cycle.
    package func step() {
        guard status.condition == .running, isOpen else { return }
        let period = status.bufferSize
        if left.count != period { (left, right) = ([Float](repeating: 0, count: period), [Float](repeating: 0, count: period)) }
        if let handle = engine?.handle {
            transport = TransportSighting(
                isRolling ? .rolling : .stopped, frame: transportFrame, engineFrame: handle.nextFrame, tempo: tempo,
                wholeNotes: Double(transportFrame) / status.sampleRate * tempo / 240)
            handle.render(left: &left, right: &right, frames: period, hostTime: UInt64(clock.seconds * 1e6))
        } else {
            for frame in 0..<period { (left[frame], right[frame]) = (0, 0) }
        }
        if isRolling { transportFrame += Int64(period) }
        record()
    }

    /// Seconds of a cycle.
    package var cycle: Double { Double(max(1, status.bufferSize)) / max(1, status.sampleRate) }

    private func record() {
        for channel in [left, right] {
            for sample in channel { peak = max(peak, sample.isFinite ? abs(sample) : .infinity) }
        }
        loudest = max(loudest, peak)
        guard keepsSound else { return }
        sound.left += left
        sound.right += right
    }

    // MARK: What is asked of it

    package func wallClockTime(ofHostTime microseconds: UInt64) -> Double {
        clock.wallTime.secondsSince1970 - clock.seconds + Double(microseconds) / 1e6
    }

    package func startRendering(_ engine: EngineHold) {
        startsOwed = max(0, startsOwed - 1)
        if startsOwed == 0, status.condition == .running { self.engine = engine }
    }

    package func delay(by frames: ClosedRange<UInt32>) {}

    package func rest(_ isAtRest: Bool) {}

    package func move(_ request: TransportRequest) {
        guard status.condition == .running else { return }
        switch request {
        case .start: isRolling = true
        case .stop: isRolling = false
        case .locate(let frame): transportFrame = frame
        }
    }

    package func takeMIDI() -> (arrivals: [MIDIArrival], lost: Int) {
        defer { arrivals = [] }
        return (arrivals, 0)
    }

    package func reconnect(answer: @escaping @Sendable (Backend.Failure?) -> Void) { if answersRequests { answer(refusal) } }

    package func connect(_ port: String, to other: String, answer: @escaping @Sendable (Backend.Failure?) -> Void) {
        guard answersRequests else { return }
        answer(result { () throws(Backend.Failure) in try connections.connect(port, to: other, client: status.clientName) })
    }

    package func disconnect(_ port: String, from other: String, answer: @escaping @Sendable (Backend.Failure?) -> Void) {
        guard answersRequests else { return }
        answer(result { () throws(Backend.Failure) in try connections.disconnect(port, from: other, client: status.clientName) })
    }

    private func result(of change: () throws(Backend.Failure) -> Void) -> Backend.Failure? {
        if let refusal { return refusal }
        do throws(Backend.Failure) { try change() } catch { return error }
        reportConnections()
        return nil
    }

    package func restore(_ links: [PortLink]?) {
        connections.restore(links)
        guard status.condition == .running else { return }
        connections.connectMissing()
        reportConnections()
    }

    package func forget(_ links: [PortLink]) {
        connections.forget(links)
        reportConnections()
    }

    /// Publishes the connections, and reports what has changed.
    private func reportConnections() {
        let (outputs, inputs) = (connections.outputs(of: status.clientName), connections.inputs(of: status.clientName))
        if (status.connections, status.inputConnections) != (outputs, inputs) {
            (status.connections, status.inputConnections) = (outputs, inputs)
            send(.connectionsChanged(outputs))
        }
        guard connections.memory.wanted != learnt else { return }
        learnt = connections.memory.wanted
        send(.connectionsLearnt(learnt ?? []))
    }

    private func loseConnections() {
        connections.recordLoss()
        (status.connections, status.inputConnections) = ([], [])
        send(.portsChanged(nil))
    }

    package func reopen(
        as clientName: String, connections links: [PortLink]?, connect: ConnectionChoice,
        answer: @escaping @Sendable (Backend.Failure?) -> Void
    ) {
        guard status.condition == .running else { return answer(refusal) }
        loseConnections()
        (connections, learnt, choice) = (SteppedConnections(links), links, connect)
        send(.reopening(as: clientName))
        status.clientName = clientName
        open(sampleRate: Int(status.sampleRate))
        answer(nil)
    }

    /// Why JACK would refuse; `nil` while it runs.
    private var refusal: Backend.Failure? {
        switch status.condition {
        case .running: nil
        case .stalled: .noAnswer(serverName: status.serverName)
        case .away: .noServer(name: status.serverName)
        }
    }

    package func lookAtConnections() {}
    package func openTap() -> OutputTap? { nil }
    package func feeds(_ tap: OutputTap) -> Bool { false }
    package func closeTaps() {}

    package func close() async {
        end(.away)
        isOpen = false
    }
}
