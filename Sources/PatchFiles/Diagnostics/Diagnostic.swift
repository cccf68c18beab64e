/// A fault with its place, as shown to the user.
package struct Diagnostic: Sendable {
    package let fault: any Fault
    /// The path as it was given.
    package let file: String
    /// 0:0 if it is about the file as a whole.
    package let place: Place
    /// The line at that place, without its end.
    package let sourceLine: String
    /// Further lines with the same fault, if they are not reported on their own.
    package var alsoInLines: [Int] = []

    package init(fault: any Fault, file: String, place: Place, sourceLine: String) {
        self.fault = fault
        self.file = file
        self.place = place
        self.sourceLine = sourceLine
    }

    /// The place where something begins: line and column, counted from 1; columns in Unicode scalars.
    package struct Place: Hashable, Sendable {
        package var line: Int
        package var column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }
}

extension Diagnostic: Equatable {
    package static func == (a: Self, b: Self) -> Bool {
        a.fault.isEqual(to: b.fault) && a.file == b.file && a.place == b.place && a.sourceLine == b.sourceLine
            && a.alsoInLines == b.alsoInLines
    }
}

/// All faults found in one file, in the order of the lines; at least one.
package struct Diagnostics: Error, Equatable, Sendable {
    package let all: [Diagnostic]
    /// How many more faults there are than ``all``, which stops at ``limit``.
    package let omitted: Int

    package static let limit = 50

    package init(_ found: [Diagnostic]) {
        let sorted = found.enumerated().sorted {
            ($0.element.place.line, $0.element.place.column, $0.offset) < ($1.element.place.line, $1.element.place.column, $1.offset)
        }
        all = sorted.prefix(Self.limit).map(\.element)
        omitted = max(0, found.count - Self.limit)
    }
}

extension Diagnostic: CustomStringConvertible {
    /// `file:line:column: what was found`, the line with a caret under the place, what was expected.
    package var description: String { text(mark: "") }

    /// The same, marked as a warning.
    package var warning: String { text(mark: "warning: ") }

    private func text(mark: String) -> String {
        var words = fault.words
        words.found += others
        guard place.line > 0 else { return "\(file): \(mark)\(words.found)" + (words.advice.map { "\n  \($0)" } ?? "") }
        let (line, caret) = excerpt
        return "\(file):\(place.line):\(place.column): \(mark)\(words.found)\n    \(line)\n    \(caret)^"
            + (words.advice.map { "\n  \($0)" } ?? "")
    }

    /// The other lines, at most five of them.
    private var others: String {
        let lines = Set(alsoInLines).subtracting([place.line]).sorted()
        guard let last = lines.last else { return "" }
        if lines.count == 1 { return " (also in line \(last))" }
        let named = lines.prefix(5)
        let rest = lines.count > named.count ? " and \(lines.count - named.count) more" : " and \(last)"
        let first = lines.count > named.count ? named : named.dropLast()
        return " (also in lines \(first.map(String.init).joined(separator: ", "))\(rest))"
    }

    /// At most 100 characters of the line around the place, and blanks up to the place.
    private var excerpt: (line: String, blank: String) {
        let scalars = sourceLine.unicodeScalars.map { $0 != "\t" && $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        let column = min(max(0, place.column - 1), scalars.count)
        let start = column > 80 ? column - 60 : 0
        let end = min(scalars.count, start + 100)
        func text(_ range: Range<Int>) -> String { String(scalars: scalars[range]) }
        let (head, tail) = (start > 0 ? "…" : "", end < scalars.count ? "…" : "")
        // A tab stays a tab, so that the caret stands below its place whatever the tab's width.
        let blank = String((head + text(start..<column)).map { $0 == "\t" ? "\t" : " " })
        return (head + text(start..<end) + tail, blank)
    }
}

extension Diagnostics: CustomStringConvertible {
    package var description: String {
        let more = omitted > 0 ? ["… and \(omitted) more."] : []
        return (all.map(\.description) + more).joined(separator: "\n")
    }
}
