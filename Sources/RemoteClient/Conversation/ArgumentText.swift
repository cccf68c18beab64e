import OSC
import OSCRemote
import Patches
import Terminal

/// OSC arguments as text on a command line. What is printed is parsed as the same argument.
package enum ArgumentText {
    /// Parses an argument: `20` is an integer, `-20.5` and `1e3` are floats, `true`, `T`, `false` and `F` are truth values; everything
    /// else, and anything in quotes, is a string.
    package static func argument(_ text: String) -> OSCArgument {
        if text.count >= 2, let quote = text.first, quote == "\"" || quote == "'", text.last == quote {
            return .string(String(text.dropFirst().dropLast()))
        }
        switch text {
        case "T", "true": return .true
        case "F", "false": return .false
        default: break
        }
        guard isNumber(text) else { return .string(text) }
        if let number = Int32(text) { return .int32(number) }
        if let number = Int64(text) { return .int64(number) }
        return Float(text).map { .float($0) } ?? .string(text)
    }

    /// Whether the text is digits with an optional sign, point and exponent: not `nan`, `inf` or `0x10`, which Swift would accept.
    package static func isNumber(_ text: String) -> Bool {
        text.wholeMatch(of: /[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?/) != nil
    }

    /// The address and its arguments, separated by spaces.
    package static func line(_ message: OSCMessage) -> String {
        ([message.address] + message.arguments.map(text)).joined(separator: " ")
    }

    /// The message for people: the address below the root, rounded numbers and their unit, such as `layer/1/beat 10 Hz`.
    package static func described(_ message: OSCMessage, unit: String) -> String {
        let root = AddressTable.root + "/"
        let address = message.address.hasPrefix(root) ? String(message.address.dropFirst(root.count)) : message.address
        let values = message.arguments.map { argument in
            guard case .float(let value) = argument, value.isFinite else { return text(argument) }
            return NumberText.string(from: (Double(value) * 1e4).rounded() / 1e4)
        }
        return ([address] + values + (unit.isEmpty || values.isEmpty ? [] : [unit])).joined(separator: " ")
    }

    package static func text(_ argument: OSCArgument) -> String {
        switch argument {
        case .int32(let value): "\(value)"
        case .int64(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value), .symbol(let value): quotedIfNeeded(value)
        case .blob(let bytes): "blob of \(bytes.count) bytes"
        case .timeTag(let tag): "\(tag.secondsSince1900)"
        case .character(let value): "\(value)"
        case .midi(let value): "\(value)"
        case .true: "T"
        case .false: "F"
        case .nil: "nil"
        case .infinitum: "infinitum"
        }
    }

    /// A string without quotes, for a sentence; other types as in ``text(_:)``.
    package static func plain(_ argument: OSCArgument) -> String {
        if case .string(let value) = argument { DisplayWidth.harmless(value) } else { text(argument) }
    }

    private static func quotedIfNeeded(_ text: String) -> String {
        let harmless = DisplayWidth.harmless(text)
        if case .string(let read) = argument(harmless), read == harmless, !harmless.isEmpty, !harmless.contains(where: \.isWhitespace) {
            return harmless
        }
        return "\"\(harmless)\""
    }
}
