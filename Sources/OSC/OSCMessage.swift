/// An OSC message: an address and its arguments.
public struct OSCMessage: Equatable, Sendable {
    public var address: String
    public var arguments: [OSCArgument]

    public init(_ address: String, _ arguments: [OSCArgument] = []) {
        self.address = address
        self.arguments = arguments
    }

    /// The type tags without the leading comma, such as `"sif"`.
    public var typeTags: String { String(decoding: arguments.map(\.typeTag), as: UTF8.self) }
}

/// One argument, of any OSC type that liblo supports.
public enum OSCArgument: Equatable, Sendable {
    case int32(Int32)
    case int64(Int64)
    case float(Float)
    case double(Double)
    /// A string. It is cut at its first NUL when it is sent; bytes that are not UTF-8 are decoded as U+FFFD.
    case string(String)
    /// An alternative string (`S`), for systems that distinguish it from `s`.
    case symbol(String)
    case blob([UInt8])
    case timeTag(TimeTag)
    /// An 8-bit character (`c`).
    case character(UInt8)
    /// A MIDI message: port, status, data 1, data 2, from the most significant byte down.
    case midi(UInt32)
    case `true`
    case `false`
    case `nil`
    case infinitum

    /// The ASCII code of the argument's type tag.
    public var typeTag: UInt8 {
        switch self {
        case .int32: UInt8(ascii: "i")
        case .int64: UInt8(ascii: "h")
        case .float: UInt8(ascii: "f")
        case .double: UInt8(ascii: "d")
        case .string: UInt8(ascii: "s")
        case .symbol: UInt8(ascii: "S")
        case .blob: UInt8(ascii: "b")
        case .timeTag: UInt8(ascii: "t")
        case .character: UInt8(ascii: "c")
        case .midi: UInt8(ascii: "m")
        case .true: UInt8(ascii: "T")
        case .false: UInt8(ascii: "F")
        case .nil: UInt8(ascii: "N")
        case .infinitum: UInt8(ascii: "I")
        }
    }
}
