import Patches

/// The fields of one mapping, read by type; invalid values are reported to the source and read as `nil`.
package struct Fields {
    /// How messages name the mapping: "the patch", "`fade`", "layer 2".
    package let owner: String
    package let place: YAMLTree.Place
    package let pairs: [YAMLTree.Pair]
    let source: YAMLSource

    /// Reads a mapping. If `tree` is not one, that is reported and the result is `nil`; `content` completes "expected a mapping of …".
    package init?(_ tree: YAMLTree, of owner: String, content: String, in source: YAMLSource) {
        guard case .mapping(let pairs) = tree.content else {
            source.report(.unexpected(found: tree.found, expected: .mapping(of: content)), at: tree.place)
            return nil
        }
        self.owner = owner
        self.pairs = pairs
        self.source = source
        place = tree.place
    }

    package subscript(_ key: String) -> YAMLTree? {
        pairs.first { $0.key == key }?.value
    }

    package func keyPlace(_ key: String) -> YAMLTree.Place {
        pairs.first { $0.key == key }?.keyPlace ?? place
    }

    /// Reports every key that is not among `known`.
    package func refuseKeys(except known: [String]) {
        for pair in pairs where !known.contains(pair.key) {
            source.report(unknown(pair.key, expected: known), at: pair.keyPlace)
        }
    }

    /// A key with a misleading character is never meant, not even in quotes.
    private func unknown(_ key: String, expected: [String]) -> TextFault {
        key.unicodeScalars.first(where: \.isMisleading).map { .misleadingCharacter($0) }
            ?? .unknownKey(key, owner: owner, expected: expected)
    }

    /// The keys that are not among `known`, for writing them back as they are. One that resembles a known key, or has a misleading character,
    /// is noted as a doubt.
    @discardableResult
    package func otherPairs(than known: [String]) -> [YAMLTree.Pair] {
        let others = pairs.filter { !known.contains($0.key) }
        for pair in others where closest(to: pair.key, among: known) != nil || pair.key.unicodeScalars.contains(where: \.isMisleading) {
            source.doubt(unknown(pair.key, expected: known), at: pair.keyPlace)
        }
        return others
    }

    /// The value of a key that must be there; `hint` says what to write.
    package func required(_ key: String, hint: String) -> YAMLTree? {
        if let value = self[key] { return value }
        source.report(.missingKey(key, owner: owner, hint: hint), at: place)
        return nil
    }

    package func text(_ key: String, noun: String, limit: Int = 4096) -> String? {
        self[key].flatMap { source.text($0, noun: noun, limit: limit) }
    }

    package func number(_ key: String, in range: ClosedRange<Double>, unit: Unit = .ratio) -> Double? {
        self[key].flatMap { source.number($0, named: key, in: range, unit: unit) }
    }

    package func wholeNumber(_ key: String, in range: ClosedRange<UInt64>) -> UInt64? {
        self[key].flatMap { source.wholeNumber($0, in: range) }
    }

    package func duration(_ key: String) -> Double? {
        self[key].flatMap { source.duration($0) }
    }

    package func truth(_ key: String) -> Bool? {
        self[key].flatMap { source.truth($0) }
    }

    /// One of the cases of an enumeration, by its raw value; `noun` names them ("easing").
    package func choice<Choice: CaseIterable & RawRepresentable>(_ key: String, noun: String) -> Choice? where Choice.RawValue == String {
        self[key].flatMap { source.choice($0, noun: noun) }
    }

    package func list(_ key: String, of items: String) -> [YAMLTree]? {
        self[key].flatMap { source.list($0, of: items) }
    }

    package func fields(_ key: String, content: String) -> Fields? {
        self[key].flatMap { Fields($0, of: TextFault.quote(key), content: content, in: source) }
    }
}

extension YAMLTree {
    package var found: TextFault.Found {
        switch content {
        case .scalar(let text, let isQuoted): isNull ? .nothing : isQuoted ? .quoted(text) : .text(text)
        case .list: .list
        case .mapping: .mapping
        }
    }
}

extension YAMLSource {
    package func text(_ tree: YAMLTree, noun: String, limit: Int = 4096) -> String? {
        guard case .scalar(let text, _) = tree.content, !tree.isNull else {
            report(.unexpected(found: tree.found, expected: .text(noun)), at: tree.place)
            return nil
        }
        guard text.utf8.count <= limit else {
            report(.tooLong(of: noun, count: text.utf8.count, limit: limit), at: tree.place)
            return nil
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\n" }) else {
            report(.controlCharacter(of: noun), at: tree.place)
            return nil
        }
        return text
    }

    package func number(_ tree: YAMLTree, named name: String, in range: ClosedRange<Double>, unit: Unit) -> Double? {
        guard case .scalar(let text, isQuoted: false) = tree.content, !tree.isNull else {
            report(.unexpected(found: tree.found, expected: .number(unit)), at: tree.place)
            return nil
        }
        // The minus of typeset text.
        guard let number = NumberText.parse(text.replacing("\u{2212}", with: "-")), number.isFinite else {
            let word = text.lowercased().drop { "+-.".contains($0) }
            let isNotFinite = NumberText.parse(text) != nil || ["inf", "infinity", "nan"].contains(word)
            report(isNotFinite ? .notFinite(text) : .unexpected(found: tree.found, expected: .number(unit)), at: tree.place)
            return nil
        }
        guard range.contains(number) else {
            report(.outOfRange(number, range, of: name, unit: unit), at: tree.place)
            return nil
        }
        return number
    }

    package func wholeNumber(_ tree: YAMLTree, in range: ClosedRange<UInt64>) -> UInt64? {
        if case .scalar(let text, isQuoted: false) = tree.content, let number = UInt64(text), range.contains(number) { return number }
        report(.unexpected(found: tree.found, expected: .wholeNumber(range)), at: tree.place)
        return nil
    }

    /// Reads a duration in seconds, quoted or not: other readers of YAML take 10:00 for a number to the base 60, so some people quote it.
    package func duration(_ tree: YAMLTree) -> Double? {
        if case .scalar(let text, _) = tree.content, let seconds = DurationText.parse(text) { return seconds }
        report(.unexpected(found: tree.found, expected: .duration), at: tree.place)
        return nil
    }

    /// Reads a time of day in seconds after midnight, quoted or not.
    package func timeOfDay(_ tree: YAMLTree) -> Double? {
        if case .scalar(let text, _) = tree.content, let seconds = TimeOfDayText.parse(text) { return seconds }
        report(.unexpected(found: tree.found, expected: .timeOfDay), at: tree.place)
        return nil
    }

    package func truth(_ tree: YAMLTree) -> Bool? {
        if case .scalar(let text, isQuoted: false) = tree.content, let truth = Bool(text) { return truth }
        report(.unexpected(found: tree.found, expected: .truth), at: tree.place)
        return nil
    }

    package func choice<Choice: CaseIterable & RawRepresentable>(_ tree: YAMLTree, noun: String) -> Choice?
    where Choice.RawValue == String {
        let article = noun.first.map { "aeiou".contains($0) } == true ? "an" : "a"
        guard let name = text(tree, noun: "\(article) \(noun)") else { return nil }
        if let choice = Choice(rawValue: name) { return choice }
        report(.unknownName(name, of: noun, choices: Choice.allCases.map(\.rawValue)), at: tree.place)
        return nil
    }

    package func easing(_ tree: YAMLTree) -> Easing? {
        guard let name = text(tree, noun: "an easing") else { return nil }
        if let easing = Easing(rawValue: name) { return easing }
        report(.unknownEasing(name), at: tree.place)
        return nil
    }

    package func list(_ tree: YAMLTree, of items: String) -> [YAMLTree]? {
        if case .list(let list) = tree.content { return list }
        report(.unexpected(found: tree.found, expected: .list(of: items)), at: tree.place)
        return nil
    }
}
