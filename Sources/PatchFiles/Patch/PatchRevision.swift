import Patches

/// Writes the differences between two versions of a patch into the text of the first.
package struct PatchRevision {
    private var yaml: YAMLText
    private let root: YAMLTree
    private let original: Patch
    private let new: Patch

    /// The text of a patch's file, changed to that of another version: values that differ are replaced, and comments and layout stay.
    ///
    /// - Parameters:
    ///   - file: The file's name in messages.
    ///   - patch: The patch of the file after changes by hand: of values, times, cues, waves, title and paths.
    /// - Returns: A text that ``Patch/parse(_:file:)`` reads as the new version; `nil` if the text cannot be changed to one.
    package static func text(_ text: String, file: String, revisedTo patch: Patch) -> String? {
        guard let source = try? YAMLSource(bytes: Array(text.utf8), file: file), let original = try? Patch.parse(text, file: file),
            let tree = source.tree(expected: "a patch")
        else { return nil }
        var revision = PatchRevision(source.text, tree, from: original, to: patch)
        guard let revised = try? revision.text(), var reread = try? Patch.parse(revised, file: file) else { return nil }
        reread.tune(toA4: patch.a4)
        // If a note was replaced by a frequency, the text may still contain the note.
        return reread.yaml == patch.yaml ? revised : nil
    }

    private init(_ text: String, _ root: YAMLTree, from original: Patch, to new: Patch) {
        (yaml, self.root, self.new) = (YAMLText(text), root, new)
        var tuned = original
        // Notes of the original then have the frequencies that they have in the new version.
        tuned.tune(toA4: new.a4)
        self.original = tuned
    }

    private mutating func text() throws(YAMLText.Misread) -> String? {
        try put("title", original.details.title, new.details.title)
        try put("artwork", original.details.artwork, new.details.artwork)
        if original.tuning != new.tuning, let tuning = new.tuning { try put(.init("tuning", .number(tuning)), in: [root]) }
        let layers = root["layers"]?.items ?? []
        guard layers.count == new.layers.count, layers.count == original.layers.count else { throw YAMLText.Misread() }
        for index in layers.indices { try change(layers[index], from: original.layers[index], to: new.layers[index]) }
        guard original.chapters.count == new.chapters.count else { throw YAMLText.Misread() }
        let chapters = root["chapters"]?.items ?? []
        for index in chapters.indices { try change(chapters[index], from: original.chapters[index], to: new.chapters[index]) }
        try changeCues()
        return yaml.text
    }

    private mutating func put(_ key: String, _ before: String, _ after: String) throws(YAMLText.Misread) {
        if before != after, !after.isEmpty { try put(.init(key, .string(after)), in: [root]) }
    }

    /// Sets a key in the mapping that has it, or else in the first one.
    ///
    /// - Parameter other: another key that stands for the same value.
    private mutating func put(_ pair: YAMLTree.Pair, or other: String? = nil, in mappings: [YAMLTree]) throws(YAMLText.Misread) {
        for mapping in mappings {
            for known in mapping.pairs where known.key == pair.key || known.key == other { return try yaml.replace(known, with: pair) }
        }
        guard let first = mappings.first else { throw YAMLText.Misread() }
        try yaml.append(pair, to: first)
    }

    private mutating func change(_ tree: YAMLTree, from before: Layer, to after: Layer) throws(YAMLText.Misread) {
        guard before != after else { return }
        let places = [tree] + (tree[after.kind.rawValue].map { [$0] } ?? [])
        for description in after.parameters {
            let parameter = description.parameter
            let written = after.pair(parameter, tuning: Tuning(a4: new.a4))
            guard let written, written != before.pair(parameter, tuning: Tuning(a4: new.a4)) else { continue }
            try put(written, or: parameter == .carrier ? (written.key == "note" ? "carrier" : "note") : nil, in: places)
        }
        if before.path != after.path { try put(.init("path", .string(after.path)), in: places) }
        if before.wave != after.wave {
            guard after.wave != .table else { throw YAMLText.Misread() }
            try put(.init("wave", .text(after.wave.rawValue)), in: places)
        }
    }

    private mutating func change(_ tree: YAMLTree, from before: Chapter, to after: Chapter) throws(YAMLText.Misread) {
        if before.start != after.start { try put(.init("at", .time(after.start)), in: [tree]) }
        if before.over != after.over, let over = after.over { try put(.init("over", .time(over)), in: [tree]) }
        guard before.settings != after.settings else { return }
        guard let values = tree["set"] else { throw YAMLText.Misread() }
        // Without values there is nothing to set.
        if after.settings.isEmpty { return try yaml.remove(tree.pairs.indices.filter { tree.pairs[$0].key == "set" }, from: tree) }
        guard values.pairs.count == before.settings.count else { throw YAMLText.Misread() }
        var removed: [Int] = []
        for (index, setting) in before.settings.enumerated() {
            let kept = after.settings.first { $0.layer == setting.layer && $0.parameter == setting.parameter }
            if let kept, kept != setting { try yaml.replace(values.pairs[index], with: new.pair(kept)) }
            if kept == nil { removed.append(index) }
        }
        try yaml.remove(removed, from: values)
    }

    /// A cue on one line.
    private func flow(_ cue: Chapter) -> YAMLTree {
        var tree = new.tree(cue)
        tree.isFlow = true
        return tree
    }

    /// Writes the changes of the cues. A cue with an `over` can lose values to new cues, and is removed once it has none left. A cue can also
    /// begin at another time.
    private mutating func changeCues() throws(YAMLText.Misread) {
        guard original.cues != new.cues else { return }
        guard let list = root["cues"] else {
            return try yaml.append(.init("cues", .list(new.cues.map(flow))), to: root)
        }
        // If no cues are left, the key is removed too.
        if new.cues.isEmpty { return try yaml.remove(root.pairs.indices.filter { root.pairs[$0].key == "cues" }, from: root) }
        let known = list.items
        guard known.count == original.cues.count else { throw YAMLText.Misread() }
        // Each may have another start or another `over`.
        let hasSameCues =
            original.cues.count == new.cues.count
            && zip(original.cues, new.cues).allSatisfy {
                $1.isVersion(of: $0) && $1.settings.count == $0.settings.count && ($0.over == nil || $1.over != nil)
            }
        var next = 0
        var removed: [Int] = []
        for (index, cue) in original.cues.enumerated() {
            let match =
                hasSameCues ? index : new.cues[next...].firstIndex { $0.isVersion(of: cue) && $0.start == cue.start && $0.over == cue.over }
            guard let match else {
                removed.append(index)
                continue
            }
            for added in new.cues[next..<match] { try yaml.insert(flow(added), before: index, into: list) }
            try change(known[index], from: cue, to: new.cues[match])
            next = match + 1
        }
        for added in new.cues[next...] { try yaml.insert(flow(added), before: known.count, into: list) }
        try yaml.removeItems(removed, from: list)
    }
}

extension Chapter {
    /// Whether it may be another one after changes: it sets no more parameters.
    fileprivate func isVersion(of other: Chapter) -> Bool {
        ease == other.ease
            && settings.allSatisfy { setting in
                other.settings.contains { $0.layer == setting.layer && $0.parameter == setting.parameter }
            }
    }
}

extension YAMLTree {
    fileprivate var pairs: [Pair] { if case .mapping(let pairs) = content { pairs } else { [] } }
    fileprivate var items: [YAMLTree] { if case .list(let items) = content { items } else { [] } }
    fileprivate subscript(key: String) -> YAMLTree? { pairs.first { $0.key == key }?.value }
}
