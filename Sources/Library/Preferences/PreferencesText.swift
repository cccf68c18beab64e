import PatchFiles
import Patches
import Playback

/// The parsed contents of a preferences file.
struct PreferencesText {
    var values = PreferenceValues()
    /// Unknown pairs, such as those of a newer version; they are written back unchanged.
    var kept: [YAMLTree.Pair] = []
    /// Warnings about unknown names that resemble a preference's; the pairs are kept.
    var doubts: [Diagnostic] = []

    static let limit = YAMLSource.maximumSize

    /// - Returns: the valid values, and what is wrong; invalid values are left out.
    static func parse(_ bytes: [UInt8], file: String) -> (text: PreferencesText, faults: Diagnostics?) {
        do throws(Diagnostics) {
            let source = try YAMLSource(bytes: bytes, file: file)
            var text = PreferencesText()
            if let tree = source.tree(expected: "preferences"),
                let fields = Fields(tree, of: "the preferences", content: "names and values, such as `crossfade: 4`", in: source)
            {
                text.read(fields, source)
            }
            // A file that is empty or holds only comments is valid.
            let isEmpty = source.faults.allSatisfy { if case .emptyFile = $0.fault as? TextFault { true } else { false } }
            return (text, isEmpty ? nil : Diagnostics(source.faults))
        } catch {
            return (PreferencesText(), error)
        }
    }

    private mutating func read(_ fields: Fields, _ source: YAMLSource) {
        let names = PreferenceDescription.all.map(\.name)
        kept = fields.otherPairs(than: names)
        for description in PreferenceDescription.all {
            guard let tree = fields[description.name], let value = source.value(tree, description) else { continue }
            values[name: description.name] = value
        }
        doubts = source.doubts
    }

    /// The chosen values in the order of the declarations, followed by the unknown pairs.
    var yaml: String {
        let pairs = PreferenceDescription.all.compactMap { description in
            values.chosen[description.name].map { YAMLTree.Pair(description.name, $0.tree) }
        }
        return "# Preferences of binaural; comments are lost when the program writes this file.\n" + YAMLTree.mapping(pairs + kept).yaml
    }
}

extension YAMLSource {
    fileprivate func value(_ tree: YAMLTree, _ description: PreferenceDescription) -> StoredPreference? {
        switch description.kind {
        case .number(let range, let unit): return number(tree, named: description.name, in: range, unit: unit).map { .number($0) }
        case .wholeNumber(let range):
            return wholeNumber(tree, in: UInt64(range.lowerBound)...UInt64(range.upperBound)).map { .number(Double($0)) }
        case .numbers(let range, let unit, let limit):
            let items = "1 to \(limit) numbers" + (unit == .ratio ? "" : " of \(unit.rawValue)")
            guard let list = list(tree, of: items) else { return nil }
            guard (1...limit).contains(list.count) else {
                report(.unexpected(found: tree.found, expected: .list(of: items)), at: tree.place)
                return nil
            }
            let numbers = list.compactMap { number($0, named: description.name, in: range, unit: unit) }
            return numbers.count == list.count ? .numbers(numbers) : nil
        case .texts(let content, let limit):
            let items = "up to \(limit) texts in brackets: \(content.noun)"
            guard let list = list(tree, of: items) else { return nil }
            guard list.count <= limit else {
                report(.unexpected(found: tree.found, expected: .list(of: items)), at: tree.place)
                return nil
            }
            let texts = list.compactMap { text($0, content) }
            return texts.count == list.count ? .texts(texts) : nil
        case .choice(let names):
            guard let name = text(tree, noun: names.joined(separator: ", ")) else { return nil }
            if names.contains(name) { return .text(name) }
            report(.unknownName(name, of: description.name, choices: names), at: tree.place)
            return nil
        case .text(let content): return text(tree, content).map { .text($0) }
        }
    }

    private func text(_ tree: YAMLTree, _ content: PreferenceText) -> String? {
        guard let text = text(tree, noun: content.nounInFiles) else { return nil }
        if content.accepts(text) { return text }
        var noun = content.nounInFiles
        // Without quotes, a topic behind a comma is an item of its own.
        if content == .feedback, case .scalar(_, let isQuoted) = tree.content, isQuoted || text.contains(":") {
            noun = content.noun + ", with a numeric address or localhost"
        }
        report(.unexpected(found: tree.found, expected: .text(noun)), at: tree.place)
        return nil
    }
}

extension PreferenceText {
    /// The expected text in a file, where a comma ends an item of a list.
    fileprivate var nounInFiles: String { self == .feedback ? noun + ": put it in quotes" : noun }
}

extension StoredPreference {
    var tree: YAMLTree {
        switch self {
        case .number(let number): .number(number)
        case .numbers(let numbers): .list(numbers.map(YAMLTree.number), flow: true)
        case .text(let text): .string(text)
        case .texts(let texts): .list(texts.map(YAMLTree.string), flow: true)
        }
    }
}
