import Dispatch
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The one thread of all web servers: an event loop of swift-nio, which sleeps while nothing happens.
package final class WebThread: Sendable {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    package init() {}

    deinit { group.shutdownGracefully { _ in } }
}

/// An HTTP/1.1 and WebSocket server on 127.0.0.1 and the addresses that it is given, for clients with small requests.
///
/// Everything a client can make it hold is bounded: connections, request headers, frames, unread output, time.
package final class WebServer: Sendable {
    /// The port it listens on; the one that the system chose if 0 was requested.
    package let port: UInt16
    /// The port of 127.0.0.1 for a proxy, whose requests count as coming from another machine; `nil` without such a port.
    package let proxyPort: UInt16?
    package let loop: WebLoop
    private let listeners: [any Channel]
    private let clients: NIOLoopBound<WebClients>

    /// The bounds of a server.
    package struct Bounds: Sendable {
        /// Maximum number of connections; those from other machines may hold half of them.
        package var connectionCount = 16
        /// Maximum size of a WebSocket's message in bytes.
        package var messageSize = 4096
        /// Seconds without a byte from a WebSocket's client after which it is pinged. A client that answers neither of two pings is disconnected
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
    ///   - proxyPort: A port of 127.0.0.1 for a proxy; 0 lets the system choose.
    ///   - hosts: Which names of this machine requests may use.
    package init(
        port: UInt16, listeningOn addresses: [String] = [], proxyPort: UInt16? = nil, hosts: HostRule = HostRule(),
        bounds: Bounds = Bounds(), on thread: WebThread = WebThread()
    ) throws(ListenError) {
        loop = WebLoop(thread)
        clients = try Self.made(on: loop.events) { WebClients(bounds: bounds, hosts: hosts) }
        let own = try WebListener.open(port, addresses, clients, on: loop.events, backlog: bounds.connectionCount)
        var forProxy: [any Channel] = []
        if let proxyPort {
            do throws(ListenError) {
                forProxy = try WebListener.open(
                    proxyPort, [], clients, isForProxy: true, on: loop.events, backlog: bounds.connectionCount)
            } catch {
                for channel in own { try? channel.close().wait() }
                throw error
            }
        }
        listeners = own + forProxy
        self.port = UInt16(clamping: own[0].localAddress?.port ?? 0)
        self.proxyPort = forProxy.first.map { UInt16(clamping: $0.localAddress?.port ?? 0) }
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
    package func start(_ makeHandler: @escaping @Sendable (WebLoop) -> any WebHandler) {
        loop.post { [loop, clients, listeners] in
            clients.value.handler = makeHandler(loop)
            for listener in listeners {
                listener.setOption(.autoRead, value: true).whenSuccess { listener.read() }
            }
        }
    }

    /// Stops accepting connections, sends close frames to the WebSockets and ends streams; returns when that is sent, or after half a second.
    package func close() {
        let isDone = DispatchSemaphore(value: 0)
        loop.post { [clients, listeners] in
            for listener in listeners { listener.close(promise: nil) }
            clients.value.close()
            isDone.signal()
        }
        if !loop.events.inEventLoop { _ = isDone.wait(timeout: .now() + 0.5) }
    }
}
