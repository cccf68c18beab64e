/// A value of one of D-Bus's types.
package indirect enum BusValue: Hashable, Sendable {
    case byte(UInt8), bool(Bool)
    case int16(Int16), uint16(UInt16), int32(Int32), uint32(UInt32), int64(Int64), uint64(UInt64)
    case double(Double)
    /// Text. Code points that D-Bus does not carry (U+0000, and those that Unicode excludes from interchange) are sent as U+FFFD.
    case string(String)
    /// The path of an object, such as `/org/mpris/MediaPlayer2`; ``objectPathElement(_:)`` makes its elements from any text.
    case path(String)
    case signature(String)
    case descriptor(BusDescriptor)
    /// Values of one type, which the signature names.
    case array(of: String, [BusValue])
    case structure([BusValue])
    /// An entry of a dictionary, which is an array of entries.
    case entry(BusValue, BusValue)
    case variant(BusValue)

    /// `as`
    package static func strings(_ texts: [String]) -> BusValue { .array(of: "s", texts.map(BusValue.string)) }

    /// `ao`
    package static func paths(_ paths: [String]) -> BusValue { .array(of: "o", paths.map(BusValue.path)) }

    /// `a{sv}`, in the order of the names.
    package static func dictionary(_ values: [String: BusValue]) -> BusValue {
        .array(of: "{sv}", values.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .variant($0.value)) })
    }

    /// The type, as D-Bus writes it: `a{sv}`, `x`.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .descriptor: "h"
        case .array(let element, _): "a\(element)"
        case .structure(let members): "(\(members.signature))"
        case .entry(let key, let value): "{\(key.signature)\(value.signature)}"
        case .variant: "v"
        }
    }

    /// The text of a string, a path or a signature.
    package var text: String? {
        switch self {
        case .string(let text), .path(let text), .signature(let text): text
        default: nil
        }
    }

    /// The number, if it is an integer of any size that fits.
    package var integer: Int? {
        switch self {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(exactly: value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The values of an array or a structure.
    package var elements: [BusValue]? {
        switch self {
        case .array(_, let values), .structure(let values): values
        default: nil
        }
    }

    /// The entries of a dictionary whose keys are strings, with variants opened.
    package var entries: [String: BusValue]? {
        guard case .array(let element, let values) = self, element.hasPrefix("{s") else { return nil }
        var entries: [String: BusValue] = [:]
        for case .entry(.string(let key), let value) in values { entries[key] = value.opened }
        return entries
    }

    /// The value inside a variant, or the value itself.
    package var opened: BusValue {
        if case .variant(let value) = self { value.opened } else { self }
    }
}

extension [BusValue] {
    /// The types of several values, one after the other.
    package var signature: String { map(\.signature).joined() }
}

/// Any text as an element of an object path: what is not a letter or digit of ASCII is written as `_` and two hexadecimal digits a byte.
/// Different texts give different elements.
package func objectPathElement(_ text: String) -> String {
    guard !text.isEmpty else { return "_" }
    var element = ""
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            element.unicodeScalars.append(Unicode.Scalar(byte))
        default:
            let digits = String(byte, radix: 16)
            element += "_" + (digits.count < 2 ? "0" : "") + digits
        }
    }
    return element
}
