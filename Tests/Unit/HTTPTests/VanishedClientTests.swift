import Glibc
import HTTP
import Synchronization
import TestSupport
import Testing

@Suite("A client that vanishes", .ownThread)
struct VanishedClientTests {
    @Test("Its last message and its end reach the handler in this order, and not while the handler sends it something")
    func duringSend() throws {
        let noted = Noted()
        let server = try WebServer(port: 0)
        defer { server.close() }
        server.start { SendingHandler($0, noted) }
        var client = SocketClient(port: server.port)
        #expect(client?.upgrade() == 101)
        client?.send(0x81, Array("go".utf8))
        #expect(eventually { noted.isBusy.load(ordering: .acquiring) })
        // It says more, and its connection is reset, while the server's thread is busy, and so cannot have noticed it.
        let descriptor = try #require(client).descriptor
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        client?.send(0x81, Array("last".utf8))
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        client = nil
        noted.hasVanished.store(true, ordering: .releasing)
        #expect(eventually { noted.events.withLock { $0.last?.what == "end" } })
        #expect(noted.events.withLock { $0.map(\.what) } == ["go", "last", "end"])
        #expect(noted.events.withLock { $0.allSatisfy { !$0.isWithinSend } })
    }
}

private final class Noted: Sendable {
    let isBusy = Atomic(false)
    let hasVanished = Atomic(false)
    let events = Mutex<[(what: String, isWithinSend: Bool)]>([])
}

/// Answers a message when its client has vanished.
private final class SendingHandler: WebHandler {
    private let loop: WebLoop
    private let noted: Noted
    private var isSending = false

    init(_ loop: WebLoop, _ noted: Noted) { (self.loop, self.noted) = (loop, noted) }

    func received(_ request: Request, on connection: HTTPConnection) {}
    func refusal(ofWebSocket request: Request, on connection: HTTPConnection) -> Response? { nil }
    func opened(_ webSocket: HTTPConnection) {}

    func received(_ message: WebSocketMessage, on webSocket: HTTPConnection) {
        guard case .text(let text) = message else { return }
        note(text)
        guard text == "go" else { return }
        _ = loop.schedule(at: 0, now: 0) { [self] in
            noted.isBusy.store(true, ordering: .releasing)
            _ = eventually { noted.hasVanished.load(ordering: .acquiring) }
            isSending = true
            _ = eventually {
                webSocket.send(message)
                return !webSocket.isWebSocket
            }
            isSending = false
        }
    }

    func closed(_ webSocket: HTTPConnection) { note("end") }

    private func note(_ what: String) { noted.events.withLock { $0.append((what, isSending)) } }
}
