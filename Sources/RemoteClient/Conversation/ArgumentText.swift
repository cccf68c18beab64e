import OSC
import OSCRemote
import Patches
import Terminal

/// OSC arguments as text on a command line. A printed argument parses as the same argument.
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
        // The minus of typeset text.
        let text = text.hasPrefix("\u{2212}") && isNumber(String(text.dropFirst())) ? "-" + text.dropFirst() : text
        guard isNumber(text) else { return .string(text) }
        if let number = Int32(text) { return .int32(number) }
        if let number = Int64(text) { return .int64(number) }
        return Float(text).map { .float($0) } ?? .string(text)
    }

    /// Whether the text is digits with an optional sign, point and exponent: not `nan`, `inf` or `0x10`, which Swift would accept.
    package static func isNumber(_ text: String) -> Bool {
        text.wholeMatch(of: /[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?/) != nil
    }

    /// Parses an argument for the input that it is meant for: a time such as `1:30` or `-0:10` is its seconds, and `on` and `off` are a
    /// flag's values.
    package static func argument(_ text: String, for input: Input?) -> OSCArgument {
        switch input?.kind {
        case .number(let quantity)? where quantity.unit == "s", .bounded(let quantity)? where quantity.unit == "s":
            if let seconds = seconds(text) { return .double(seconds) }
        case .flag? where text == "on": return .true
        case .flag? where text == "off": return .false
        // A choice between off and something else is a switch too.
        case .choice(let names)? where names.count == 2 && names[0] == "off" && text == "on": return .string(names[1])
        default: break
        }
        return argument(text)
    }

    /// Whether the text is a time with a colon, such as `1:30` or `-0:10`.
    package static func isTime(_ text: String) -> Bool { seconds(text) != nil }

    /// Why arguments cannot be sent, as a sentence; `nil` if they can. Anything after `--` can.
    package static func fault(in arguments: [String]) -> String? {
        let suspects = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && $0.count > 1 }
        guard let unknown = suspects.first(where: { !isNumber($0) && !isTime($0) }) else { return nil }
        let number = unknown.prefix { "+-.0123456789".contains($0) }
        if isNumber(String(number)) { return "'\(unknown)' is not a number: leave out the unit, as in \(number)." }
        return "Unknown option '\(unknown)'. Put strings that start with a dash after '--'."
    }

    /// A correction of wrong arguments for these inputs, as a sentence: a unit after a number, or a time in another
    /// form; `nil` if none is found.
    package static func fault(in arguments: [String], for inputs: [Input]) -> String? {
        if let fault = fault(in: arguments) { return fault }
        for (text, input) in zip(arguments.filter { $0 != "--" }, inputs) {
            // Text in quotes is meant as a string.
            guard case .string(text) = argument(text, for: input) else { continue }
            switch input.kind {
            case .number(let quantity), .bounded(let quantity):
                if quantity.unit == "s", let time = DurationText.suggestion(for: text) {
                    return "'\(text)' is not a time: use seconds, m:ss or h:mm:ss. Did you mean \(time)?"
                }
                guard let number = NumberText.suggestion(for: text) else { continue }
                let advice = text.hasPrefix(number) ? "leave out the unit, as in \(number)." : "did you mean \(number)?"
                return "'\(text)' is not a number: \(advice)"
            case .integer, .index, .exact:
                guard let number = NumberText.suggestion(for: text) else { continue }
                return "'\(text)' is not a number: did you mean \(number)?"
            default: continue
            }
        }
        return nil
    }

    private static func seconds(_ text: String) -> Double? {
        guard text.contains(":") else { return nil }
        if text.hasPrefix("-") { return DurationText.parse(String(text.dropFirst())).map { -$0 } }
        return DurationText.parse(text)
    }

    /// The address and its arguments, separated by spaces.
    package static func line(_ message: OSCMessage) -> String {
        ([message.address] + message.arguments.map(text)).joined(separator: " ")
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
        if case .string(let value) = argument { value.printable } else { text(argument) }
    }

    private static func quotedIfNeeded(_ text: String) -> String {
        let printable = text.printable
        if case .string(let read) = argument(printable), read == printable, !printable.isEmpty, !printable.contains(where: \.isWhitespace) {
            return printable
        }
        return "\"\(printable)\""
    }
}
