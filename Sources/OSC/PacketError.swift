/// Why bytes are not a valid packet, and where the fault is.
public struct PacketError: Error, Equatable, Sendable, CustomStringConvertible {
    public let reason: Reason
    /// Byte offset in the packet at which the faulty part begins.
    public let offset: Int
    /// The faulty message's address; `nil` if it cannot be read or the fault is in a bundle.
    public let address: String?

    public init(reason: Reason, offset: Int, address: String? = nil) {
        self.reason = reason
        self.offset = offset
        self.address = address
    }

    public enum Reason: Equatable, Sendable {
        case empty
        case tooLarge(bytes: Int)
        case sizeNotMultipleOfFour(bytes: Int)
        /// The packet begins with neither `/` nor `#bundle`.
        case noAddress
        case addressNotPrintable
        case unterminatedString
        case paddingNotZero
        case noTypeTags
        case unknownTypeTag(UInt8)
        case argumentPastEnd
        case blobPastEnd(length: UInt32)
        case bytesAfterArguments(count: Int)
        case bundleTooShort
        case elementPastEnd(length: UInt32)
        case nestedTooDeep
        case tooManyElements
        /// liblo refused, with this code, a packet that the check had accepted.
        case refusedByDecoder(code: Int32)
    }

    public var description: String {
        let what =
            switch reason {
            case .empty: "no bytes"
            case .tooLarge(let bytes): "\(bytes) bytes, more than the \(PacketCheck.maximumSize) of a datagram"
            case .sizeNotMultipleOfFour(let bytes): "\(bytes) bytes, not a multiple of 4"
            case .noAddress: "neither an address nor a bundle"
            case .addressNotPrintable: "an address with a character that is not printable ASCII"
            case .unterminatedString: "an unterminated string"
            case .paddingNotZero: "padding that is not zero"
            case .noTypeTags: "arguments without type tags"
            case .unknownTypeTag(let tag): "unknown type tag 0x\(String(tag, radix: 16))"
            case .argumentPastEnd: "an argument that goes past the end"
            case .blobPastEnd(let length): "a blob of \(length) bytes that goes past the end"
            case .bytesAfterArguments(let count): "\(count) bytes after the last argument"
            case .bundleTooShort: "a bundle that is too short"
            case .elementPastEnd(let length): "a bundle element of \(length) bytes that does not fit"
            case .nestedTooDeep: "bundles nested more than \(PacketCheck.maximumNesting) deep"
            case .tooManyElements: "more than \(PacketCheck.maximumElementCount) bundle elements"
            case .refusedByDecoder(let code): "refused by the decoder with code \(code)"
            }
        return "Malformed OSC packet: \(what), at byte \(offset)."
    }
}
