/// The rules for the close frame of a client (RFC 6455, sections 5.5.1 and 7.4).
enum CloseFrame {
    /// The payload of the close frame that answers it: its code, or nothing if it has none.
    ///
    /// - Throws: The fault of one that a client must not send.
    static func answer(to payload: [UInt8]) throws(WebSocketFault) -> [UInt8] {
        guard !payload.isEmpty else { return [] }
        guard payload.count >= 2, mayBeSent(UInt16(payload[0]) << 8 | UInt16(payload[1])) else { throw .malformed }
        guard String(validating: payload[2...], as: UTF8.self) != nil else { throw .notText }
        return Array(payload[..<2])
    }

    /// Whether the code is registered, or free for libraries and applications; 1004 to 1006 and 1015 never are in a frame.
    private static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1004...1006: false
        case 1000...1014, 3000...4999: true
        default: false
        }
    }
}
