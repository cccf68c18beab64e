import Yams

/// The text of one file and the faults found in it so far.
package final class YAMLSource {
    /// Largest size of a file, in bytes; larger ones are rejected unread.
    package static let maximumSize = 1 << 20
    private static let maximumDepth = 16
    /// The most duplicate keys that are looked for, since each costs one more parse.
    private static let maximumDuplicates = 16

    package let file: String
    private var reported: [Diagnostic] = []
    /// Faults that are likely ones, in text that is valid.
    package private(set) var doubts: [Diagnostic] = []
    /// The text, without a byte order mark.
    let text: String
    private var lines: SourceLines

    /// - Throws: If the file is too large, not text or not UTF-8; all of this is checked before anything is parsed.
    package init(bytes: [UInt8], file: String, limit: Int = maximumSize) throws(Diagnostics) {
        func refusal(_ fault: TextFault, _ place: YAMLTree.Place = .init(line: 0, column: 0), line: String = "") -> Diagnostics {
            Diagnostics([Diagnostic(fault: fault, file: file, place: place, sourceLine: line)])
        }
        if let content = ForeignContent(bytes) { throw refusal(.foreign(content, file: file)) }
        guard bytes.count <= limit else { throw refusal(.tooLarge(limit: limit)) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let (offset, place) = Self.firstInvalidByte(bytes)
            throw refusal(.notUTF8(byte: offset), place, line: Self.line(around: offset, of: bytes))
        }
        self.file = file
        // A byte order mark is not part of the text.
        self.text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        lines = SourceLines(self.text)
    }

    /// Reports a fault. The same fault at the same place is reported once: an alias has the place of its anchor.
    package func report(_ fault: TextFault, at place: YAMLTree.Place) {
        let found = cause(of: fault, at: place)
        if reported.last != found { reported.append(found) }
    }

    /// Without what is missing, if there are misleading characters: likely it is there, behind one of them.
    package var faults: [Diagnostic] {
        let isMisled = reported.contains { if case .misleadingCharacter = $0.fault as? TextFault { true } else { false } }
        return isMisled ? reported.filter { ($0.fault as? TextFault)?.isLack != true } : reported
    }

    /// Notes what is valid, but likely not meant.
    func doubt(_ fault: TextFault, at place: YAMLTree.Place) { doubts.append(cause(of: fault, at: place)) }

    /// A fault, or the misleading character there that it comes from.
    private func cause(of fault: TextFault, at place: YAMLTree.Place) -> Diagnostic {
        lines.misleading(at: place).map { diagnostic(.misleadingCharacter($0.scalar), at: $0.place) } ?? diagnostic(fault, at: place)
    }

    /// A diagnostic with its source line, without counting as a fault of the file.
    package func diagnostic(_ fault: TextFault, at place: YAMLTree.Place) -> Diagnostic {
        Diagnostic(fault: fault, file: file, place: place, sourceLine: lines[place.line] ?? "")
    }

    /// The document; `nil`, with the reason reported, if the file is empty or not YAML. Duplicate keys are reported and the last one is
    /// used, so that the rest can be checked too.
    package func tree(expected: String) -> YAMLTree? {
        guard !hasManyAliases() else { return nil }
        var text = text
        var replaced: [String: (key: String, line: Int)] = [:]
        while true {
            do {
                // Types of scalars are left to their readers: the usual rules cost ten times the rest of the parsing.
                let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
                guard let root = try parser.singleRoot(), !(root.scalar?.string.isEmpty ?? false) else {
                    report(.emptyFile(expected: expected), at: .init(line: 0, column: 0))
                    return nil
                }
                // Anchors live in the parser; nodes refer to them weakly.
                let tree = withExtendedLifetime(parser) { convert(root, depth: 0, replaced: replaced) }
                // Anchors and aliases are read as empty, so that any other fault would be misleading.
                return faults.contains { if case .sharedNode = $0.fault as? TextFault { true } else { false } } ? nil : tree
            } catch YamlError.duplicatedKeysInMapping(let duplicates, let context) {
                let place = YAMLTree.Place(line: context.mark.line, column: context.mark.column)
                guard replaced.count < Self.maximumDuplicates, let key = duplicates.first,
                    let (renamed, stand) = Self.rename(key, at: place, in: text, number: replaced.count)
                else {
                    report(.duplicateKey(duplicates.first ?? "", firstLine: place.line), at: place)
                    return nil
                }
                replaced[stand] = (key, place.line)
                text = renamed
            } catch let error as YamlError {
                report(error)
                return nil
            } catch {
                report(.syntax(problem: "\(error)", context: nil), at: .init(line: 0, column: 0))
                return nil
            }
        }
    }

    private func report(_ error: YamlError) {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
            let misplaced = lines.misplaced(through: mark.line)
            for found in misplaced { report(.misleadingCharacter(found.scalar), at: found.place) }
            guard misplaced.isEmpty else { return }
            let isAtEnd = mark.line > lines.all.lastIndex { !$0.allSatisfy(\.isWhitespace) }.map { $0 + 1 } ?? 0
            // A construct that is still open at the end is reported where it was opened.
            if isAtEnd, let context {
                report(.syntax(problem: problem, context: context.text), at: .init(line: context.mark.line, column: context.mark.column))
                return
            }
            let place = YAMLTree.Place(line: min(mark.line, lines.all.count), column: mark.column)
            if (lines[place.line] ?? "").prefix(while: { $0 == " " || $0 == "\t" }).contains("\t") {
                report(.tabIndent, at: place)
            } else {
                report(.syntax(problem: problem, context: context.map { "\($0.text) on line \($0.mark.line)" }), at: place)
            }
        case .composer(_, let problem, let mark, _):
            let place = YAMLTree.Place(line: mark.line, column: mark.column)
            report(problem.contains("another document") ? .severalDocuments : .sharedNode, at: place)
        case .reader(let problem, let offset, _, let yaml):
            let before = yaml.prefix(offset ?? 0).split(omittingEmptySubsequences: false) { $0.isNewline }
            report(
                .syntax(problem: problem, context: nil),
                at: .init(line: max(1, before.count), column: (before.last?.unicodeScalars.count ?? 0) + 1))
        default:
            report(.syntax(problem: "\(error)", context: nil), at: .init(line: 0, column: 0))
        }
    }

    /// Whether a node begins with a bracket. The style that the parser reports comes from the event that ends the node, which has none.
    private func begins(with bracket: Unicode.Scalar, at place: YAMLTree.Place) -> Bool {
        lines.scalar(at: place) == bracket
    }

    private func convert(_ node: Node, depth: Int, replaced: [String: (key: String, line: Int)]) -> YAMLTree {
        let place = YAMLTree.Place(line: node.mark?.line ?? 0, column: node.mark?.column ?? 0)
        if node.anchor != nil {
            report(.sharedNode, at: place)
            return YAMLTree(.scalar("", isQuoted: false), place: place)
        }
        guard depth < Self.maximumDepth else {
            report(.tooDeep(limit: Self.maximumDepth), at: place)
            return YAMLTree(.scalar("", isQuoted: false), place: place)
        }
        switch node {
        case .scalar(let scalar):
            return YAMLTree(.scalar(scalar.string, isQuoted: scalar.style != .plain && scalar.style != .any), place: place)
        case .sequence(let sequence):
            let isFlow = begins(with: "[", at: place)
            return YAMLTree(.list(sequence.map { convert($0, depth: depth + 1, replaced: replaced) }), place: place, isFlow: isFlow)
        case .mapping(let mapping):
            let isFlow = begins(with: "{", at: place)
            var firstLines: [String: Int] = [:]
            var pairs: [YAMLTree.Pair] = []
            for (key, value) in mapping {
                let keyPlace = YAMLTree.Place(line: key.mark?.line ?? 0, column: key.mark?.column ?? 0)
                if key.anchor != nil { report(.sharedNode, at: keyPlace) }
                guard case .scalar(let scalar) = key else {
                    report(.keyNotText(found: key.mapping == nil ? .list : .mapping), at: keyPlace)
                    continue
                }
                if let first = replaced[scalar.string] {
                    if let line = firstLines[first.key] {
                        report(.duplicateKey(first.key, firstLine: line), at: keyPlace)
                    } else {
                        firstLines[first.key] = first.line
                    }
                    continue
                }
                if let first = firstLines[scalar.string] { report(.duplicateKey(scalar.string, firstLine: first), at: keyPlace) }
                pairs.append(.init(scalar.string, convert(value, depth: depth + 1, replaced: replaced), keyPlace: keyPlace))
            }
            return YAMLTree(.mapping(pairs), place: place, isFlow: isFlow)
        case .alias:
            report(.sharedNode, at: place)
            return YAMLTree(.scalar("", isQuoted: false), place: place)
        }
    }
}

extension YAMLSource {
    /// Aliases within keys can make the parser hash a tree that is exponentially larger than its text; such a file is rejected before. A
    /// few aliases are harmless, and are reported at their places later.
    private func hasManyAliases() -> Bool {
        var aliases = 0
        var anchor: YAMLTree.Place?
        for (number, line) in lines.all.enumerated() {
            var previous: Unicode.Scalar = " "
            for (column, scalar) in line.unicodeScalars.enumerated() {
                defer { previous = scalar }
                guard " \t[{,:-?".unicodeScalars.contains(previous) else { continue }
                if scalar == "#", previous == " " { break }
                if scalar == "*" { aliases += 1 }
                if scalar == "&", anchor == nil { anchor = .init(line: number + 1, column: column + 1) }
            }
        }
        guard aliases > 15, let anchor else { return false }
        report(.sharedNode, at: anchor)
        return true
    }

    /// `text` with the key at `place` overwritten by as many characters that no key contains, so that all places stay the same.
    private static func rename(_ key: String, at place: YAMLTree.Place, in text: String, number: Int) -> (text: String, stand: String)? {
        var scalars = Array(text.unicodeScalars)
        var line = 1
        var start = 0
        while line < place.line, start < scalars.count {
            if scalars[start] == "\n" || (scalars[start] == "\r" && !(start + 1 < scalars.count && scalars[start + 1] == "\n")) {
                line += 1
            }
            start += 1
        }
        start += place.column - 1
        if start < scalars.count, scalars[start] == "\"" || scalars[start] == "'" { start += 1 }
        let length = key.unicodeScalars.count
        guard length > 0, start + length <= scalars.count, scalars[start..<start + length].elementsEqual(key.unicodeScalars),
            let mark = Unicode.Scalar(0xE000 + UInt32(number))
        else { return nil }
        scalars.replaceSubrange(start..<start + length, with: Array(repeating: mark, count: length))
        return (String(scalars: scalars), String(String.UnicodeScalarView(Array(repeating: mark, count: length))))
    }

    private static func firstInvalidByte(_ bytes: [UInt8]) -> (offset: Int, YAMLTree.Place) {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var place = YAMLTree.Place(line: 1, column: 1)
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            offset += UTF8.width(scalar)
            place = scalar == "\n" ? .init(line: place.line + 1, column: 1) : .init(line: place.line, column: place.column + 1)
        }
        return (offset, place)
    }

    private static func line(around offset: Int, of bytes: [UInt8]) -> String {
        let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let end = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
