/// Proves that bytes are a well-formed packet before they are passed to liblo, which reads past the end of some malformed ones.
///
/// It takes one pass, linear in the size, without allocation, and decodes nothing.
public struct PacketCheck {
    /// Maximum payload of a UDP datagram over IPv4, in bytes.
    public static let maximumSize = 65_507
    public static let maximumNesting = 8
    /// Maximum number of elements in all bundles of a packet together.
    public static let maximumElementCount = 512

    private let bytes: [UInt8]
    private var elementCount = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    public static func check(_ bytes: [UInt8]) throws(PacketError) {
        guard !bytes.isEmpty else { throw PacketError(reason: .empty, offset: 0) }
        guard bytes.count <= maximumSize else { throw PacketError(reason: .tooLarge(bytes: bytes.count), offset: 0) }
        var check = PacketCheck(bytes)
        try check.element(0..<bytes.count, nesting: 0)
    }

    /// Whether a bundle, not a message, begins at `offset`. The bytes must have been checked.
    static func isBundle(_ bytes: [UInt8], at offset: Int) -> Bool { bytes[offset] == OSCBundle.marker[0] }

    private mutating func element(_ range: Range<Int>, nesting: Int) throws(PacketError) {
        guard range.count.isMultiple(of: 4) else {
            throw PacketError(reason: .sizeNotMultipleOfFour(bytes: range.count), offset: range.lowerBound)
        }
        switch bytes[range.lowerBound] {
        case UInt8(ascii: "/"):
            do throws(PacketError) {
                try message(range)
            } catch {
                throw PacketError(reason: error.reason, offset: error.offset, address: address(range))
            }
        case OSCBundle.marker[0]: try bundle(range, nesting: nesting + 1)
        default: throw PacketError(reason: .noAddress, offset: range.lowerBound)
        }
    }

    private mutating func bundle(_ range: Range<Int>, nesting: Int) throws(PacketError) {
        guard nesting <= Self.maximumNesting else { throw PacketError(reason: .nestedTooDeep, offset: range.lowerBound) }
        guard range.count >= OSCBundle.headerSize else { throw PacketError(reason: .bundleTooShort, offset: range.lowerBound) }
        guard bytes[range.lowerBound..<range.lowerBound + OSCBundle.marker.count].elementsEqual(OSCBundle.marker) else {
            throw PacketError(reason: .noAddress, offset: range.lowerBound)
        }
        var offset = range.lowerBound + OSCBundle.headerSize
        while offset < range.upperBound {
            elementCount += 1
            guard elementCount <= Self.maximumElementCount else { throw PacketError(reason: .tooManyElements, offset: offset) }
            // The range's length is a multiple of 4, so the length field itself is complete.
            let length = word(at: offset)
            let start = offset + OSCBundle.elementHeaderSize
            guard length > 0, Int(length) <= range.upperBound - start else {
                throw PacketError(reason: .elementPastEnd(length: length), offset: offset)
            }
            try element(start..<start + Int(length), nesting: nesting)
            offset = start + Int(length)
        }
    }

    private func message(_ range: Range<Int>) throws(PacketError) {
        let addressEnd = try stringEnd(from: range.lowerBound, to: range.upperBound)
        for byte in bytes[range.lowerBound..<addressEnd] {
            if byte == 0 { break }
            guard (0x21...0x7E).contains(byte) else { throw PacketError(reason: .addressNotPrintable, offset: range.lowerBound) }
        }
        // Old senders omit the type tags if there are no arguments.
        guard addressEnd < range.upperBound else { return }
        guard bytes[addressEnd] == UInt8(ascii: ",") else { throw PacketError(reason: .noTypeTags, offset: addressEnd) }
        var offset = try stringEnd(from: addressEnd, to: range.upperBound)
        for tag in bytes[(addressEnd + 1)..<offset] {
            if tag == 0 { break }
            offset = try argumentEnd(tag, from: offset, to: range.upperBound)
        }
        guard offset == range.upperBound else {
            throw PacketError(reason: .bytesAfterArguments(count: range.upperBound - offset), offset: offset)
        }
    }

    /// The address of a faulty message; `nil` if it cannot be read.
    private func address(_ range: Range<Int>) -> String? {
        guard let end = bytes[range].firstIndex(of: 0) else { return nil }
        let address = bytes[range.lowerBound..<end]
        return address.allSatisfy { (0x21...0x7E).contains($0) } ? String(decoding: address, as: UTF8.self) : nil
    }

    /// The end of the argument at `start`, including its padding.
    private func argumentEnd(_ tag: UInt8, from start: Int, to limit: Int) throws(PacketError) -> Int {
        let size: Int
        switch tag {
        case UInt8(ascii: "i"), UInt8(ascii: "f"), UInt8(ascii: "c"), UInt8(ascii: "m"): size = 4
        case UInt8(ascii: "h"), UInt8(ascii: "d"), UInt8(ascii: "t"): size = 8
        case UInt8(ascii: "T"), UInt8(ascii: "F"), UInt8(ascii: "N"), UInt8(ascii: "I"): size = 0
        case UInt8(ascii: "s"), UInt8(ascii: "S"): return try stringEnd(from: start, to: limit)
        case UInt8(ascii: "b"): return try blobEnd(from: start, to: limit)
        default: throw PacketError(reason: .unknownTypeTag(tag), offset: start)
        }
        guard limit - start >= size else { throw PacketError(reason: .argumentPastEnd, offset: start) }
        return start + size
    }

    private func stringEnd(from start: Int, to limit: Int) throws(PacketError) -> Int {
        guard let terminator = bytes[start..<limit].firstIndex(of: 0) else {
            throw PacketError(reason: start == limit ? .argumentPastEnd : .unterminatedString, offset: start)
        }
        // This is within the limit, since start and limit are a multiple of 4 apart.
        let end = start + (terminator - start) / 4 * 4 + 4
        guard bytes[terminator..<end].allSatisfy({ $0 == 0 }) else { throw PacketError(reason: .paddingNotZero, offset: terminator) }
        return end
    }

    private func blobEnd(from start: Int, to limit: Int) throws(PacketError) -> Int {
        guard limit - start >= 4 else { throw PacketError(reason: .argumentPastEnd, offset: start) }
        let length = word(at: start)
        guard Int(length) <= limit - start - 4 else { throw PacketError(reason: .blobPastEnd(length: length), offset: start) }
        let dataEnd = start + 4 + Int(length)
        let end = start + 4 + (Int(length) + 3) / 4 * 4
        guard bytes[dataEnd..<end].allSatisfy({ $0 == 0 }) else { throw PacketError(reason: .paddingNotZero, offset: dataEnd) }
        return end
    }

    private func word(at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
