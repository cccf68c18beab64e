/// The answers that RFC 6455 and the bounds of the server call for, given the bytes of a client, read in the simplest way.
struct FrameReference {
    /// Frames that an echoing server sends before it closes, as their first byte and the payload.
    private(set) var answers: [[UInt8]] = []
    private(set) var end = End.open
    /// The code that answers the client's close frame; 0 if it has none.
    private(set) var code = 0

    enum End {
        /// Nothing says that the connection ends.
        case open
        /// The bytes end within a frame that is wrong, which the server need not have seen yet.
        case undecided
        /// The client closes.
        case closed
        case fault
    }

    private static let (largest, fragmentLimit) = (4096, 64)
    /// The opcode and fragments of the message that has begun.
    private var begun: (opcode: UInt8, payload: [UInt8], count: Int)?

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while case .open = end, let frame = Frame(rest) {
            let isControl = frame.opcode >= 8
            if frame.length > Self.largest || isControl && (frame.length > 125 || !frame.isFinal) {
                end = .fault
            } else if frame.end == nil {
                end = frame.isWrong ? .undecided : .open
            } else {
                end = frame.isWrong ? .fault : take(frame)
            }
            // A frame that is too large is refused when its length is known, maybe before its mask.
            if case .fault = end, frame.end == nil { end = .undecided }
            guard let next = frame.end else { return }
            rest = rest[next...]
        }
    }

    private mutating func take(_ frame: Frame) -> End {
        switch frame.opcode {
        case 8: return close(frame.payload)
        case 9: answers.append([0x8A] + frame.payload)
        case 10: break
        case 0:
            guard let earlier = begun else { return .fault }
            begun = (earlier.opcode, earlier.payload + frame.payload, earlier.count + 1)
            return finish(frame)
        default:
            guard begun == nil else { return .fault }
            begun = (frame.opcode, frame.payload, 1)
            return finish(frame)
        }
        return .open
    }

    private mutating func close(_ payload: [UInt8]) -> End {
        code = payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        let isKnown = payload.isEmpty || payload.count >= 2 && (1000...1003 ~= code || 1007...1014 ~= code || 3000...4999 ~= code)
        return isKnown && String(validating: payload.dropFirst(2), as: UTF8.self) != nil ? .closed : .fault
    }

    private mutating func finish(_ frame: Frame) -> End {
        guard let (opcode, payload, count) = begun, payload.count <= Self.largest, count <= Self.fragmentLimit else { return .fault }
        guard frame.isFinal else { return .open }
        begun = nil
        if opcode == 1, String(validating: payload, as: UTF8.self) == nil { return .fault }
        answers.append([0x80 | opcode] + payload)
        return .open
    }

    private struct Frame {
        let opcode: UInt8
        let isFinal: Bool
        /// Reserved bits, an unknown opcode, no mask, or a length in more bytes than it needs.
        let isWrong: Bool
        let length: Int
        var payload: [UInt8] = []
        /// Where the next frame begins; `nil` if this one is incomplete.
        var end: Int?

        /// - Returns: `nil` if the length is incomplete.
        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count >= 2, let first = bytes.first else { return nil }
            let second = bytes[bytes.startIndex + 1]
            opcode = first & 15
            isFinal = first & 0x80 != 0
            var place = bytes.startIndex + 2
            let more = second & 127 < 126 ? 0 : second & 127 == 126 ? 2 : 8
            guard place + more <= bytes.endIndex else { return nil }
            length = more == 0 ? Int(second & 127) : bytes[place..<place + more].reduce(0) { min($0, 1 << 40) << 8 | Int($1) }
            place += more
            isWrong =
                first & 0x70 != 0 || ![0, 1, 2, 8, 9, 10].contains(first & 15) || second & 0x80 == 0
                || length < (more == 0 ? 0 : more == 2 ? 126 : 65_536)
            let mask = second & 0x80 == 0 ? [0, 0, 0, 0] : Array(bytes[place...].prefix(4))
            place += second & 0x80 == 0 ? 0 : 4
            guard place <= bytes.endIndex, bytes.endIndex - place >= length else { return }
            payload = bytes[place..<place + length].enumerated().map { $1 ^ mask[$0 % 4] }
            end = place + length
        }
    }
}
