import Patches

extension SoundSegments {
    /// Reads an `SBAGEN_LOOPER`, such as `i d10-70 s4-12 f0.2 #0 c2 #1 c1`.
    ///
    /// As SBaGen does, it lengthens crossfades to 20 ms and segments to three crossfades.
    ///
    /// - Parameter section: The K of `FILE#K`; 0 for FILE alone.
    /// - Returns: `nil` if the text is invalid.
    init?(looper text: String, section: Int) {
        var rest = text[...]
        var (streams, exchangesEars, hasIntro) = (1, true, false)
        var (length, part, fade): (Span?, Span?, Double) = (nil, nil, 1)
        // Values after the number of another section are skipped.
        var isMeant = true
        while let letter = rest.popFirst() {
            if letter.isASCII, letter.isWhitespace { continue }
            let values = Span(&rest)
            switch (letter, values?.first, values?.last) {
            case ("i", nil, _): hasIntro = hasIntro || isMeant
            case ("s", .some, _): if isMeant { length = values }
            case ("d", .some(let first), let last):
                if let last, last < first + Self.lengthRange.lowerBound { return nil }
                if isMeant { part = values }
            case ("f", .some(let value), nil): if isMeant { fade = value }
            case ("c", .some(let value), nil) where value == 1 || value == 2: if isMeant { streams = Int(value) }
            case ("w", .some(let value), nil) where value == 0 || value == 1: if isMeant { exchangesEars = value == 1 }
            case ("#", .some(let value), nil): isMeant = value == Double(section)
            default: return nil
            }
        }
        let crossfade = min(max(fade, Self.crossfadeRange.lowerBound), Self.crossfadeRange.upperBound)
        let start = part?.first ?? 0
        self.init(
            lengths: length.map { Self.lengths($0, crossfade: crossfade) }, crossfade: crossfade, streams: streams,
            exchangesEars: exchangesEars, start: start, end: part?.last, playsIntro: hasIntro && start > 0)
    }

    private static func lengths(_ length: Span, crossfade: Double) -> ClosedRange<Double> {
        func valid(_ seconds: Double) -> Double { min(max(seconds, 3 * crossfade, lengthRange.lowerBound), lengthRange.upperBound) }
        let longest = length.last ?? length.first
        return valid(min(length.first, longest))...valid(longest)
    }

    /// One number, or two with a `-` between them: seconds, up to the longest time of a patch.
    private struct Span {
        let first: Double
        private(set) var last: Double?

        /// Takes it from the start of a text; `nil` if there is no number.
        init?(_ text: inout Substring) {
            guard let first = Self.number(&text) else { return nil }
            self.first = first
            guard text.first == "-" else { return }
            text.removeFirst()
            // `d10-` lasts until the end of the file.
            last = Self.number(&text)
        }

        private static func number(_ text: inout Substring) -> Double? {
            let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let value = NumberText.parse(String(digits)), value <= DurationText.maximum else { return nil }
            text = text[digits.endIndex...]
            return value
        }
    }
}
