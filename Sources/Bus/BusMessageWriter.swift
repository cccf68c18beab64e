import Csystemd

/// Appends values to a message.
struct BusMessageWriter {
    private let message: OpaquePointer

    init(_ message: OpaquePointer) { self.message = message }

    func append(_ values: [BusValue]) throws(BusError) {
        for value in values { try append(value) }
    }

    private func append(_ value: BusValue) throws(BusError) {
        switch value {
        case .byte(let value): try basic("y", value)
        case .bool(let value): try basic("b", Int32(value ? 1 : 0))
        case .int16(let value): try basic("n", value)
        case .uint16(let value): try basic("q", value)
        case .int32(let value): try basic("i", value)
        case .uint32(let value): try basic("u", value)
        case .int64(let value): try basic("x", value)
        case .uint64(let value): try basic("t", value)
        case .double(let value): try basic("d", value)
        case .string(let value): try text("s", value.forBus)
        case .path(let value): try text("o", value)
        case .signature(let value): try text("g", value)
        case .descriptor(let value): try basic("h", value.number)
        case .array(let element, let values): try container("a", element, values)
        case .structure(let members): try container("r", members.signature, members)
        case .entry(let key, let value): try container("e", [key, value].signature, [key, value])
        case .variant(let value): try container("v", value.signature, [value])
        }
    }

    private func basic(_ type: Unicode.Scalar, _ value: some BitwiseCopyable) throws(BusError) {
        var value = value
        try check(sd_bus_message_append_basic(message, CChar(truncatingIfNeeded: type.value), &value), "cannot send a value")
    }

    private func text(_ type: Unicode.Scalar, _ value: String) throws(BusError) {
        let result = value.withCString { sd_bus_message_append_basic(message, CChar(truncatingIfNeeded: type.value), $0) }
        try check(result, "cannot send the text '\(value)'")
    }

    private func container(_ type: Unicode.Scalar, _ contents: String, _ members: [BusValue]) throws(BusError) {
        let type = CChar(truncatingIfNeeded: type.value)
        try check(sd_bus_message_open_container(message, type, contents), "cannot send values of type '\(contents)'")
        try append(members)
        try check(sd_bus_message_close_container(message), "cannot send values of type '\(contents)'")
    }
}

extension String {
    /// libsystemd refuses texts with these code points, and C's strings end at U+0000.
    var forBus: String {
        guard unicodeScalars.contains(where: \.isRefused) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars { text.append(scalar.isRefused ? "\u{FFFD}" : scalar) }
        return String(text)
    }
}

extension Unicode.Scalar {
    fileprivate var isRefused: Bool { value == 0 || (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE }
}
