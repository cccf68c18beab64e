/// The lines of a text, for looking at places in it, and for finding characters in it that look like a space, like nothing, or like the dash of
/// a list's item.
///
/// Word processors and web pages have such characters. YAML takes them for letters, so that its own messages are about something else, often
/// in another line.
struct SourceLines {
    /// Strings, not parts of one: each diagnostic shares the storage of its line, which may be the whole text.
    private let lines: [String]
    /// The place that was looked at last. The next one is mostly near it, so a long line is passed over only a few times.
    private var last: (place: YAMLTree.Place, index: String.Index)?
    private let hasMisleading: Bool

    typealias Found = (scalar: Unicode.Scalar, place: YAMLTree.Place)

    init(_ text: String) {
        hasMisleading = text.utf8.contains { $0 >= 0x80 } && text.unicodeScalars.contains { $0.isMisleading || $0.isTypographicDash }
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.map(String.init)
    }

    var all: [String] { lines }

    /// A line, counted from 1; `nil` if the text has no such line.
    subscript(_ number: Int) -> String? { lines.indices.contains(number - 1) ? lines[number - 1] : nil }

    /// Where a place is in its line; `nil` if it is not in the text.
    private mutating func index(at place: YAMLTree.Place) -> String.Index? {
        guard let scalars = self[place.line]?.unicodeScalars, place.column > 0 else { return nil }
        var (start, column) = (scalars.startIndex, 1)
        if let last, last.place.line == place.line { (start, column) = (last.index, last.place.column) }
        guard let index = scalars.index(start, offsetBy: place.column - column, limitedBy: scalars.endIndex), index < scalars.endIndex
        else {
            return nil
        }
        last = (place, index)
        return index
    }

    /// The scalar at a place; `nil` if that is not in the text.
    mutating func scalar(at place: YAMLTree.Place) -> Unicode.Scalar? {
        index(at: place).flatMap { self[place.line]?.unicodeScalars[$0] }
    }

    /// The first misleading character in the key or value at a place, or the dash with which a line begins there; `nil` if no character is
    /// misleading. Quoted text may contain such characters.
    mutating func misleading(at place: YAMLTree.Place) -> Found? {
        guard hasMisleading, let start = index(at: place), let line = self[place.line] else { return nil }
        let before = line.unicodeScalars[..<start], rest = line.unicodeScalars[start...]
        if let dash = rest.first, dash.isTypographicDash, rest.dropFirst().first == " ", before.allSatisfy({ $0 == " " }) {
            return (dash, place)
        }
        var previous: Unicode.Scalar = " "
        for (offset, scalar) in rest.enumerated() {
            if ",]}\"'#".unicodeScalars.contains(scalar) || previous == ":" && " \t".unicodeScalars.contains(scalar) { return nil }
            if scalar.isMisleading { return (scalar, .init(line: place.line, column: place.column + offset)) }
            previous = scalar
        }
        return nil
    }

    /// The misleading characters where a line is indented, and after the sign with which a value or an item begins, up to this line; one of each
    /// line. A dash is one only with which this line begins, since text of several lines may have such a list.
    mutating func misplaced(through end: Int) -> [Found] {
        guard hasMisleading else { return [] }
        let indent = self[end]?.unicodeScalars.prefix { $0 == " " }.count ?? 0
        let start = YAMLTree.Place(line: end, column: indent + 1)
        if scalar(at: start)?.isTypographicDash == true, let dash = misleading(at: start) { return [dash] }
        return lines.prefix(max(0, end)).enumerated().compactMap { number, line in
            Self.misplaced(in: line).map { ($0.scalar, .init(line: number + 1, column: $0.column)) }
        }
    }

    private static func misplaced(in line: String) -> (scalar: Unicode.Scalar, column: Int)? {
        var isLeading = true
        var previous: Unicode.Scalar = " "
        for (column, scalar) in line.unicodeScalars.enumerated() {
            if scalar.isMisleading, isLeading || ":-?".unicodeScalars.contains(previous) { return (scalar, column + 1) }
            if "\"'#".unicodeScalars.contains(scalar) { return nil }
            isLeading = isLeading && " \t-?".unicodeScalars.contains(scalar)
            previous = scalar
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// Whether it looks like a space, or like nothing, without being one.
    var isMisleading: Bool {
        !isASCII && (properties.generalCategory == .spaceSeparator || properties.generalCategory == .format)
    }

    /// Whether it is a dash or a minus sign of typeset text.
    var isTypographicDash: Bool { !isASCII && properties.generalCategory == .dashPunctuation || self == "\u{2212}" }
}
