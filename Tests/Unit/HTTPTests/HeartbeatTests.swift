import Glibc
import HTTP
import TestSupport
import Testing

/// Clients that vanish without closing their WebSocket, and those that are only quiet. Where a client answers, the interval of the pings is long
/// enough for a busy machine: an answer may take two of them.
@Suite("Pings of a WebSocket", .ownThread)
struct HeartbeatTests {
    private static let ping: UInt8 = 0x89
    private static let pong: UInt8 = 0x8A
    private static let text: UInt8 = 0x81

    @Test("Vanished clients do not keep their places: after sixteen of them a seventeenth can connect")
    func vanished() throws {
        let served = try Served { $0.pingInterval = 0.05 }
        let crowd = try (0..<WebServer.Bounds().connectionCount).map { _ in try served.client() }
        // After the handshake it never reads or answers again.
        for client in crowd { #expect(client.upgrade() == 101) }
        let newcomer = try served.webSocket()
        newcomer.send(Self.text, Array("there?".utf8))
        while let frame = newcomer.frame(), frame.first != Self.text { newcomer.send(Self.pong) }
        #expect(served.counts.open.load(ordering: .relaxed) <= WebServer.Bounds().connectionCount)
        withExtendedLifetime(crowd) {}
    }

    @Test("A client that answers stays connected, however long it sends nothing else; a ping is two bytes")
    func answering() throws {
        let client = try Served.webSocket { $0.pingInterval = 0.3 }
        for _ in 0..<5 {
            let frame = try #require(client.socket.frame())
            #expect(frame.first == Self.ping)
            #expect(frame.payload.isEmpty)
            client.socket.send(Self.pong, frame.payload)
        }
        client.socket.send(Self.text, Array("still here".utf8))
        var answer = client.socket.frame()
        while answer?.first == Self.ping { answer = client.socket.frame() }
        #expect(answer?.payload == Array("still here".utf8))
    }

    @Test(
        "Any byte counts as a sign of life: a text, a ping, half of a frame, an unrequested pong",
        arguments: [
            [0x81], [0x81, 0x81, 0, 0, 0, 0, 0x78], [0x89, 0x80, 0, 0, 0, 0], [0x8A, 0xFD, 0, 0, 0, 0] + [UInt8](repeating: 7, count: 125),
        ]
            as [[UInt8]])
    func signsOfLife(bytes: [UInt8]) throws {
        let client = try Served.webSocket { $0.pingInterval = 0.3 }
        var pings = 0
        while pings < 4 {
            let frame = try #require(client.socket.frame())
            guard frame.first == Self.ping else { continue }
            pings += 1
            client.socket.send(bytes)
        }
    }

    @Test("A client that answered and then stops answering gets two more pings, and is then closed", arguments: [0, 1, 4])
    func stops(answers: Int) throws {
        let client = try Served.webSocket { $0.pingInterval = 0.3 }
        for _ in 0..<answers {
            #expect(client.socket.frame()?.first == Self.ping)
            client.socket.send(Self.pong)
        }
        var pings = 0
        while let frame = client.socket.frame() {
            #expect(frame.first == Self.ping)
            pings += 1
        }
        // The last answer may have crossed the ping after the one that it was for.
        #expect(pings == 2 || answers > 0 && pings == 3)
        // Its handler learns of it, too.
        #expect(eventually { client.served.counts.open.load(ordering: .relaxed) == 0 })
    }

    @Test("A pong longer than a control frame may be ends the connection")
    func longPong() throws {
        let client = try Served.webSocket { $0.pingInterval = 60 }
        client.socket.send([0x8A, 0xFE, 0, 126, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 126))
        let frame = try #require(client.socket.frame())
        #expect(frame.first == 0x88)
        #expect(frame.payload == [0x03, 0xEA])
    }

    @Test("A connection that is not a WebSocket is never pinged")
    func plain() throws {
        let served = try Served { $0.pingInterval = 0.1 }
        let plain = try served.client()
        let clock = try served.webSocket()
        for _ in 0..<5 {
            #expect(clock.frame()?.first == Self.ping)
            clock.send(Self.pong)
        }
        plain.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
        #expect(plain.everything().hasPrefix("HTTP/1.1 200 "))
    }
}
