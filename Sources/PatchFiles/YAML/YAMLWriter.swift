import Patches

extension YAMLTree {
    /// The tree as YAML text, which ``YAMLSource`` and other readers parse to the same tree. Lists are indented below their key.
    package var yaml: String {
        var text = ""
        switch content {
        case .mapping(let pairs) where !pairs.isEmpty && !isFlow: Self.write(pairs, indent: 0, to: &text)
        case .list(let items) where !items.isEmpty && !isFlow: Self.write(items, indent: 0, to: &text)
        default: text = inline + "\n"
        }
        return text
    }

    private static func write(_ pairs: [Pair], indent: Int, startsOnLine: Bool = false, to text: inout String) {
        for (index, pair) in pairs.enumerated() {
            if index > 0 || !startsOnLine { text += String(repeating: " ", count: indent) }
            text += scalar(pair.key, isFlow: true) + ":"
            switch pair.value.content {
            case .mapping(let inner) where !inner.isEmpty && !pair.value.isFlow:
                text += "\n"
                write(inner, indent: indent + 2, to: &text)
            case .list(let items) where !items.isEmpty && !pair.value.isFlow:
                text += "\n"
                write(items, indent: indent + 2, to: &text)
            default:
                text += " " + pair.value.inline + "\n"
            }
        }
    }

    private static func write(_ items: [YAMLTree], indent: Int, to text: inout String) {
        for item in items {
            text += String(repeating: " ", count: indent) + "-"
            switch item.content {
            case .mapping(let pairs) where !pairs.isEmpty && !item.isFlow:
                text += " "
                write(pairs, indent: indent + 2, startsOnLine: true, to: &text)
            case .list(let inner) where !inner.isEmpty && !item.isFlow:
                text += "\n"
                write(inner, indent: indent + 2, to: &text)
            default:
                text += " " + item.inline + "\n"
            }
        }
    }

    /// The tree on one line.
    private var inline: String { inline(inFlow: false) }

    /// The tree on one line.
    ///
    /// - Parameter inFlow: Whether it stands within brackets, where more texts need quotes.
    func inline(inFlow isFlow: Bool) -> String {
        switch content {
        case .scalar(let text, isQuoted: true): Self.quoted(text)
        case .scalar(let text, isQuoted: false): isNull ? "~" : Self.scalar(text, isFlow: isFlow)
        case .list(let items): "[" + items.map { $0.inline(inFlow: true) }.joined(separator: ", ") + "]"
        case .mapping(let pairs):
            "{" + pairs.map { Self.scalar($0.key, isFlow: true) + ": " + $0.value.inline(inFlow: true) }.joined(separator: ", ") + "}"
        }
    }

    /// Text as a scalar: plain if that is safe, quoted otherwise.
    private static func scalar(_ text: String, isFlow: Bool) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, let last = scalars.last, last != " ", last != ":", scalars.count <= 1024 else {
            return quoted(text)
        }
        let second = scalars.dropFirst().first ?? " "
        let startsPlain =
            first == "-" ? "0123456789.".unicodeScalars.contains(second) : !" \t-?:,[]{}#&*!|>'\"%@`".unicodeScalars.contains(first)
        let isSafe =
            !text.contains(": ") && !text.contains(" #") && !(isFlow && scalars.contains { ",[]{}".unicodeScalars.contains($0) })
            && !text.hasPrefix("...") && scalars.allSatisfy { !needsEscape($0) }
        return startsPlain && isSafe ? text : quoted(text)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where needsEscape(scalar):
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Whether it is a control, invisible formatting, a line or paragraph separator or private use: readers reject some and fold others.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
        default: false
        }
    }
}

extension YAMLTree {
    /// Free text: quoted where a reader would take it for a number, a truth value or null.
    package static func string(_ text: String) -> YAMLTree {
        let words = ["", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", ".inf", "-.inf", "+.inf", ".nan"]
        let isAmbiguous = words.contains(text.lowercased()) || text.drop { "+-.".contains($0) }.first?.isNumber == true
        return YAMLTree(.scalar(text, isQuoted: isAmbiguous))
    }

    /// A time as `m:ss` or `h:mm:ss`, or in seconds if those are not exact.
    package static func time(_ seconds: Double) -> YAMLTree {
        text(
            DurationText.parse(DurationText.string(from: seconds)) == seconds
                ? DurationText.string(from: seconds) : NumberText.string(from: seconds))
    }
}
