import HTTP
import Testing

@Suite("A frame of a WebSocket")
struct WebSocketFrameTests {
    /// A frame as sent by a client.
    private static func masked(_ first: UInt8, _ payload: [UInt8], length: [UInt8]? = nil) -> [UInt8] {
        let mask: [UInt8] = [1, 2, 3, 4]
        let length =
            length ?? (payload.count < 126 ? [UInt8(payload.count)] : [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)])
        return [first, 0x80 | length[0]] + length.dropFirst() + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    @Test("a frame is read when it is complete", arguments: [0, 1, 125, 126, 4096])
    func whole(count: Int) throws {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = Self.masked(0x82, payload)
        for end in [0, 1, 2, bytes.count - 1] { #expect(try WebSocketFrame.read(bytes[..<end]) == nil) }
        let (frame, size) = try #require(try WebSocketFrame.read((bytes + [9, 9])[...]))
        #expect(frame == WebSocketFrame(.binary, payload))
        #expect(size == bytes.count)
    }

    @Test(
        "a frame that is too large or invalid is refused after its first bytes",
        arguments: [
            ([0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], WebSocketFrame.Fault.tooLarge),
            ([0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .tooLarge), ([0x82, 0xFE, 0x10, 0x01], .tooLarge),
            ([0x81, 0x05], .malformed), ([0xC1, 0x85], .malformed), ([0x83, 0x80], .malformed), ([0x09, 0x80], .malformed),
            ([0x89, 0xFE], .malformed),
        ] as [([UInt8], WebSocketFrame.Fault)])
    func refused(bytes: [UInt8], fault: WebSocketFrame.Fault) {
        #expect(throws: fault) { try WebSocketFrame.read(bytes[...]) }
    }

    @Test("a frame is sent with the shortest possible length, unmasked")
    func encoded() {
        #expect(WebSocketFrame(.text, [104, 105]).encoded == [0x81, 2, 104, 105])
        #expect(WebSocketFrame(.binary, [UInt8](repeating: 7, count: 300)).encoded.prefix(4) == [0x82, 126, 1, 44])
        #expect(
            WebSocketFrame(.binary, [UInt8](repeating: 7, count: 70_000)).encoded.prefix(10) == [0x82, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70])
        #expect(WebSocketFrame.close(.tooLarge).encoded == [0x88, 2, 3, 0xF1])
    }
}
