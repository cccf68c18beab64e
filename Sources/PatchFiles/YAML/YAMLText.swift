/// The text of a YAML document in which values are replaced, added and removed, so that comments and layout stay as they were written.
///
/// The places of its trees are those of the text that it began with.
struct YAMLText {
    private let scalars: [Unicode.Scalar]
    /// The offset at which each line begins.
    private let lineStarts: [Int]
    private var changes: [(range: Range<Int>, text: String)] = []

    /// The text is written in a way that is not understood.
    struct Misread: Error {}

    /// - Parameter text: as ``YAMLSource`` reads it, without a byte order mark.
    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        var starts = [0]
        for (index, scalar) in scalars.enumerated() where scalar == "\n" || scalar == "\r" {
            if scalar == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { continue }
            starts.append(index + 1)
        }
        lineStarts = starts
    }

    /// The text with all changes; `nil` if two of them overlap.
    var text: String? {
        var result = scalars
        var last = scalars.count
        // Where two changes begin at one place, the one made first comes first.
        let sorted = changes.enumerated().sorted { ($0.element.range.lowerBound, $0.offset) > ($1.element.range.lowerBound, $1.offset) }
        for (_, change) in sorted {
            guard change.range.upperBound <= last else { return nil }
            result.replaceSubrange(change.range, with: Array(change.text.unicodeScalars))
            last = change.range.lowerBound
        }
        return String(String.UnicodeScalarView(result))
    }

    private mutating func change(_ range: Range<Int>, to text: String) { changes.append((range, text)) }

    /// Replaces a value that is on one line.
    mutating func replace(_ tree: YAMLTree, with new: YAMLTree) throws(Misread) {
        try change(range(tree), to: new.inline(inFlow: true))
    }

    /// Replaces a key and its value.
    mutating func replace(_ pair: YAMLTree.Pair, with new: YAMLTree.Pair) throws(Misread) {
        try replace(pair.value, with: new.value)
        guard pair.key != new.key else { return }
        try change(range(YAMLTree(.scalar(pair.key, isQuoted: isQuoted(pair.keyPlace)), place: pair.keyPlace)), to: new.key)
    }

    /// Adds a key at the end of a mapping.
    mutating func append(_ pair: YAMLTree.Pair, to mapping: YAMLTree) throws(Misread) {
        guard case .mapping(let pairs) = mapping.content else { throw Misread() }
        if mapping.isFlow {
            let text = "\(pair.key): \(pair.value.inline(inFlow: true))"
            let end = try end(mapping) - 1
            change(end..<end, to: pairs.isEmpty ? text : ", " + text)
        } else {
            guard let first = pairs.first, let last = pairs.last else { throw Misread() }
            let end = lineEnd(after: try self.end(last.value))
            let indented = YAMLTree.mapping([pair]).yaml.split(separator: "\n").map { blanks(first.keyPlace.column - 1) + $0 }
            change(end..<end, to: indented.map { "\n" + $0 }.joined())
        }
    }

    /// Removes keys and their values from a mapping that has others.
    mutating func remove(_ removed: [Int], from mapping: YAMLTree) throws(Misread) {
        guard case .mapping(let pairs) = mapping.content else { throw Misread() }
        if mapping.isFlow {
            try remove(removed, from: pairs.map { ($0.keyPlace, $0.value) })
        } else {
            for index in removed { try change(lines(from: pairs[index].keyPlace, through: pairs[index].value), to: "") }
        }
    }

    /// Removes parts of a list or mapping in brackets, with the commas after them, or before them at the end.
    private mutating func remove(_ removed: [Int], from parts: [(start: YAMLTree.Place, value: YAMLTree)]) throws(Misread) {
        guard let lastKept = parts.indices.last(where: { !removed.contains($0) }) else { throw Misread() }
        for index in removed where index < lastKept {
            try change(range(from: offset(parts[index].start), to: offset(parts[index + 1].start)), to: "")
        }
        guard lastKept + 1 < parts.count else { return }
        try change(range(from: end(parts[lastKept].value), to: end(parts[parts.count - 1].value)), to: "")
    }

    /// Adds an item, on a line of its own in a list of lines, before the item at an index or at the end.
    mutating func insert(_ item: YAMLTree, before index: Int, into list: YAMLTree) throws(Misread) {
        guard case .list(let items) = list.content, let last = items.last else { throw Misread() }
        let text = item.inline(inFlow: true)
        if list.isFlow {
            let place = index < items.count ? try offset(items[index].place) : try end(last)
            change(place..<place, to: index < items.count ? text + ", " : ", " + text)
        } else if index < items.count {
            let start = try dashLine(items[index])
            change(start.offset..<start.offset, to: blanks(start.indent) + "- " + text + "\n")
        } else {
            let end = lineEnd(after: try self.end(last))
            change(end..<end, to: "\n" + blanks(try dashLine(last).indent) + "- " + text)
        }
    }

    /// Removes items from a list that has others.
    mutating func removeItems(_ removed: [Int], from list: YAMLTree) throws(Misread) {
        guard case .list(let items) = list.content else { throw Misread() }
        if list.isFlow {
            try remove(removed, from: items.map { ($0.place, $0) })
        } else {
            for index in removed {
                let start = try dashLine(items[index]).offset
                try change(lines(from: start, through: end(items[index])), to: "")
            }
        }
    }
}

/// Places in the text.
extension YAMLText {
    private func offset(_ place: YAMLTree.Place) throws(Misread) -> Int {
        guard lineStarts.indices.contains(place.line - 1), place.column > 0 else { throw Misread() }
        let offset = lineStarts[place.line - 1] + place.column - 1
        guard offset <= scalars.count else { throw Misread() }
        return offset
    }

    private func isQuoted(_ place: YAMLTree.Place) -> Bool {
        guard let start = try? offset(place), start < scalars.count else { return false }
        return scalars[start] == "\"" || scalars[start] == "'"
    }

    /// The range of a scalar, with its quotes, or of a list or mapping on one line.
    private func range(_ tree: YAMLTree) throws(Misread) -> Range<Int> { try range(from: offset(tree.place), to: end(tree)) }

    /// The parser counts line breaks that this type does not, so its places may be out of order.
    private func range(from start: Int, to end: Int) throws(Misread) -> Range<Int> {
        guard start <= end else { throw Misread() }
        return start..<end
    }

    /// The offset behind a value.
    private func end(_ tree: YAMLTree) throws(Misread) -> Int {
        let start = try offset(tree.place)
        switch tree.content {
        case .scalar(let text, isQuoted: false):
            let end = start + text.unicodeScalars.count
            guard end <= scalars.count, scalars[start..<end].elementsEqual(text.unicodeScalars) else { throw Misread() }
            return end
        case .scalar: return try endOfQuoted(at: start)
        case .list, .mapping: break
        }
        if tree.isFlow { return try endOfFlow(at: start) }
        let last: YAMLTree? =
            switch tree.content {
            case .list(let items): items.last
            case .mapping(let pairs): pairs.last?.value
            case .scalar: nil
            }
        guard let last else { throw Misread() }
        return try end(last)
    }

    private func endOfQuoted(at start: Int) throws(Misread) -> Int {
        guard start < scalars.count, scalars[start] == "\"" || scalars[start] == "'" else { throw Misread() }
        let quote = scalars[start]
        var index = start + 1
        while index < scalars.count {
            if quote == "\"", scalars[index] == "\\" {
                index += 1
            } else if scalars[index] == quote {
                guard quote == "'", index + 1 < scalars.count, scalars[index + 1] == quote else { return index + 1 }
                index += 1
            }
            index += 1
        }
        throw Misread()
    }

    /// The offset behind the bracket that closes the one at `start`; quotes and comments in between are passed over.
    private func endOfFlow(at start: Int) throws(Misread) -> Int {
        var depth = 0
        var index = start
        while index < scalars.count {
            let scalar = scalars[index]
            let previous: Unicode.Scalar = index > start ? scalars[index - 1] : " "
            // In a plain scalar a quote is only a character.
            if scalar == "\"" || scalar == "'", " \t\n\r,[{:".unicodeScalars.contains(previous) {
                index = try endOfQuoted(at: index)
                continue
            }
            if scalar == "#", " \t\n\r".unicodeScalars.contains(previous) {
                index = lineEnd(after: index)
                continue
            }
            if scalar == "[" || scalar == "{" { depth += 1 }
            if scalar == "]" || scalar == "}" { depth -= 1 }
            index += 1
            if depth == 0 { return index }
        }
        throw Misread()
    }

    /// The end of a line, before its line break.
    private func lineEnd(after offset: Int) -> Int {
        scalars[offset...].firstIndex { $0 == "\n" || $0 == "\r" } ?? scalars.count
    }

    /// The lines of a key and its value.
    private func lines(from place: YAMLTree.Place, through value: YAMLTree) throws(Misread) -> Range<Int> {
        let key = try offset(place)
        let start = lineStarts[place.line - 1]
        // A line that begins a list's item has the item's dash.
        guard scalars[start..<key].allSatisfy({ $0 == " " }) else { throw Misread() }
        return try lines(from: start, through: end(value))
    }

    /// Whole lines with the line break before them, so that what is added after them stands on a line of its own.
    private func lines(from start: Int, through end: Int) throws(Misread) -> Range<Int> {
        guard start > 0 else { return 0..<(lineStarts.first { $0 > end } ?? scalars.count) }
        let isPair = start > 1 && scalars[start - 2] == "\r" && scalars[start - 1] == "\n"
        return try range(from: start - (isPair ? 2 : 1), to: lineEnd(after: end))
    }

    /// The line of an item's dash, and how far it is indented.
    private func dashLine(_ item: YAMLTree) throws(Misread) -> (offset: Int, indent: Int) {
        let place = try offset(item.place)
        let start = lineStarts[item.place.line - 1]
        let before = scalars[start..<place]
        guard let dash = before.firstIndex(where: { $0 != " " }), before[dash...].allSatisfy({ $0 == "-" || $0 == " " }),
            before[dash...].count(where: { $0 == "-" }) == 1
        else { throw Misread() }
        return (start, dash - start)
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
