/// A frame of a WebSocket (RFC 6455, section 5).
package struct WebSocketFrame: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { rawValue >= 8 }
    }

    package var kind: Kind
    package var isLast = true
    package var payload: [UInt8]

    /// Maximum size of a client's message in bytes.
    package static let maximumPayloadSize = 4096

    package init(_ kind: Kind, isLast: Bool = true, _ payload: [UInt8]) {
        self.kind = kind
        self.isLast = isLast
        self.payload = payload
    }

    /// Why a WebSocket is closed: the status code in the close frame (RFC 6455, section 7.4.1).
    package enum Fault: UInt16, Error, Sendable {
        case goingAway = 1001
        case malformed = 1002
        case notText = 1007
        case tooLarge = 1009
    }

    package static func close(_ fault: Fault) -> WebSocketFrame {
        WebSocketFrame(.close, [UInt8(fault.rawValue >> 8), UInt8(truncatingIfNeeded: fault.rawValue)])
    }

    /// The frame at the beginning of `bytes` and its size in bytes; `nil` while it is incomplete.
    ///
    /// A frame that is too large is refused as soon as its header has arrived.
    package static func read(_ bytes: ArraySlice<UInt8>) throws(Fault) -> (frame: WebSocketFrame, size: Int)? {
        guard bytes.count >= 2 else { return nil }
        let (first, second) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
        // No extension was negotiated, and a client has to mask its frames.
        guard first & 0x70 == 0, let kind = Kind(rawValue: first & 0x0F), second & 0x80 != 0 else { throw .malformed }
        let isLast = first & 0x80 != 0
        let extraSize = second & 0x7F == 126 ? 2 : second & 0x7F == 127 ? 8 : 0
        guard !kind.isControl || (isLast && extraSize == 0) else { throw .malformed }
        guard bytes.count >= 2 + extraSize else { return nil }
        let extra = bytes.dropFirst(2).prefix(extraSize)
        let length = extraSize == 0 ? UInt64(second & 0x7F) : extra.reduce(0) { $0 << 8 | UInt64($1) }
        guard length <= maximumPayloadSize else { throw .tooLarge }
        let headSize = 2 + extraSize + 4
        let size = headSize + Int(length)
        guard bytes.count >= size else { return nil }
        let mask = Array(bytes.dropFirst(2 + extraSize).prefix(4))
        let payload = bytes.dropFirst(headSize).prefix(Int(length)).enumerated().map { $1 ^ mask[$0 % 4] }
        return (WebSocketFrame(kind, isLast: isLast, payload), size)
    }

    /// The frame's bytes as a server sends them: not masked.
    package var encoded: [UInt8] {
        var bytes = [(isLast ? 0x80 : 0) | kind.rawValue]
        switch payload.count {
        case ...125: bytes.append(UInt8(payload.count))
        case ...0xFFFF: bytes += [126, UInt8(payload.count >> 8), UInt8(truncatingIfNeeded: payload.count)]
        default:
            bytes.append(127)
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift)) }
        }
        return bytes + payload
    }
}
