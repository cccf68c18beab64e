import OSC
import OSCRemote
import Patches
import Terminal

/// An instance's messages as text for people: addresses below the root, units from the address table, times as `1:30`, flags as `on` and
/// `off`.
package enum ReadableText {
    /// The lines that show a message; none for one that only ends a list.
    package static func lines(_ message: OSCMessage) -> [String] {
        let path = path(message.address)
        if path == "queue/place", message.arguments.count == 2 {
            return ["item \(ArgumentText.plain(message.arguments[0])): \(ArgumentText.plain(message.arguments[1]))"]
        }
        if let lines = listed(path, message.arguments) { return lines }
        if let words = words(path, message.arguments.first) { return ["\(path) \(words)"] }
        let values = values(message.arguments, of: AddressTable.standard.row(at: path))
        return [values.isEmpty ? path : "\(path) \(values)"]
    }

    /// The word for a number that means "off", "none" or "endless", or the name of a note; `nil` for other values.
    private static func words(_ path: String, _ argument: OSCArgument?) -> String? {
        guard let value = argument?.number else { return nil }
        switch path {
        case "sleep": return value == 0 ? "off" : nil
        case "now/start": return value < 0 ? "none" : nil
        case "now/duration": return value == 0 ? "endless" : nil
        default:
            guard AddressTable.standard.row(at: path)?.inputs.first?.kind == .note, let number = Int(exactly: value) else { return nil }
            return Note(rawValue: number)?.name
        }
    }

    /// The question that people mean: `queue` and `session` ask for the lists, rather than for what can be done with them.
    package static func question(_ message: OSCMessage) -> OSCMessage {
        let isOfList = ["queue", "session"].contains(path(message.address)) && message.arguments.isEmpty
        return isOfList ? OSCMessage(message.address + "/list") : message
    }

    /// An address below the root.
    package static func path(_ address: String) -> String {
        address.hasPrefix(Conversation.root) ? String(address.dropFirst(Conversation.root.count)) : address
    }

    /// The values of an answer, with their names and units as far as the row has them.
    private static func values(_ arguments: [OSCArgument], of row: Row?) -> String {
        guard let row else { return arguments.map { number($0) ?? ArgumentText.text($0) }.joined(separator: " ") }
        if row.fields.count == arguments.count, !arguments.isEmpty {
            return zip(row.fields, arguments).map { field, argument in
                let isMeasured = row.access == .read && field.quantity?.unit.hasPrefix("dB") == true
                return "\(field.name) \(value(isMeasured ? tenths(argument) : argument, field.quantity))"
            }.joined(separator: ", ")
        }
        if row.isFlag, arguments.count == 1, let number = arguments[0].number { return number == 0 ? "off" : "on" }
        let measured = row.access == .read && row.quantity?.unit.hasPrefix("dB") == true
        let values = arguments.map { value(measured ? tenths($0) : $0, row.quantity, withUnit: false) }.joined(separator: " ")
        let hasUnit = row.quantity.map { !$0.unit.isEmpty && !$0.isTime } == true && arguments.first?.number != nil
        return hasUnit ? "\(values) \(row.quantity?.unit ?? "")" : values
    }

    /// A number in the form of its quantity, or another argument as text.
    static func value(_ argument: OSCArgument, _ quantity: Quantity?, withUnit: Bool = true) -> String {
        guard let quantity, let value = argument.number, value.isFinite else { return number(argument) ?? ArgumentText.text(argument) }
        if quantity.isTime { return DurationText.string(from: (value * 10).rounded() / 10) }
        let shown = quantity.unit == "%" ? (value * 10).rounded() / 10 : value
        return rounded(shown) + (withUnit && !quantity.unit.isEmpty ? " \(quantity.unit)" : "")
    }

    /// A measured level, which changes all the time, to a tenth of a decibel.
    private static func tenths(_ argument: OSCArgument) -> OSCArgument {
        argument.number.map { $0.isFinite ? .double(($0 * 10).rounded() / 10) : argument } ?? argument
    }

    /// A finite float, rounded; `nil` for other types.
    private static func number(_ argument: OSCArgument) -> String? {
        if case .float(let value) = argument, value.isFinite { return rounded(Double(value)) }
        return nil
    }

    static func rounded(_ value: Double) -> String {
        // Beyond this, four decimals are below the precision of a float.
        NumberText.string(from: abs(value) < 1e9 ? (value * 1e4).rounded() / 1e4 : value)
    }

    // MARK: Lists

    /// The lines of an entry or the end of a list; `nil` for other messages.
    private static func listed(_ path: String, _ arguments: [OSCArgument]) -> [String]? {
        if path == "describe" { return described(arguments) }
        if path == "describe/value", arguments.count == 3 {
            return ["  \(ArgumentText.text(arguments[1]))  \(ArgumentText.plain(arguments[2]))"]
        }
        let count = if case .int32(let count)? = arguments.last { count } else { Int32(-1) }
        if path == "describe/end" { return count == 0 ? ["There is nothing to describe."] : [] }
        if lists.contains(path + "/item") { return nil }
        guard let list = lists.first(where: { path == $0 || path == $0.replacing("/item", with: "/end") }) else { return nil }
        if path != list { return count == 0 ? ["\(path.replacing("/end", with: "/list")) is empty"] : [] }
        return [arguments.map(ArgumentText.plain).joined(separator: "  ")]
    }

    private static let lists = Answer.all.map(\.path).filter { $0.hasSuffix("/item") }

    /// An address with its range and its summary.
    private static func described(_ arguments: [OSCArgument]) -> [String]? {
        guard arguments.count == 7, let lowest = arguments[3].number, let highest = arguments[4].number else { return nil }
        let (path, unit, summary) = (ArgumentText.plain(arguments[0]), ArgumentText.plain(arguments[5]), ArgumentText.plain(arguments[6]))
        if arguments[2] == .string("") { return [path + "/"] }
        let range = lowest == highest ? "" : "\(rounded(lowest))..\(rounded(highest))" + (unit.isEmpty ? "" : " \(unit)")
        return [[path, range, summary].filter { !$0.isEmpty }.joined(separator: "  ")]
    }
}

extension Quantity {
    /// Whether it is a time that is read as minutes and seconds: one in seconds that can be an hour.
    var isTime: Bool { unit == "s" && range.upperBound >= 3600 }
}
