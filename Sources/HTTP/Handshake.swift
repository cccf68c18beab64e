/// The opening handshake of a WebSocket (RFC 6455, section 4.2).
package enum Handshake {
    /// The answer to a request for an upgrade to a WebSocket; `nil` for any other request.
    package static func answer(_ request: Request) -> Response? {
        guard let upgrade = request.headers["upgrade"]?.lowercased(), upgrade.contains("websocket") else { return nil }
        guard request.headers["connection"]?.lowercased().contains("upgrade") == true else {
            return .malformed("A WebSocket needs the header Connection: Upgrade.")
        }
        guard request.headers["sec-websocket-version"] == "13" else {
            return Response(.upgradeRequired, closes: true, headers: ["Sec-WebSocket-Version: 13"])
        }
        // The key is 16 bytes in base64.
        guard let key = request.headers["sec-websocket-key"], key.utf8.count == 24, key.hasSuffix("==") else {
            return .malformed("A WebSocket needs a header Sec-WebSocket-Key of 16 bytes in base64.")
        }
        return Response(
            .switchingProtocols,
            headers: ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: \(accept(key))"])
    }

    /// The value of Sec-WebSocket-Accept for the client's key.
    static func accept(_ key: String) -> String { base64(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))) }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 { text.append(index <= group.count ? digits[bits >> (18 - 6 * index) & 63] : "=") }
        }
        return text
    }
}

/// SHA-1 (FIPS 180-4). It protects nothing here: the WebSocket handshake prescribes it.
enum SHA1 {
    static func digest(_ message: [UInt8]) -> [UInt8] {
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        for shift in stride(from: 56, through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: UInt64(message.count * 8) >> UInt64(shift)))
        }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded[start..<start + 64], to: &state) }
        return state.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 { words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)) }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (choice, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5A82_7999)
                case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            (a, b, c, d, e) = (rotate(a, 5) &+ choice &+ e &+ constant &+ word, a, rotate(b, 30), c, d)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
