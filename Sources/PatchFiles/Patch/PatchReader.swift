import Patches

extension Patch {
    /// Parses a patch from YAML text.
    ///
    /// - Parameter file: The file's name in messages.
    /// - Throws: All faults in it, each with its place.
    package static func parse(_ text: String, file: String) throws(Diagnostics) -> Patch {
        try parse(bytes: Array(text.utf8), file: file)
    }

    /// Parses a patch from the bytes of a file, which have to be UTF-8 text.
    ///
    /// - Parameter limit: The most bytes that are read.
    package static func parse(bytes: [UInt8], file: String, limit: Int = YAMLSource.maximumSize) throws(Diagnostics) -> Patch {
        let source = try YAMLSource(bytes: bytes, file: file, limit: limit)
        let patch = source.tree(expected: "a patch: at least `layers:` with one layer").flatMap { PatchReader(source: source).patch($0) }
        guard let patch, source.faults.isEmpty else { throw Diagnostics(source.faults) }
        return patch
    }
}

/// Reads a patch from its YAML tree. Every part is read even if another one is wrong, so that all faults are found at once.
struct PatchReader {
    let source: YAMLSource

    static let keys = [
        "title", "artist", "album", "composer", "genre", "comment", "artwork", "duration", "loop", "clock", "fade", "gains", "pitches",
        "tuning", "layers", "chapters", "cues",
    ]

    func patch(_ tree: YAMLTree) -> Patch? {
        guard let fields = Fields(tree, of: "the patch", content: "`title`, `duration`, `layers` and so on", in: source) else { return nil }
        fields.refuseKeys(except: Self.keys)
        let duration = duration(fields)
        let a4 = fields.number("tuning", in: Tuning.range, unit: .hertz)
        let tuning = Tuning(a4: a4 ?? Patch.usualA4)
        let layers = layers(fields, tuning)
        let reader = ChapterReader(source: source, layers: layers, duration: duration, tuning: tuning)
        var patch = Patch(
            details: details(fields), duration: duration, fade: fields["fade"].flatMap { fade($0, duration: duration) },
            layers: layers.map(\.layer), chapters: fields["chapters"].map(reader.chapters) ?? [])
        patch.cues = fields["cues"].map(reader.cues) ?? []
        patch.gainLaw = fields.choice("gains", noun: "gain law") ?? .decibels
        patch.pitchLaw = fields.choice("pitches", noun: "pitch law") ?? .hertz
        if let a4 { patch.tuning = a4 }
        patch.loops = fields.truth("loop") ?? false
        patch.clock = clock(fields)
        return patch
    }

    private func details(_ fields: Fields) -> Patch.Details {
        var details = Patch.Details(title: fields.text("title", noun: "a title") ?? "")
        details.artist = fields.text("artist", noun: "an artist") ?? ""
        details.album = fields.text("album", noun: "an album") ?? ""
        details.composer = fields.text("composer", noun: "a composer") ?? ""
        details.genre = fields.text("genre", noun: "a genre") ?? ""
        details.comment = fields.text("comment", noun: "a comment") ?? ""
        details.artwork = fields.text("artwork", noun: "the path of a picture") ?? ""
        return details
    }

    private func duration(_ fields: Fields) -> Double? {
        guard let tree = fields["duration"], let duration = source.duration(tree) else { return nil }
        guard duration > 0 else {
            source.report(.outOfRange(duration, 0.001...DurationText.maximum, of: "duration", unit: .seconds), at: tree.place)
            return nil
        }
        return duration
    }

    private func clock(_ fields: Fields) -> Double? {
        fields["clock"].flatMap { source.timeOfDay($0) }
    }

    private func fade(_ tree: YAMLTree, duration: Double?) -> Patch.Fade? {
        guard let fields = Fields(tree, of: "`fade`", content: "`in` and `out`", in: source) else { return nil }
        fields.refuseKeys(except: ["in", "out"])
        let fadeIn = fields["in"].map { fadeEnd($0, "in") } ?? (Patch.Fade.shortest, .linear)
        let fadeOut = fields["out"].map { fadeEnd($0, "out") } ?? (Patch.Fade.shortest, .linear)
        if let duration, fadeIn.0 + fadeOut.0 > duration {
            source.report(.fadesTooLong(fades: fadeIn.0 + fadeOut.0, duration: duration), at: tree.place)
        }
        return Patch.Fade(in: fadeIn.0, easeIn: fadeIn.1, out: fadeOut.0, easeOut: fadeOut.1)
    }

    /// Reads a time, or a mapping of `over` and `ease`.
    private func fadeEnd(_ tree: YAMLTree, _ key: String) -> (Double, Easing) {
        guard case .mapping = tree.content else { return (source.duration(tree) ?? 0, .linear) }
        guard let fields = Fields(tree, of: TextFault.quote(key), content: "`over` and `ease`", in: source) else { return (0, .linear) }
        fields.refuseKeys(except: ["over", "ease"])
        let time = fields.required("over", hint: "write how long it takes, such as `over: 5`")
        return (time.flatMap { source.duration($0) } ?? 0, fields["ease"].flatMap { source.easing($0) } ?? .linear)
    }

    private func layers(_ fields: Fields, _ tuning: Tuning) -> [ReadLayer] {
        guard let tree = fields.required("layers", hint: "write at least one, such as `layers: [{tone: {carrier: 440}}]`"),
            let items = source.list(tree, of: "layers")
        else { return [] }
        guard (1...Patch.maximumLayerCount).contains(items.count) else {
            source.report(
                .outOfRange(Double(items.count), 1...Double(Patch.maximumLayerCount), of: "the number of layers", unit: .ratio),
                at: tree.place)
            return []
        }
        var lines: [String: Int] = [:]
        let layers = items.enumerated().map { index, item in
            let read = LayerReader(source: source, number: index + 1, tuning: tuning).layer(item)
            if let first = lines[read.layer.name] {
                source.report(.duplicateLayer(read.layer.name, firstLine: first), at: read.namePlace)
            }
            lines[read.layer.name] = lines[read.layer.name] ?? read.namePlace.line
            return read
        }
        return LeaderReader(source: source, layers: layers).resolved()
    }
}
