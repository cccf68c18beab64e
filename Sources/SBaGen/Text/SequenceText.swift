import PatchFiles

/// The lines of one sequence, cut into words, and the faults found in it so far.
final class SequenceText {
    typealias Place = Diagnostic.Place

    /// A run of scalars without blanks.
    struct Word: Equatable {
        var text: String
        var place: Place

        /// The place of its scalar at an index.
        func place(at index: Int) -> Place { Place(line: place.line, column: place.column + index) }
    }

    struct Line {
        var words: [Word]
        /// The text after `##`.
        var description: String?
        /// Where a comment begins that only SBaGenX reads: `;` or `//`.
        var laterComment: Place?
        var number: Int

        var start: Place { words.first?.place ?? Place(line: number, column: 1) }

        /// The text of words from an index on, with one blank between them.
        func text(from index: Int = 0) -> String { words.dropFirst(index).map(\.text).joined(separator: " ") }
    }

    private(set) var faults: [Diagnostic] = []
    private let file: String
    private let scalars: [Unicode.Scalar]
    /// The index of the first scalar of each line, and of the line that would follow the last one.
    private let starts: [Int]

    /// - Throws: If the file is empty, too large, or a sound file, a picture or the like.
    init(bytes: [UInt8], file: String) throws(Diagnostics) {
        func refusal(_ fault: any Fault) -> Diagnostics {
            Diagnostics([Diagnostic(fault: fault, file: file, place: Place(line: 0, column: 0), sourceLine: "")])
        }
        if let content = ForeignContent(bytes) { throw refusal(TextFault.foreign(content, file: file)) }
        guard !bytes.isEmpty else {
            throw refusal(
                TextFault.emptyFile(
                    expected: file.hasSuffix(".sbxseq")
                        ? "a time and a voice, such as `0 200+10/20`" : "a sequence: a tone-set and a time, such as `NOW name`"))
        }
        guard bytes.count <= YAMLSource.maximumSize else { throw refusal(TextFault.tooLarge(limit: YAMLSource.maximumSize)) }
        self.file = file
        let scalars = Self.scalars(of: bytes)
        if !scalars.contains("\n"), scalars.dropLast().contains("\r") { throw refusal(SequenceFault.carriageReturns) }
        self.scalars = scalars
        starts = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 } + [scalars.count + 1]
    }

    var lineCount: Int { starts.count - 1 }

    /// Whether each line is a ``VoiceLine``. Without times of day, such a file plays once, from its first line to its last one.
    var hasVoiceLines: Bool { file.hasSuffix(".sbxseq") }

    /// The line with a number, from 1.
    func line(_ number: Int) -> Line {
        let line = scalars[range(ofLine: number)]
        return Self.line(hasVoiceLines ? Self.withoutComment(line) : line, number: number)
    }

    /// A line of a `.sbxseq` file up to `;` or `//`, which begin comments there too.
    private static func withoutComment(_ line: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        line[..<(line.indices.first { beginsLaterComment(at: $0, in: line) } ?? line.endIndex)]
    }

    private static func beginsLaterComment(at index: Int, in line: ArraySlice<Unicode.Scalar>) -> Bool {
        line[index] == ";" || line[index] == "/" && index + 1 < line.endIndex && line[index + 1] == "/"
    }

    /// The range of a line without its line end.
    private func range(ofLine number: Int) -> Range<Int> {
        let end = starts[number] - 1
        return starts[number - 1]..<(end > starts[number - 1] && scalars[end - 1] == "\r" ? end - 1 : end)
    }

    /// Decodes UTF-8, or one byte per letter as in old files; letters beyond ASCII matter only in remarks.
    private static func scalars(of bytes: [UInt8]) -> [Unicode.Scalar] {
        let text = String(validating: bytes, as: UTF8.self).map { Array($0.unicodeScalars) } ?? bytes.map { Unicode.Scalar($0) }
        return text.first == "\u{FEFF}" ? Array(text.dropFirst()) : text
    }

    private static func line(_ scalars: ArraySlice<Unicode.Scalar>, number: Int) -> Line {
        var line = Line(words: [], number: number)
        var index = scalars.startIndex
        while index < scalars.endIndex, scalars[index] != "#" {
            if isBlank(scalars[index]) {
                index += 1
                continue
            }
            // The name of a sound file may contain anything; in the other words of options only the beginning counts.
            let isFile = line.words.last.map { $0.text.hasPrefix("-") && $0.text.contains("m") } == true
            if !isFile, beginsLaterComment(at: index, in: scalars) {
                line.laterComment = Place(line: number, column: index - scalars.startIndex + 1)
                return line
            }
            let isWhole = isFile || line.words.first?.text.hasPrefix("-") == true
            let start = index
            while index < scalars.endIndex, !isBlank(scalars[index]), scalars[index] != "#",
                isWhole || !beginsLaterComment(at: index, in: scalars)
            {
                index += 1
            }
            if let option = line.words.last { index = endOfSection(at: index, in: scalars, after: option) }
            line.words.append(
                Word(
                    text: String(scalars: scalars[start..<index]),
                    place: Place(line: number, column: start - scalars.startIndex + 1)))
        }
        if index + 1 < scalars.endIndex, scalars[index + 1] == "#" {
            let text = scalars[(index + 2)...].drop(while: isBlank)
            let end = text.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? text.startIndex
            line.description = String(scalars: text[..<end].map { $0.properties.generalCategory == .control ? " " : $0 })
        }
        return line
    }

    /// The index after the `#1` of `-m river.ogg#1`; `index` if no section follows, since any other `#` starts a comment.
    private static func endOfSection(at index: Int, in scalars: ArraySlice<Unicode.Scalar>, after option: Word) -> Int {
        guard option.text.hasPrefix("-"), option.text.contains("m"), index < scalars.endIndex, scalars[index] == "#" else { return index }
        let digits = scalars[(index + 1)...].prefix { !isBlank($0) }
        return (1...9).contains(digits.count) && digits.allSatisfy { ("0"..."9").contains($0) } ? digits.endIndex : index
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { " \t\r\u{0B}\u{0C}".unicodeScalars.contains(scalar) }

    func report(_ fault: SequenceFault, at place: Place) {
        faults.append(diagnostic(fault, at: Place(line: place.line, column: place.column + fault.remedyOffset)))
    }

    func report(_ fault: TextFault, at place: Place) { faults.append(diagnostic(fault, at: place)) }

    /// All faults found, each once: a fault that many tone-sets share names the other lines that have it.
    func diagnostics() -> Diagnostics { Diagnostics(Self.merged(faults)) }

    /// Each fault at its first place, with the lines of the others.
    static func merged(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        var merged: [Diagnostic] = []
        var indices: [String: Int] = [:]
        for diagnostic in diagnostics {
            let words = diagnostic.fault.words
            let key = "\(words.found)\n\(words.advice ?? "")"
            // Within a line each has its own place.
            if let index = indices[key], merged[index].place.line != diagnostic.place.line {
                merged[index].alsoInLines.append(diagnostic.place.line)
            } else {
                indices[key] = merged.count
                merged.append(diagnostic)
            }
        }
        return merged
    }

    /// A diagnostic with its source line, without counting as a fault of the file.
    func diagnostic(_ fault: any Fault, at place: Place) -> Diagnostic {
        let line = (1...lineCount).contains(place.line) ? String(scalars: scalars[range(ofLine: place.line)]) : ""
        return Diagnostic(fault: fault, file: file, place: place, sourceLine: line)
    }
}
