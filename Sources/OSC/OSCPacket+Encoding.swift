import Cliblo

extension OSCPacket {
    /// The packet's bytes. Strings end at their first NUL.
    public var encoded: [UInt8] {
        switch self {
        case .message(let message): message.encoded
        case .bundle(let bundle): bundle.encoded
        }
    }
}

extension OSCBundle {
    public var encoded: [UInt8] {
        var bytes = Self.marker
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: timeTag.rawValue >> UInt64(shift))) }
        for element in elements { Self.append(element.encoded, to: &bytes) }
        return bytes
    }

    /// Encodes a bundle whose elements are already encoded.
    public static func encoded(timeTag: TimeTag, elements: [[UInt8]]) -> [UInt8] {
        var bytes = OSCBundle(timeTag: timeTag, elements: []).encoded
        for element in elements { append(element, to: &bytes) }
        return bytes
    }

    private static func append(_ element: [UInt8], to bytes: inout [UInt8]) {
        for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: element.count >> shift)) }
        bytes += element
    }
}

extension OSCMessage {
    /// The message's bytes: `lo_message_serialise`.
    public var encoded: [UInt8] {
        guard let message = lo_message_new() else { outOfMemory() }
        defer { lo_message_free(message) }
        for argument in arguments { argument.add(to: message) }
        return [UInt8](unsafeUninitializedCapacity: lo_message_length(message, address)) { buffer, count in
            // SAFETY: the buffer has the length that liblo asks for.
            lo_message_serialise(message, address, buffer.baseAddress, &count)
        }
    }
}

extension OSCArgument {
    fileprivate func add(to message: lo_message) {
        let code =
            switch self {
            case .int32(let value): lo_message_add_int32(message, value)
            case .int64(let value): lo_message_add_int64(message, value)
            case .float(let value): lo_message_add_float(message, value)
            case .double(let value): lo_message_add_double(message, value)
            case .string(let value): lo_message_add_string(message, value)
            case .symbol(let value): lo_message_add_symbol(message, value)
            case .blob(let bytes): Self.add(blob: bytes, to: message)
            case .timeTag(let tag):
                lo_message_add_timetag(
                    message, lo_timetag(sec: UInt32(tag.rawValue >> 32), frac: UInt32(truncatingIfNeeded: tag.rawValue)))
            case .character(let code): lo_message_add_char(message, CChar(bitPattern: code))
            case .midi(let word): Self.add(midi: word, to: message)
            case .true: lo_message_add_true(message)
            case .false: lo_message_add_false(message)
            case .nil: lo_message_add_nil(message)
            case .infinitum: lo_message_add_infinitum(message)
            }
        guard code == 0 else { outOfMemory() }
    }

    private static func add(blob bytes: [UInt8], to message: lo_message) -> Int32 {
        if bytes.isEmpty {
            // lo_blob_new refuses an empty blob. A blob is its size followed by its bytes, so a zero size alone is an empty one.
            var size: UInt32 = 0
            return lo_message_add_blob(message, &size)
        }
        // SAFETY: liblo copies the bytes into the blob, and the blob into the message.
        guard let blob = bytes.withUnsafeBytes({ lo_blob_new(Int32($0.count), $0.baseAddress) }) else { outOfMemory() }
        defer { lo_blob_free(blob) }
        return lo_message_add_blob(message, blob)
    }

    private static func add(midi word: UInt32, to message: lo_message) -> Int32 {
        // SAFETY: liblo reads the four bytes during the call.
        withUnsafeBytes(of: word.bigEndian) { source in
            var bytes = Array(source)
            return lo_message_add_midi(message, &bytes)
        }
    }
}

/// liblo's only failure here; Swift's own allocations end the program in the same case.
private func outOfMemory() -> Never { fatalError("Out of memory while encoding an OSC message.") }
