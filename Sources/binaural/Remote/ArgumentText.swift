import OSC
import OSCRemote
import Patches

/// OSC arguments as people write and read them on a command line. What is printed reads back as the same argument.
package enum ArgumentText {
    /// `20` is an integer, `-20.5` and `1e3` are floats, `true` and `T`, `false` and `F` are those, all else is a string; so is
    /// whatever stands in quotes.
    package static func argument(_ text: String) -> Argument {
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

    /// Digits with at most a sign, a point and an exponent: not `nan`, `inf` or `0x10`, which Swift would take.
    package static func isNumber(_ text: String) -> Bool {
        text.wholeMatch(of: /[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?/) != nil
    }

    /// The address and its arguments, with one space between.
    package static func line(_ message: Message) -> String {
        ([message.address] + message.arguments.map(text)).joined(separator: " ")
    }

    /// For people: the address below the root, numbers without digits that say nothing, and their unit: `layer/1/beat 10 Hz`.
    package static func described(_ message: Message, unit: String) -> String {
        let root = AddressTable.root + "/"
        let address = message.address.hasPrefix(root) ? String(message.address.dropFirst(root.count)) : message.address
        let values = message.arguments.map { argument in
            guard case .float(let value) = argument, value.isFinite else { return text(argument) }
            return NumberText.string(from: (Double(value) * 1e4).rounded() / 1e4)
        }
        return ([address] + values + (unit.isEmpty || values.isEmpty ? [] : [unit])).joined(separator: " ")
    }

    package static func text(_ argument: Argument) -> String {
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

    /// A string as it is, for a sentence; anything else as ``text(_:)``.
    package static func plain(_ argument: Argument) -> String {
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
