/// Times as people write them: `90`, `1.5`, `1:30`, `1:02:03.25`.
package enum DurationText {
    /// The longest time that is read, in seconds: 366 days.
    package static let maximum = 31_622_400.0

    /// Seconds of `text`; `nil` if it is invalid, negative or beyond ``maximum``.
    ///
    /// It may be seconds (digits, with an optional decimal point or exponent), `m:ss` or `h:mm:ss`, both with optional decimals of the
    /// second. After a colon there are two digits below 60.
    package static func parse(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), text.utf8.count <= 64 else { return nil }
        let seconds: Double?
        if parts.count == 1 {
            seconds = NumberText.parse(text)
        } else {
            let last = parts[parts.count - 1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            var whole = 0
            for (index, field) in (parts.dropLast() + [last[0]]).enumerated() {
                guard let number = digits(field), index == 0 || (field.count == 2 && number < 60) else { return nil }
                whole = whole * 60 + number
            }
            if last.count == 2 {
                guard digits(last[1]) != nil else { return nil }
                seconds = Double("\(whole).\(last[1])")
            } else {
                seconds = Double(whole)
            }
        }
        guard let seconds, seconds >= 0, seconds <= maximum else { return nil }
        return seconds
    }

    /// `m:ss` or `h:mm:ss`, with decimals if there is a fraction; ``parse(_:)`` returns the same number.
    ///
    /// To show whole seconds, round first. Negative numbers get a leading minus; infinity and NaN become `-:--`.
    package static func string(from seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e15 else { return "-:--" }
        guard seconds >= 0 else { return "-" + string(from: -seconds) }
        // Swift writes smaller numbers with an exponent.
        guard seconds >= 0.0001 else { return "0:00" }
        let digits = "\(seconds)".split(separator: ".")
        guard let whole = Int(digits[0]) else { return "0:00" }
        let fraction = digits.count == 2 && digits[1] != "0" ? "." + digits[1] : ""
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))\(fraction)" : "\(minutes):\(twoDigits(rest))\(fraction)"
    }

    /// A correction of an invalid `text`, such as `5m`, `5 min`, `1h`, `90s` or `1:5`; `nil` if no correction is found.
    package static func suggestion(for text: String) -> String? {
        let compact = text.lowercased().filter { $0 != " " }
        if compact.contains("h"), let minutes = ["m", "min"].first(where: { compact.hasSuffix($0) }) {
            return suggestion(for: String(compact.dropLast(minutes.count)))
        }
        for (unit, factor) in [("hours", 3600.0), ("h", 3600), ("minutes", 60), ("mins", 60), ("min", 60), ("m", 60), ("sec", 1), ("s", 1)]
        where compact.hasSuffix(unit) {
            guard let number = NumberText.parse(String(compact.dropLast(unit.count))), number >= 0, number * factor <= maximum else {
                return nil
            }
            return string(from: number * factor)
        }
        let parts = compact.split(omittingEmptySubsequences: false) { $0 == "h" || $0 == ":" }
        if compact.contains("h"), parts.count == 2, let minutes = digits(parts[1]), minutes < 60 {
            return suggestion(for: "\(parts[0]):\(minutes):0")
        }
        let padded = compact.split(separator: ":").enumerated().map { $0 > 0 && $1.count == 1 ? "0" + $1 : String($1) }.joined(
            separator: ":")
        return padded != text && parse(padded) != nil ? padded : nil
    }

    /// The first nine digits as a number; `nil` if the text is anything but digits.
    private static func digits(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text.prefix(9)) ?? 0
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

/// Decimal numbers as in files, regardless of the locale.
package enum NumberText {
    /// The number in `text`; `nil` unless all of it is a decimal number with an optional exponent. Infinite if it is too large.
    package static func parse(_ text: String) -> Double? {
        let allowed = text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
        guard allowed, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        return Double(text)
    }

    /// The shortest text that reads back as `number`; whole numbers without a point.
    package static func string(from number: Double) -> String {
        number == number.rounded(.towardZero) && abs(number) < 1e15 ? String(Int(number)) : "\(number)"
    }

    /// A correction of a decimal comma, a dash in place of a minus, typographic quotation marks, digits of another script, a unit after the
    /// number, or a hexadecimal number; `nil` if no correction is found.
    package static func suggestion(for text: String) -> String? {
        if text.lowercased().hasPrefix("0x") { return UInt32(text.dropFirst(2), radix: 16).map { "\($0)" } }
        let written = text.prefix { !$0.isLetter }
        // A unit has no digits.
        guard !text[written.endIndex...].contains(where: \.isNumber) else { return nil }
        let number = String(written.unicodeScalars.compactMap(plain))
        return number != text && parse(number) != nil ? number : nil
    }

    /// The character of a plain number that a character stands for; `nil` if it is only around one.
    private static func plain(_ scalar: Unicode.Scalar) -> Character? {
        switch scalar {
        case " ", "\u{2018}"..."\u{201F}": nil
        case ",": "."
        case "\u{2212}", "\u{2013}": "-"
        default:
            scalar.properties.generalCategory == .decimalNumber
                ? scalar.properties.numericValue.flatMap { "\(Int($0))".first } : Character(scalar)
        }
    }
}
