// A thread of its own, except for starting and closing the server.

import Glibc
import POSIX
import Synchronization

/// An HTTP/1.1 and WebSocket server on 127.0.0.1 and the addresses that it is given, on a thread of its own, for a handful of clients with
/// small requests.
///
/// Everything a client can make it hold is bounded: connections, heads, frames, unread output, time.
package final class WebServer: Sendable {
    /// The port it listens on; the one that the system chose if 0 was requested.
    package let port: UInt16
    private let listeners: [Int32]
    /// Woken when work or a request to close is pending.
    private let wakeUpPipe: WakeUpPipe
    private let box = Mutex(Box())

    private struct Box {
        var work: [@Sendable () -> Void] = []
        var isClosing = false
    }

    private let pingInterval: Double
    private let hosts: HostRule

    package static let maximumConnectionCount = 16
    /// Connections from other machines, so that those of this machine find a place.
    package static let maximumRemoteCount = 8
    /// Seconds without a byte from a WebSocket's client after which it is pinged. A client that answers neither of two pings is given up
    /// after three times as long.
    package static let pingInterval = 20.0
    /// Seconds without accepting connections after the system ran out of descriptors or memory.
    private static let pause = 0.2
    private static let loopback = "127.0.0.1"
    private static let everywhere = "0.0.0.0"

    /// Opens the listening sockets.
    ///
    /// - Parameters:
    ///   - port: 0 lets the system choose.
    ///   - addresses: Numeric addresses to listen on, besides 127.0.0.1.
    ///   - hosts: Which names of this machine requests may use.
    ///   - pingInterval: Seconds of silence after which a WebSocket's client is pinged.
    package init(
        port: UInt16, listeningOn addresses: [String] = [], hosts: HostRule = HostRule(), pingInterval: Double = WebServer.pingInterval
    ) throws(ListenError) {
        self.pingInterval = pingInterval
        self.hosts = hosts
        do throws(Errno) { wakeUpPipe = try WakeUpPipe() } catch {
            throw .failed(call: "pipe", address: Self.loopback, code: error.rawValue)
        }
        let opened = try Self.open(port, addresses.contains(Self.everywhere) ? addresses : [Self.loopback] + addresses)
        self.port = opened[0].port
        listeners = opened.map(\.descriptor)
    }

    deinit { for listener in listeners { Glibc.close(listener) } }

    private static func open(_ port: UInt16, _ addresses: [String]) throws(ListenError) -> [Listener] {
        var triesLeft = 16
        while true {
            var opened: [Listener] = []
            do throws(ListenError) {
                for (index, address) in addresses.enumerated() where !addresses[..<index].contains(address) {
                    // An unspecified address includes the others of its kind.
                    if address != everywhere, !address.contains(":"), addresses.contains(everywhere) { continue }
                    if address != "::", address.contains(":"), addresses.contains("::") { continue }
                    opened.append(try Listener(address: address, port: opened.first?.port ?? port, backlog: maximumConnectionCount))
                }
                return opened
            } catch {
                for listener in opened { Glibc.close(listener.descriptor) }
                // A port chosen by the system may be free on one address and taken on another.
                guard port == 0, triesLeft > 0, case .portInUse = error else { throw error }
                triesLeft -= 1
            }
        }
    }

    /// Runs something on the server's thread. Any thread.
    package func post(_ work: @escaping @Sendable () -> Void) {
        box.withLock { $0.work.append(work) }
        wakeUpPipe.wake()
    }

    /// Ends ``run(_:)``; WebSockets get a close frame. Any thread.
    package func close() {
        box.withLock { $0.isClosing = true }
        wakeUpPipe.wake()
    }

    /// Serves until ``close()``.
    package func run(_ handler: any WebHandler) {
        var connections: [HTTPConnection] = []
        var listensFrom = 0.0
        while true {
            let now = MonotonicClock.seconds
            let mayAccept = now >= listensFrom
            var descriptors = [pollfd(fd: wakeUpPipe.descriptor, events: Int16(POLLIN), revents: 0)]
            descriptors += listeners.map { pollfd(fd: $0, events: mayAccept ? Int16(POLLIN) : 0, revents: 0) }
            descriptors += connections.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
            var due = connections.filter(\.isWaiting).map(\.deadline)
            due += connections.compactMap(\.pingDue)
            if let next = handler.nextDue { due.append(next) }
            if !mayAccept { due.append(listensFrom) }
            _ = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(until: due.min(), from: now))

            if descriptors[0].revents != 0 { wakeUpPipe.drain() }
            let (work, isClosing) = box.withLock { box in
                defer { box.work = [] }
                return (box.work, box.isClosing)
            }
            for work in work { work() }
            for (connection, descriptor) in zip(connections, descriptors.dropFirst(1 + listeners.count)) {
                connection.advance(descriptor.revents, handler)
            }
            for (listener, descriptor) in zip(listeners, descriptors.dropFirst()) where descriptor.revents != 0 {
                if !accept(on: listener, &connections) { listensFrom = MonotonicClock.seconds + Self.pause }
            }
            let later = MonotonicClock.seconds
            if let due = handler.nextDue, due <= later { handler.tick(at: later) }
            if isClosing { for connection in connections { connection.close(.goingAway) } }
            for connection in connections {
                connection.pingIfSilent(at: later)
                connection.transmit()
                if connection.isWaiting, connection.deadline <= later { connection.expire() }
            }
            for connection in connections where connection.isOver && connection.hasOpened { handler.closed(connection) }
            connections.removeAll(where: \.isOver)
            if isClosing { return }
        }
    }

    /// - Returns: False if the system was out of descriptors or memory.
    private func accept(on listener: Int32, _ connections: inout [HTTPConnection]) -> Bool {
        // The number per turn is limited, so that many new connections do not delay the open ones.
        for _ in 0..<Self.maximumConnectionCount {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) }
            Self.setNonBlocking(descriptor)
            let connection = HTTPConnection(descriptor, at: MonotonicClock.seconds, hosts: hosts, pingInterval: pingInterval)
            if !connection.isLocal, connections.count(where: { !$0.isLocal }) >= Self.maximumRemoteCount {
                connection.turnAway("\(Self.maximumRemoteCount) connections from other machines are already open: close one.")
            } else if connections.count >= Self.maximumConnectionCount {
                connection.turnAway("\(Self.maximumConnectionCount) connections are already open: close one.")
            } else {
                connections.append(connection)
            }
        }
        return true
    }

    private static func setNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func milliseconds(until due: Double?, from now: Double) -> Int32 {
        guard let due else { return -1 }
        return Int32(min(max(0, (due - now) * 1000).rounded(.up), 60_000))
    }
}
