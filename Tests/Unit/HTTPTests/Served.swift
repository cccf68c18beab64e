import HTTP
import TestSupport
import Synchronization
import Testing

/// A server, which ends with this value. Its answer to a request is the path; it echoes the messages of WebSockets.
final class Served {
    let server: WebServer
    let counts = Counts()

    /// How many WebSockets are open, and what the last request was.
    final class Counts: Sendable {
        let open = Atomic(0)
        let last = Mutex<Request?>(nil)
    }

    init(listeningOn addresses: [String] = [], _ configure: (inout WebServer.Bounds) -> Void = { _ in }) throws {
        var bounds = WebServer.Bounds()
        configure(&bounds)
        server = try WebServer(port: 0, listeningOn: addresses, bounds: bounds)
        server.start { [counts] _ in EchoingHandler(counts) }
    }

    deinit { server.close() }

    func client() throws -> SocketClient { try #require(SocketClient(port: server.port)) }

    /// Opens a WebSocket as soon as there is room for it.
    func webSocket() throws -> SocketClient {
        var opened: SocketClient?
        _ = try eventually {
            let newcomer = try client()
            let status = newcomer.upgrade()
            if status == 101 { opened = newcomer }
            try #require([101, 503, 0].contains(status))
            return opened != nil
        }
        return try #require(opened)
    }
}

private final class EchoingHandler: WebHandler {
    private let counts: Served.Counts

    init(_ counts: Served.Counts) { self.counts = counts }

    func received(_ request: Request, on connection: HTTPConnection) {
        counts.last.withLock { $0 = request }
        connection.respond(
            request.path == "/large" ? .json([UInt8](repeating: 32, count: 400_000)) : Response(.ok, text: request.path))
    }

    func refusal(ofWebSocket request: Request, on connection: HTTPConnection) -> Response? {
        request.path == "/refused" ? Response(.notFound, closes: true) : nil
    }

    func opened(_ webSocket: HTTPConnection) { counts.open.add(1, ordering: .relaxed) }
    func received(_ message: WebSocketMessage, on webSocket: HTTPConnection) { webSocket.send(message) }
    func closed(_ webSocket: HTTPConnection) { counts.open.subtract(1, ordering: .relaxed) }
}
