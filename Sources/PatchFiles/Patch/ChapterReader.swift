import Patches

/// Reads the lists of chapters and cues against the layers that they move.
struct ChapterReader {
    let source: YAMLSource
    let layers: [ReadLayer]
    let duration: Double?
    /// The tuning of the patch's notes.
    let tuning: Tuning

    func chapters(_ tree: YAMLTree) -> [Chapter] {
        guard let items = source.list(tree, of: "chapters") else { return [] }
        var previous = -1.0
        return items.enumerated().compactMap { index, item in
            guard let fields = Fields(item, of: "chapter \(index + 1)", content: "`at`, `title`, `over`, `ease` and `set`", in: source)
            else { return nil }
            fields.refuseKeys(except: ["at", "title", "over", "ease", "set"])
            let start = start(fields, after: &previous)
            return chapter(fields, start: start, title: fields.text("title", noun: "a title") ?? "")
        }
    }

    /// Reads the cues. Several may begin together if they take different times.
    func cues(_ tree: YAMLTree) -> [Chapter] {
        guard let items = source.list(tree, of: "cues") else { return [] }
        var previous = 0.0
        return items.enumerated().compactMap { index, item in
            guard let fields = Fields(item, of: "cue \(index + 1)", content: "`at`, `over`, `ease` and `set`", in: source) else {
                return nil
            }
            fields.refuseKeys(except: ["at", "over", "ease", "set"])
            guard let tree = fields.required("at", hint: "write its start time, such as `at: 5:00`"), let start = source.duration(tree)
            else { return nil }
            if start < previous { source.report(.cueOrder(start: start, previous: previous), at: tree.place) }
            previous = max(previous, start)
            return chapter(fields, start: start, title: "")
        }
    }

    private func chapter(_ fields: Fields, start: Double, title: String) -> Chapter {
        Chapter(
            start: start, title: title, over: fields.duration("over"), ease: fields["ease"].flatMap { source.easing($0) } ?? .linear,
            settings: fields["set"].map(settings) ?? [])
    }

    private func start(_ fields: Fields, after previous: inout Double) -> Double {
        guard let tree = fields.required("at", hint: "write its start time, such as `at: 5:00`"), let start = source.duration(tree) else {
            return 0
        }
        if start <= previous { source.report(.chapterOrder(start: start, previous: previous), at: tree.place) }
        if let duration, start >= duration { source.report(.chapterBeyondEnd(start: start, duration: duration), at: tree.place) }
        previous = max(previous, start)
        return start
    }

    private func settings(_ tree: YAMLTree) -> [Setting] {
        guard let fields = Fields(tree, of: "`set`", content: "values, such as `bed.beat: 4`", in: source) else { return [] }
        var settings: [Setting] = []
        for pair in fields.pairs {
            guard let setting = setting(pair) else { continue }
            if settings.contains(where: { $0.layer == setting.layer && $0.parameter == setting.parameter }) {
                source.report(.conflictingKeys("note", "carrier", owner: "`set`"), at: pair.keyPlace)
            }
            settings.append(setting)
        }
        return settings
    }

    /// Reads `bed.beat: 4`, or `bed.note: A3` for a carrier.
    private func setting(_ pair: YAMLTree.Pair) -> Setting? {
        let parts = pair.key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            source.report(.badTarget(pair.key), at: pair.keyPlace)
            return nil
        }
        guard let index = layers.firstIndex(where: { $0.layer.name == parts[0] }) else {
            source.report(.unknownName(parts[0], of: "layer", choices: layers.map(\.layer.name)), at: pair.keyPlace)
            return nil
        }
        guard layers[index].hasKind else { return nil }
        let layer = layers[index].layer
        if parts[1] == "note", layer.kind.description(of: .carrier) != nil {
            return source.note(pair.value, in: tuning).map { note, frequency in
                Setting(layer: index, parameter: .carrier, value: frequency, note: note)
            }
        }
        guard let parameter = Parameter(rawValue: parts[1]), let description = layer.description(of: parameter) else {
            if let effect = layer.kind.possibleParameters.first(where: { $0.parameter.rawValue == parts[1] }) {
                source.report(.missingEffect(parts[1], layer: layer.name, value: effect.defaultValue), at: pair.keyPlace)
                return nil
            }
            let choices = layer.parameters.map(\.parameter.rawValue)
            source.report(.unknownParameter(parts[1], layer: layer.name, kind: layer.kind.rawValue, choices: choices), at: pair.keyPlace)
            return nil
        }
        if let leader = layer.leaders[parameter] {
            source.report(.followingRate(pair.key, leader: leader.text), at: pair.keyPlace)
            return nil
        }
        return source.number(pair.value, named: pair.key, in: description.range, unit: description.unit)
            .map { Setting(layer: index, parameter: parameter, value: $0) }
    }
}
