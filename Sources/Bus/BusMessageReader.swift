import Csystemd
import Glibc

/// Reads the values of a message. libsystemd has checked that its bytes fit its signature.
struct BusMessageReader {
    private let message: OpaquePointer
    private var remaining = Self.maximumCount
    private var remainingDescriptors = Self.mostDescriptors

    /// The number of values above which a message is refused: one of 128 MB may hold as many as it has bytes.
    static let maximumCount = 20_000

    /// File descriptors above which a message is refused, since each value opens another one.
    static let mostDescriptors = 16
    /// Bytes of a text above which a message is refused.
    static let longestText = 65_536

    init(_ message: OpaquePointer) { self.message = message }

    mutating func values() throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        while try check(sd_bus_message_peek_type(message, &type, &contents), "cannot read a message") > 0 {
            remaining -= 1
            guard remaining >= 0 else { throw BusError("LimitsExceeded", "a message may have \(Self.maximumCount) values at most") }
            values.append(try value(UInt8(bitPattern: type), contents.map { String(cString: $0) } ?? ""))
        }
        return values
    }

    private mutating func value(_ type: UInt8, _ contents: String) throws(BusError) -> BusValue {
        switch type {
        case UInt8(ascii: "y"): return .byte(try basic(type, 0))
        case UInt8(ascii: "b"): return .bool(try basic(type, Int32(0)) != 0)
        case UInt8(ascii: "n"): return .int16(try basic(type, 0))
        case UInt8(ascii: "q"): return .uint16(try basic(type, 0))
        case UInt8(ascii: "i"): return .int32(try basic(type, 0))
        case UInt8(ascii: "u"): return .uint32(try basic(type, 0))
        case UInt8(ascii: "x"): return .int64(try basic(type, 0))
        case UInt8(ascii: "t"): return .uint64(try basic(type, 0))
        case UInt8(ascii: "d"): return .double(try basic(type, 0))
        case UInt8(ascii: "s"): return .string(try text(type))
        case UInt8(ascii: "o"): return .path(try text(type))
        case UInt8(ascii: "g"): return .signature(try text(type))
        case UInt8(ascii: "h"):
            remainingDescriptors -= 1
            guard remainingDescriptors >= 0 else {
                throw BusError("LimitsExceeded", "a message may have \(Self.mostDescriptors) file descriptors at most")
            }
            // The message closes its own.
            let copy = fcntl(try basic(type, Int32(-1)), F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw .failed("cannot keep a file descriptor: too many are open") }
            return .descriptor(BusDescriptor(copy))
        case UInt8(ascii: "a"): return .array(of: contents, try members(type, contents))
        case UInt8(ascii: "r"): return .structure(try members(type, contents))
        case UInt8(ascii: "e"):
            let pair = try members(type, contents)
            guard pair.count == 2 else { throw .failed("cannot read an entry of a dictionary") }
            return .entry(pair[0], pair[1])
        case UInt8(ascii: "v"):
            let inside = try members(type, contents)
            guard inside.count == 1 else { throw .failed("cannot read a variant") }
            return .variant(inside[0])
        default: throw .failed("cannot read a value of type '\(Unicode.Scalar(type))'")
        }
    }

    /// The pointer is for the type that `start` has, which is the type's in memory. sd_bus_message_read_basic
    private func basic<T: BitwiseCopyable>(_ type: UInt8, _ start: T) throws(BusError) -> T {
        var value = start
        try check(sd_bus_message_read_basic(message, CChar(bitPattern: type), &value), "cannot read a value")
        return value
    }

    private func text(_ type: UInt8) throws(BusError) -> String {
        // SAFETY: the text is the message's, which outlives this function.
        var text: UnsafePointer<CChar>?
        try check(sd_bus_message_read_basic(message, CChar(bitPattern: type), &text), "cannot read a text")
        guard let text else { return "" }
        guard strnlen(text, Self.longestText + 1) <= Self.longestText else {
            throw BusError("LimitsExceeded", "a text may have \(Self.longestText) bytes at most")
        }
        return String(cString: text)
    }

    private mutating func members(_ type: UInt8, _ contents: String) throws(BusError) -> [BusValue] {
        try check(sd_bus_message_enter_container(message, CChar(bitPattern: type), contents), "cannot read a container")
        let members = try values()
        try check(sd_bus_message_exit_container(message), "cannot read a container")
        return members
    }
}
