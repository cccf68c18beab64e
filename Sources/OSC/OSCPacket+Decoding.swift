import Cliblo

extension OSCPacket {
    /// Decodes the packet in `bytes`. Any bytes may be given; anything but a packet is a typed error.
    ///
    /// ``PacketCheck`` checks the bytes and this module splits bundles; each message is decoded by `lo_message_deserialise`.
    public init(decoding bytes: [UInt8]) throws(PacketError) {
        try PacketCheck.check(bytes)
        self = try Self.element(bytes, 0..<bytes.count)
    }

    private static func element(_ bytes: [UInt8], _ range: Range<Int>) throws(PacketError) -> OSCPacket {
        guard PacketCheck.isBundle(bytes, at: range.lowerBound) else { return .message(try OSCMessage(decoding: bytes, range)) }
        func bigEndian(_ offset: Int, _ count: Int) -> UInt64 { bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) } }
        var bundle = OSCBundle(timeTag: TimeTag(rawValue: bigEndian(range.lowerBound + OSCBundle.marker.count, 8)), elements: [])
        var offset = range.lowerBound + OSCBundle.headerSize
        while offset < range.upperBound {
            let start = offset + OSCBundle.elementHeaderSize
            let end = start + Int(bigEndian(offset, OSCBundle.elementHeaderSize))
            bundle.elements.append(try element(bytes, start..<end))
            offset = end
        }
        return .bundle(bundle)
    }
}

extension OSCMessage {
    /// - Parameter range: A message that ``PacketCheck`` has approved.
    fileprivate init(decoding bytes: [UInt8], _ range: Range<Int>) throws(PacketError) {
        var data = Array(bytes[range])
        address = String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
        arguments = []
        // An address without type tags: liblo insists on them.
        if data.count < address.utf8.count + 5 { data += [UInt8(ascii: ","), 0, 0, 0] }
        var result: Int32 = 0
        // SAFETY: liblo copies what it keeps; the size is that of the buffer, whose contents were checked.
        guard let message = data.withUnsafeMutableBytes({ lo_message_deserialise($0.baseAddress, $0.count, &result) }) else {
            throw PacketError(reason: .refusedByDecoder(code: result), offset: range.lowerBound)
        }
        defer { lo_message_free(message) }
        let count = Int(lo_message_get_argc(message))
        guard count > 0, let types = lo_message_get_types(message), let values = lo_message_get_argv(message) else { return }
        for index in 0..<count {
            // SAFETY: types and values have argc entries each; a value without data (T, F, N, I) has a pointer that is not read.
            guard let argument = OSCArgument(tag: UInt8(bitPattern: types[index]), at: UnsafeRawPointer(values[index])) else {
                throw PacketError(reason: .unknownTypeTag(UInt8(bitPattern: types[index])), offset: range.lowerBound)
            }
            arguments.append(argument)
        }
    }
}

extension OSCArgument {
    /// - Parameter value: A `lo_arg` in host byte order, aligned to 4 bytes only; not read for types without data.
    fileprivate init?(tag: UInt8, at value: UnsafeRawPointer?) {
        switch tag {
        case UInt8(ascii: "T"): self = .true
        case UInt8(ascii: "F"): self = .false
        case UInt8(ascii: "N"): self = .nil
        case UInt8(ascii: "I"): self = .infinitum
        default:
            guard let value else { return nil }
            self.init(dataTag: tag, at: value)
        }
    }

    private init?(dataTag tag: UInt8, at value: UnsafeRawPointer) {
        // SAFETY: liblo has validated the argument of this tag: its bytes, or its string with its NUL, are there.
        switch tag {
        case UInt8(ascii: "i"): self = .int32(value.loadUnaligned(as: Int32.self))
        case UInt8(ascii: "h"): self = .int64(value.loadUnaligned(as: Int64.self))
        case UInt8(ascii: "f"): self = .float(value.loadUnaligned(as: Float.self))
        case UInt8(ascii: "d"): self = .double(value.loadUnaligned(as: Double.self))
        case UInt8(ascii: "s"): self = .string(String(cString: value.assumingMemoryBound(to: UInt8.self)))
        case UInt8(ascii: "S"): self = .symbol(String(cString: value.assumingMemoryBound(to: UInt8.self)))
        case UInt8(ascii: "b"):
            let length = Int(value.loadUnaligned(as: UInt32.self))
            self = .blob(Array(UnsafeRawBufferPointer(start: value + 4, count: length)))
        case UInt8(ascii: "t"):
            let tag = value.loadUnaligned(as: lo_timetag.self)
            self = .timeTag(TimeTag(rawValue: UInt64(tag.sec) << 32 | UInt64(tag.frac)))
        // liblo's union declares a byte at the front, but liblo swaps the whole word: the character is the word's value.
        case UInt8(ascii: "c"): self = .character(UInt8(truncatingIfNeeded: value.loadUnaligned(as: UInt32.self)))
        case UInt8(ascii: "m"): self = .midi(UInt32(bigEndian: value.loadUnaligned(as: UInt32.self)))
        default: return nil
        }
    }
}
