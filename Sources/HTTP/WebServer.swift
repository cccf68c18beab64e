import Dispatch
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The one thread of all web servers: an event loop of swift-nio, which sleeps while nothing happens.
package final class WebThread: Sendable {
    fileprivate let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    package init() {}

    deinit { group.shutdownGracefully { _ in } }
}

/// An HTTP/1.1 and WebSocket server on 127.0.0.1 and the addresses that it is given, for clients with small requests.
///
/// Everything a client can make it hold is bounded: connections, heads, frames, unread output, time.
package final class WebServer: Sendable {
    /// The port it listens on; the one that the system chose if 0 was requested.
    package let port: UInt16
    private let thread: WebThread
    private let loop: any EventLoop
    private let listeners: [any Channel]
    private let clients: NIOLoopBound<WebClients>

    /// The bounds of a server.
    package struct Bounds: Sendable {
        /// Maximum number of connections; those from other machines may hold half of them.
        package var connectionCount = 16
        /// Maximum size of a WebSocket's message in bytes.
        package var messageSize = 4096
        /// Seconds without a byte from a WebSocket's client after which it is pinged. A client that answers neither of two pings is given up
        /// after three times as long.
        package var pingInterval = WebServer.pingInterval

        package init() {}
    }

    package static let pingInterval = 20.0

    /// Opens the listening sockets; ``start(_:)`` accepts connections.
    ///
    /// - Parameters:
    ///   - port: 0 lets the system choose.
    ///   - addresses: Numeric addresses to listen on, besides 127.0.0.1.
    ///   - hosts: Which names of this machine requests may use.
    package init(
        port: UInt16, listeningOn addresses: [String] = [], hosts: HostRule = HostRule(), bounds: Bounds = Bounds(),
        on thread: WebThread = WebThread()
    ) throws(ListenError) {
        self.thread = thread
        loop = thread.group.next()
        clients = try Self.made(on: loop) { WebClients(bounds: bounds, hosts: hosts) }
        listeners = try WebListener.open(port, addresses, clients, on: loop, backlog: bounds.connectionCount)
        self.port = UInt16(clamping: listeners[0].localAddress?.port ?? 0)
    }

    private static func made(on loop: any EventLoop, _ make: @escaping @Sendable () -> WebClients) throws(ListenError) -> NIOLoopBound<
        WebClients
    > {
        do { return try loop.submit { NIOLoopBound(make(), eventLoop: loop) }.wait() } catch {
            throw .failed(call: "thread", address: "", code: 0)
        }
    }

    deinit { close() }

    /// Accepts connections.
    ///
    /// - Parameter makeHandler: Makes their handler, on the server's thread.
    package func start(_ makeHandler: @escaping @Sendable () -> any WebHandler) {
        loop.execute { [clients, listeners] in
            clients.value.handler = makeHandler()
            for listener in listeners {
                listener.setOption(.autoRead, value: true).whenSuccess { listener.read() }
            }
        }
    }

    /// Runs something on the server's thread. Any thread.
    package func post(_ work: @escaping @Sendable () -> Void) { loop.execute(work) }

    /// Runs something on the server's thread later. Only on the server's thread.
    package func schedule(at seconds: Double, now: Double, _ work: @escaping () -> Void) -> WebTimer {
        let wait = max(0, min(seconds - now, 1e6))
        return WebTimer(loop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(wait * 1e9))) { work() })
    }

    /// Stops accepting connections, sends close frames to the WebSockets and ends streams; returns when that is sent, or after half a second.
    package func close() {
        let isDone = DispatchSemaphore(value: 0)
        loop.execute { [clients, listeners] in
            for listener in listeners { listener.close(promise: nil) }
            clients.value.close()
            isDone.signal()
        }
        if !loop.inEventLoop { _ = isDone.wait(timeout: .now() + 0.5) }
    }
}

/// Work that is due later.
package struct WebTimer {
    private let task: Scheduled<Void>

    fileprivate init(_ task: Scheduled<Void>) { self.task = task }

    package func cancel() { task.cancel() }
}
