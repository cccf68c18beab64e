import HTTP
import TestSupport
import Testing

@Suite("The frames of a WebSocket", .ownThread)
struct WebSocketTests {
    /// A frame as sent by a client.
    private static func masked(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let mask: [UInt8] = [1, 2, 3, 4]
        let length = payload.count < 126 ? [UInt8(payload.count)] : [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        return [first, 0x80 | length[0]] + length.dropFirst() + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    @Test("A message arrives whole, however it is cut, and its echo has the shortest possible length", arguments: [0, 1, 125, 126, 4096])
    func whole(count: Int) throws {
        let client = try Served.webSocket()
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = Self.masked(0x82, payload)
        for part in [bytes.prefix(1), bytes.dropFirst().prefix(3), bytes.dropFirst(4)] { client.socket.send(Array(part)) }
        let frame = try #require(client.socket.frame())
        #expect(frame.first == 0x82)
        #expect(frame.payload == payload)
    }

    @Test("Fragments are joined, with a ping between them")
    func fragments() throws {
        let client = try Served.webSocket()
        client.socket.send(0x01, Array("one ".utf8))
        client.socket.send(0x89, [7])
        client.socket.send(0x00, Array("two ".utf8))
        client.socket.send(0x80, Array("three".utf8))
        #expect(client.socket.frame()?.first == 0x8A)
        #expect(client.socket.frame()?.payload == Array("one two three".utf8))
    }

    @Test(
        "A frame that is too large or invalid ends the WebSocket with the code that says why",
        arguments: [
            ([0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], 1009),
            ([0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], 1009), ([0x82, 0xFE, 0x10, 0x01, 0, 0, 0, 0], 1009),
            ([0x81, 0x01, 0x41], 1002), ([0xC1, 0x80, 0, 0, 0, 0], 1002), ([0x83, 0x80, 0, 0, 0, 0], 1002),
            ([0x09, 0x80, 0, 0, 0, 0], 1002),
            ([0x89, 0xFE, 0, 126, 0, 0, 0, 0], 1002), ([0x80, 0x80, 0, 0, 0, 0], 1002), ([0x8B, 0x80, 0, 0, 0, 0], 1002),
            ([0x01, 0x80, 0, 0, 0, 0, 0x81, 0x80, 0, 0, 0, 0], 1002), ([0x81, 0x82, 0, 0, 0, 0, 0xFF, 0xFF], 1007),
            // Close frames with half a code, with one that must not be sent, and with a reason that is not a text.
            ([0x88, 0x81, 0, 0, 0, 0, 3], 1002), ([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xED], 1002), ([0x88, 0x82, 0, 0, 0, 0, 0, 0], 1002),
            ([0x88, 0x82, 0, 0, 0, 0, 0x0B, 0xB7], 1002), ([0x88, 0x83, 0, 0, 0, 0, 0x03, 0xE8, 0xFF], 1007),
        ] as [([UInt8], Int)])
    func refused(bytes: [UInt8], code: Int) throws {
        let client = try Served.webSocket()
        client.socket.send(bytes)
        let frame = try #require(client.socket.frame())
        #expect(frame.first == 0x88)
        #expect(frame.payload == [UInt8(code >> 8), UInt8(code & 255)])
        #expect(client.socket.frame() == nil)
    }

    @Test("Frames before a wrong one are answered, however their bytes arrive", arguments: [1, 2, 3, 1000])
    func rightOnes(size: Int) throws {
        let client = try Served.webSocket()
        let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = Self.masked(0x82, []) + Self.masked(0x82, long) + Self.masked(0xC2, [7])
        for start in stride(from: 0, to: bytes.count, by: size) { client.socket.send(Array(bytes[start...].prefix(size))) }
        for payload in [[], long] { #expect(client.socket.frame()?.payload == payload) }
        #expect(try #require(client.socket.frame()) == (0x88, [0x03, 0xEA]))
    }

    @Test("The fragments of a message are limited together, in size and in number")
    func manyFragments() throws {
        for (payload, count) in [([UInt8](repeating: 7, count: 125), 40), ([], 100)] {
            let client = try Served.webSocket()
            client.socket.send(0x01, payload)
            for _ in 0..<count { client.socket.send(0x00, payload) }
            #expect(client.socket.frame()?.payload == [0x03, 0xF1])
        }
    }

    @Test("A close frame is answered with its code, and a closing server sends one")
    func closing() throws {
        let client = try Served.webSocket()
        client.socket.send(0x88, [0x03, 0xE8, 1, 2, 3])
        #expect(try #require(client.socket.frame()) == (0x88, [0x03, 0xE8]))
        #expect(client.socket.frame() == nil)
        let other = try client.served.webSocket()
        client.served.server.close()
        #expect(try #require(other.frame()) == (0x88, [0x03, 0xE9]))
    }
}

extension Served {
    /// A server with one WebSocket.
    static func webSocket(_ configure: (inout WebServer.Bounds) -> Void = { _ in }) throws -> (served: Served, socket: SocketClient) {
        let served = try Served(configure)
        return (served, try served.webSocket())
    }
}
