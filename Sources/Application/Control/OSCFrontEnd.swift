import Dispatch
import Foundation
import Logging
import OSC
import OSCRemote
import Playback

/// The remote control over UDP and Unix sockets, which are read and answered on the control actor's queue.
final class OSCFrontEnd: FrontEnd {
    private let server: OSCServer
    private let sockets: OSCServerSockets
    private let receiver: ControlReceiver
    private let webSockets = WebSocketLink()
    private var sources: [any DispatchSourceRead] = []
    private var lastTick = 0.0
    /// After its end the control actor may be gone, while handlers of sources that were cancelled are still to run.
    private var isClosed = false
    /// Fires when a bundle is due.
    private let alarm: any DispatchSourceTimer
    private var alarmTime: TimeTag?
    /// Fires when errors of packets that were sent are to be read.
    private let errorCheck: any DispatchSourceTimer
    /// Fires when packets are left in the inbox, since no socket becomes ready for these.
    private let leftovers: any DispatchSourceUserDataOr

    /// The least time between two ticks in seconds, short enough for leases and feedback.
    private static let interval = 0.02
    /// The time in seconds within which the network reports most packets that it cannot deliver.
    private static let errorDelay = 0.02

    init(_ configuration: OSCServerConfiguration, sockets: OSCServerSockets, control: isolated Control, logger: Logger) {
        receiver = ControlReceiver(control)
        self.sockets = sockets
        server = OSCServer(configuration, receiver: receiver, logger: logger) { [webSockets] packet, address in
            if case .webSocket(let client) = address { webSockets.send?(packet, client) } else { sockets.send(packet, to: address) }
        }
        alarm = DispatchSource.makeTimerSource(queue: control.executor.queue)
        errorCheck = DispatchSource.makeTimerSource(queue: control.executor.queue)
        leftovers = DispatchSource.makeUserDataOrSource(queue: control.executor.queue)
        alarm.setEventHandler { [weak self] in
            guard let self, !isClosed else { return }
            alarmTime = nil
            receiver.attend()
            tickServer(at: .current())
        }
        alarm.activate()
        errorCheck.setEventHandler { [weak self] in self?.receive() }
        errorCheck.activate()
        control.lifecycle.add { [server] step in
            if step == .memoryPressure { server.dropCaches() }
            server.publish(.lifecycle(step.rawValue), at: .current())
        }
        leftovers.setEventHandler { [weak self] in self?.receivePackets() }
        leftovers.activate()
        for descriptor in sockets.sockets.map(\.descriptor) + sockets.unixSockets.map(\.descriptor) {
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: control.executor.queue)
            source.setEventHandler { [weak self] in self?.receivePackets() }
            source.activate()
            sources.append(source)
        }
    }

    /// Takes packets from WebSockets as well.
    ///
    /// - Parameter send: Sends a packet to a client without waiting.
    func connect(_ packets: OSCWebSockets, send: @escaping ([UInt8], Endpoint) -> Void) {
        webSockets.packets = packets
        webSockets.send = send
    }

    /// Call when the WebSockets have something.
    func webSocketsAreReady() { receivePackets() }

    /// The address space as OSCQuery shows it now.
    var queryTree: QueryTree { server.queryTree }

    /// Whether somebody has subscribed to changes.
    var hasSubscribers: Bool { server.hasSubscribers }

    /// The time in seconds on the monotonic clock at which time alone will have brought something to send to subscribers, and a tick would send it.
    var nextFeedback: Double? { isClosed ? nil : server.nextFeedback.map { max($0, lastTick + Self.interval) } }

    func rename(_ name: String) { server.rename(name) }

    func notice(_ notice: Notice) { server.publish(.notice(notice.forPeers), at: .current()) }

    func changed(_ snapshot: () -> Snapshot) { server.changed(at: .current()) }

    /// Moves an address to a controller's position.
    func move(_ address: String, to position: ControllerPosition, by sender: String, answer: @escaping (CommandResult) -> Void) {
        server.move(address, to: position, by: sender, at: .current(), answer: answer)
    }

    func tick(_ snapshot: () -> Snapshot) {
        let now = Instant.current()
        if now.seconds - lastTick >= Self.interval { tickServer(at: now) }
    }

    private func tickServer(at now: Instant) {
        guard !isClosed else { return }
        lastTick = now.seconds
        receive()
        let count = sockets.sentCount
        server.tick(at: now)
        // A pending delivery error makes a socket ready without an event of its source; until it is read, it keeps a processor busy.
        if sockets.sentCount > count { errorCheck.schedule(deadline: .now() + Self.errorDelay, leeway: .milliseconds(5)) }
        setAlarm()
    }

    private func receivePackets() {
        guard !isClosed else { return }
        receiver.attend()
        receive()
    }

    private func receive() {
        guard !isClosed else { return }
        let isLeft = [
            sockets.receive(into: server, at: Instant.current), webSockets.packets?.receive(into: server, at: Instant.current) == true,
        ]
        if isLeft.contains(true) { leftovers.or(data: 1) }
        setAlarm()
    }

    private func setAlarm() {
        let due = server.nextDue
        guard due != alarmTime else { return }
        alarmTime = due
        let wait = due.map { max(0, $0.seconds(since: Instant.current().timeTag)) }
        alarm.schedule(deadline: wait.map { .now() + $0 } ?? .distantFuture, leeway: .milliseconds(1))
    }

    func close() {
        server.close(reason: "quit", at: .current())
        isClosed = true
        for source in sources { source.cancel() }
        leftovers.cancel()
        alarm.cancel()
        errorCheck.cancel()
    }
}

/// The WebSockets that carry OSC, if there are any.
private final class WebSocketLink {
    var packets: OSCWebSockets?
    var send: (([UInt8], Endpoint) -> Void)?
}
