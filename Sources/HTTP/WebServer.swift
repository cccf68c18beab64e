// A thread of its own, except for starting and closing the server.

import Glibc
import POSIX
import Synchronization

/// An HTTP/1.1 and WebSocket server on 127.0.0.1, on a thread of its own, for a handful of clients with small requests.
///
/// Everything a client can make it hold is bounded: connections, heads, frames, unread output, time.
package final class WebServer: Sendable {
    /// The port it listens on; the one that the system chose if 0 was requested.
    package let port: UInt16
    private let listener: Int32
    /// Woken when work or a request to close is pending.
    private let wakeUpPipe: WakeUpPipe
    private let box = Mutex(Box())

    private struct Box {
        var work: [@Sendable () -> Void] = []
        var isClosing = false
    }

    private let pingInterval: Double

    package static let maximumConnectionCount = 16
    /// Seconds without a byte from a WebSocket's client after which it is pinged. A client that answers neither of two pings is given up
    /// after three times as long.
    package static let pingInterval = 20.0
    /// Seconds without accepting connections after the system ran out of descriptors or memory.
    private static let pause = 0.2

    /// Opens the listening socket. `socket`, `bind`, `listen`
    ///
    /// - Parameters:
    ///   - port: 0 lets the system choose.
    ///   - pingInterval: Seconds of silence after which a WebSocket's client is pinged.
    package init(port: UInt16, pingInterval: Double = WebServer.pingInterval) throws(ListenError) {
        self.pingInterval = pingInterval
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard listener >= 0 else { throw .failed(call: "socket", code: errno) }
        do throws(ListenError) {
            // The port can be reused while connections of an earlier run linger in the kernel.
            var yes: Int32 = 1
            setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            self.port = try Self.bind(listener, to: port)
            guard listen(listener, Int32(Self.maximumConnectionCount)) == 0 else {
                throw errno == EADDRINUSE ? .portInUse(port) : .failed(call: "listen", code: errno)
            }
            do throws(Errno) { wakeUpPipe = try WakeUpPipe() } catch { throw .failed(call: "pipe", code: error.rawValue) }
        } catch {
            Glibc.close(listener)
            throw error
        }
        self.listener = listener
    }

    deinit { Glibc.close(listener) }

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
        var connections: [Connection] = []
        var listensFrom = 0.0
        while true {
            let now = MonotonicClock.seconds
            let mayAccept = now >= listensFrom
            var descriptors = [
                pollfd(fd: wakeUpPipe.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener, events: mayAccept ? Int16(POLLIN) : 0, revents: 0),
            ]
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
            for (connection, descriptor) in zip(connections, descriptors.dropFirst(2)) { connection.advance(descriptor.revents, handler) }
            if descriptors[1].revents != 0, !accept(&connections) { listensFrom = MonotonicClock.seconds + Self.pause }
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
    private func accept(_ connections: inout [Connection]) -> Bool {
        // The number per turn is limited, so that many new connections do not delay the open ones.
        for _ in 0..<Self.maximumConnectionCount {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) }
            Self.setNonBlocking(descriptor)
            let connection = Connection(descriptor, at: MonotonicClock.seconds, pingInterval: pingInterval)
            if connections.count < Self.maximumConnectionCount { connections.append(connection) } else { connection.turnAway() }
        }
        return true
    }

    /// The response that refuses a request; `nil` if it may be handled.
    static func refusal(_ request: Request) -> Response? {
        if !admits(request) {
            return Response(.forbidden, text: "Only requests from this machine, to 127.0.0.1 or localhost, are answered.", closes: true)
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            return Response(.methodNotAllowed, closes: true, headers: ["Allow: GET, HEAD"])
        }
        return request.hasBody ? Response(.bodyTooLarge, closes: true) : nil
    }

    /// Whether a request comes from a program of this machine, judging by its headers: `Origin` names the site of a browser's page, and
    /// `Host` reveals a site's name that was made to resolve to this address (DNS rebinding).
    private static func admits(_ request: Request) -> Bool {
        let host = request.headers["host"].map { isLocal($0[...]) } ?? true
        let origin = request.headers["origin"].map { $0.hasPrefix("http://") && isLocal($0.dropFirst("http://".count)) } ?? true
        return host && origin
    }

    private static func isLocal(_ authority: Substring) -> Bool {
        let parts = authority.lowercased().split(separator: ":", omittingEmptySubsequences: false)
        return parts.count <= 2 && ["127.0.0.1", "localhost"].contains(parts[0])
    }

    private static func setNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func milliseconds(until due: Double?, from now: Double) -> Int32 {
        guard let due else { return -1 }
        return Int32(min(max(0, (due - now) * 1000).rounded(.up), 60_000))
    }

    private static func bind(_ descriptor: Int32, to port: UInt16) throws(ListenError) -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // SAFETY: the address is as long as the length says.
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard code == 0 else { throw errno == EADDRINUSE ? .portInUse(port) : .failed(call: "bind", code: errno) }
        return UInt16(bigEndian: address.sin_port)
    }
}
