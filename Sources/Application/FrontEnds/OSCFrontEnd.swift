import Dispatch
import Foundation
import OSC
import OSCRemote
import OperatingSystem
import Playback

/// The remote control over OSC. Packets are read and answered on the main queue.
@MainActor final class OSCFrontEnd: FrontEnd {
    private let server: OSCServer
    private let port: any PacketPort
    private let time: any InstanceClock
    private let receiver: PlayerReceiver
    private let webSockets = WebSocketLink()
    private var lastTick = 0.0
    /// After its end the player may be gone, while handlers of sources that were cancelled are still to run.
    private var isClosed = false
    /// Fires when a bundle is due.
    private var alarm: (any InstanceTimer)?
    private var alarmTime: TimeTag?
    /// Fires when errors of packets that were sent are to be read.
    private var errorCheck: (any InstanceTimer)?
    /// Fires when packets are left in the inbox, since no socket becomes ready for these.
    private let leftovers: any DispatchSourceUserDataOr

    /// The least time between two ticks in seconds, short enough for leases and feedback.
    private static let interval = 0.02
    /// The time in seconds within which the network reports most packets that it cannot deliver.
    private static let errorDelay = 0.02

    init(_ configuration: OSCServerConfiguration, port: any PacketPort, _ receiver: PlayerReceiver, _ host: PlayerHost) {
        self.receiver = receiver
        self.port = port
        time = host.time
        server = OSCServer(configuration, receiver: receiver, logger: host.logger) { [webSockets] packet, address in
            if case .webSocket(let client) = address { webSockets.send?(packet, client) } else { port.send(packet, to: address) }
        }
        leftovers = DispatchSource.makeUserDataOrSource(queue: .main)
        alarm = time.timer(on: .main) { [weak self] in MainActor.assumeIsolated { self?.bundleIsDue() } }
        errorCheck = time.timer(on: .main) { [weak self] in MainActor.assumeIsolated { self?.receive() } }
        host.lifecycle.add { [server, time] step in
            if step == .memoryPressure { server.dropCaches() }
            server.publish(.lifecycle(step.rawValue), at: Instant(time))
        }
        leftovers.setEventHandler { [weak self] in self?.receivePackets() }
        leftovers.activate()
        port.watch(on: .main) { [weak self] in self?.receivePackets() }
    }

    private func bundleIsDue() {
        guard !isClosed else { return }
        alarmTime = nil
        receiver.attend()
        tickServer(at: now)
    }

    private var now: Instant { Instant(time) }

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

    func notice(_ notice: Notice) { server.publish(.notice(notice.forPeers), at: now) }

    func changed(_ snapshot: () -> Snapshot) { server.changed(at: now) }

    /// Moves an address to a controller's position.
    func move(_ address: String, to position: ControllerPosition, by sender: String, answer: @escaping @MainActor (CommandResult) -> Void) {
        server.move(address, to: position, by: sender, at: now, answer: answer)
    }

    func tick(_ snapshot: () -> Snapshot) {
        let now = now
        if now.seconds - lastTick >= Self.interval { tickServer(at: now) }
    }

    private func tickServer(at now: Instant) {
        guard !isClosed else { return }
        lastTick = now.seconds
        receive()
        let count = port.sentCount
        server.tick(at: now)
        // A pending delivery error makes a socket ready without an event of its source; until it is read, it keeps a processor busy.
        if port.sentCount > count { errorCheck?.schedule(in: Self.errorDelay) }
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
            port.receive(into: server) { now }, webSockets.packets?.receive(into: server) { now } == true,
        ]
        if isLeft.contains(true) { leftovers.or(data: 1) }
        setAlarm()
    }

    private func setAlarm() {
        let due = server.nextDue
        guard due != alarmTime else { return }
        alarmTime = due
        alarm?.schedule(in: due.map { max(0, $0.seconds(since: now.timeTag)) })
    }

    func close() {
        server.close(reason: "quit", at: now)
        isClosed = true
        port.close()
        leftovers.cancel()
        alarm?.cancel()
        errorCheck?.cancel()
    }
}

/// The WebSockets that carry OSC, if there are any.
private final class WebSocketLink {
    var packets: OSCWebSockets?
    var send: (([UInt8], Endpoint) -> Void)?
}
