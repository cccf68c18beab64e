/// Times as people write them: `90`, `1.5`, `1:30`, `1:02:03.25`.
package enum DurationText {
    /// The longest time that is read, in seconds: 366 days.
    package static let maximum = 31_622_400.0

    /// Seconds of `text`; `nil` when it is no time, is negative or is beyond ``maximum``.
    ///
    /// Seconds (digits, with a decimal point or exponent if wanted), `m:ss` or `h:mm:ss`, both with decimals of the second if wanted.
    /// After a colon there are two digits below 60.
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

    /// `m:ss` or `h:mm:ss`, with decimals when there is a fraction; ``parse(_:)`` gives the same number back.
    ///
    /// For a display of whole seconds round first. Negative numbers get a leading minus, what is not finite is `-:--`.
    package static func string(from seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e15 else { return "-:--" }
        guard seconds >= 0 else { return "-" + string(from: -seconds) }
        let digits = "\(seconds)".split(separator: ".")
        // Below 0.0001 the number is written with an exponent; as a fraction of a second that is nothing to show.
        guard let whole = Int(digits[0]) else { return "0:00" }
        let fraction = digits.count == 2 && digits[1] != "0" ? "." + digits[1] : ""
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))\(fraction)" : "\(minutes):\(twoDigits(rest))\(fraction)"
    }

    /// What a writer of `text` may have meant, in the form that is read: for `5m`, `5 min`, `1h`, `90s`, `1:5`.
    static func suggestion(for text: String) -> String? {
        let compact = text.lowercased().filter { $0 != " " }
        for (unit, factor) in [("hours", 3600.0), ("h", 3600), ("minutes", 60), ("mins", 60), ("min", 60), ("m", 60), ("sec", 1), ("s", 1)]
        where compact.hasSuffix(unit) {
            guard let number = NumberText.parse(String(compact.dropLast(unit.count))), number >= 0, number * factor <= maximum else {
                return nil
            }
            return string(from: number * factor)
        }
        let padded = compact.split(separator: ":").enumerated().map { $0 > 0 && $1.count == 1 ? "0" + $1 : String($1) }.joined(
            separator: ":")
        return padded != text && parse(padded) != nil ? padded : nil
    }

    /// Up to nine digits, or any number of them after a decimal point; `nil` for anything else.
    private static func digits(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text.prefix(9)) ?? 0
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

/// Decimal numbers as they stand in files, whatever the locale.
package enum NumberText {
    /// `nil` unless `text` is wholly a decimal number with an optional exponent; infinite when it is too large for one.
    package static func parse(_ text: String) -> Double? {
        let allowed = text.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
        guard allowed, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        return Double(text)
    }

    /// The shortest text that reads back as `number`; whole numbers without a point.
    package static func string(from number: Double) -> String {
        number == number.rounded(.towardZero) && abs(number) < 1e15 ? String(Int(number)) : "\(number)"
    }

    /// What a writer of `text` may have meant: a decimal comma, or a unit behind the number.
    static func suggestion(for text: String) -> String? {
        let number = text.prefix { !$0.isLetter }.filter { $0 != " " }.replacing(",", with: ".")
        return number != text && parse(number) != nil ? number : nil
    }
}
