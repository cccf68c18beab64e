import PatchFiles

extension SequenceFault {
    package var words: (found: String, advice: String?) {
        let words = usualWords
        return (words.found, remedy ?? words.advice)
    }

    /// The fault of a word that should be a time.
    static func ofTime(_ text: String) -> SequenceFault {
        let start = text.firstIndex { $0.isLetter } ?? text.endIndex
        guard let half = HalfDay(text[start...]) else { return .badTime(text) }
        return .halfDay(String(text[start...]), meant: half.time(text[..<start]))
    }

    /// Advice about characters of typeset text, decimal commas and units; `nil` if none of them is the cause.
    private var remedy: String? {
        switch self {
        case .badVoice(let text, _):
            text.unicodeScalars.first.flatMap(Self.remedy) ?? Self.remedy(forRestOfNumber: text)
        case .noLine(let text), .badName(let text), .badTime(let text), .unknownName(let text, near: nil), .surplus(let text, after: _),
            .badOptionValue(_, let text, expected: _):
            Self.isDamagedArrow(text)
                ? "write `->` in place of \(TextFault.quote(text))" : text.unicodeScalars.lazy.compactMap(Self.remedy).first
        default: nil
        }
    }

    /// Where in the text of a line or a time that could not be read the character is that the advice is about; 0 if it is about all of it.
    var remedyOffset: Int {
        switch self {
        case .noLine(let text), .badTime(let text):
            text.unicodeScalars.enumerated().first { Self.remedy(for: $0.element) != nil }?.offset ?? 0
        default: 0
        }
    }

    /// Whether it is an arrow of which typesetting made a dash and a quotation mark.
    private static func isDamagedArrow(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard text != "->", scalars.count == 2, let first = scalars.first, let last = scalars.last else { return false }
        return first.properties.generalCategory == .dashPunctuation && ["\u{203A}", "\u{BB}", ">"].contains(last)
    }

    private static func remedy(for scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\u{2010}"..."\u{2015}", "\u{2212}", "\u{FE58}", "\u{FE63}", "\u{FF0D}": "write a plain `-` in place of `\(scalar)`"
        case "\u{2192}": "write `->` in place of `\(scalar)`"
        case "\"", "'", "\u{AB}", "\u{BB}", "\u{2018}"..."\u{201F}", "\u{2039}", "\u{203A}": "remove the quotation mark `\(scalar)`"
        case "\u{A0}", "\u{2000}"..."\u{200A}", "\u{202F}", "\u{205F}", "\u{3000}":
            "write a plain space in place of the character \(code(of: scalar))"
        case "\u{AD}", "\u{200B}"..."\u{200F}", "\u{2060}", "\u{FEFF}": "remove the invisible character \(code(of: scalar))"
        default: nil
        }
    }

    /// For a text that begins behind the digits of a number.
    private static func remedy(forRestOfNumber text: String) -> String? {
        let second = text.unicodeScalars.dropFirst().first
        if text.hasPrefix(","), let second, ("0"..."9").contains(second) { return "write decimals with a point, such as `200.5`" }
        let small = text.lowercased()
        return ["%", "hz", "khz", "db"].contains(where: small.hasPrefix) ? "write the number alone, without a unit" : nil
    }

    private static func code(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

/// `AM` or `PM` behind a time, which sequences do not have.
enum HalfDay: String {
    case am, pm

    init?(_ text: some StringProtocol) { self.init(rawValue: text.lowercased().filter { $0 != "." }) }

    /// The time of day as a sequence has it; `nil` if it is not one of twelve hours.
    func time(_ text: some StringProtocol) -> String? {
        guard ClockText.seconds(text) != nil, let end = text.firstIndex(of: ":"), let hour = Int(text[..<end]), (1...12).contains(hour)
        else {
            return nil
        }
        let full = hour % 12 + (self == .pm ? 12 : 0)
        return (full < 10 ? "0" : "") + String(full) + text[end...]
    }
}
