import Patches

extension LayerReader {
    /// Reads the segments of a file, `{length: [4, 12], crossfade: 0.2}`.
    func segments(of layer: inout Layer, _ places: [Fields]) {
        guard layer.kind == .file, let owner = places.first(where: { $0["segments"] != nil }), let tree = owner["segments"],
            let fields = Fields(
                tree, of: "`segments`",
                content: "`length`, `crossfade`, `streams`, `exchange`, `from`, `to` and `intro`; `segments: {}` takes the defaults",
                in: source)
        else { return }
        fields.refuseKeys(except: ["length", "crossfade", "streams", "exchange", "from", "to", "intro"])
        for other in places {
            guard case .scalar("false", isQuoted: false)? = other["loop"]?.content else { continue }
            source.report(.conflictingKeys("loop", "segments", owner: other.owner), at: other.keyPlace("loop"))
        }
        var segments = SoundSegments()
        if let length = fields["length"] { segments.lengths = lengths(length) }
        segments.crossfade = SoundSegments.usualCrossfade(segments.lengths)
        let crossfades = SoundSegments.crossfadeRange.lowerBound...SoundSegments.longestCrossfade(segments.lengths)
        if let crossfade = fields.number("crossfade", in: crossfades, unit: .seconds) { segments.crossfade = crossfade }
        if let streams = fields.wholeNumber("streams", in: 1...2) { segments.streams = Int(streams) }
        if let exchange = fields.truth("exchange") { segments.exchangesEars = exchange }
        if let start = fields.duration("from") { segments.start = start }
        if let tree = fields["to"], let end = source.duration(tree) {
            // A section has to have room for a segment.
            let first = segments.start + SoundSegments.lengthRange.lowerBound
            if end >= first {
                segments.end = end
            } else {
                source.report(.outOfRange(end, first...max(first, DurationText.maximum), of: "`to`", unit: .seconds), at: tree.place)
            }
        }
        if let intro = fields.truth("intro") { segments.playsIntro = intro }
        if segments.playsIntro {
            _ = fields.required("from", hint: "write where the intro ends and the segments begin, such as `from: 10`")
        }
        layer.segments = segments
    }

    /// Reads one length in seconds, or the shortest and the longest one.
    private func lengths(_ tree: YAMLTree) -> ClosedRange<Double>? {
        let range = SoundSegments.lengthRange
        guard case .list(let items) = tree.content else {
            return source.number(tree, named: "the length of a segment", in: range, unit: .seconds).map { $0...$0 }
        }
        guard items.count == 2 else {
            source.report(.wrongCount(items.count, 2, of: "lengths"), at: tree.place)
            return nil
        }
        guard let shortest = source.number(items[0], named: "the shortest segment", in: range, unit: .seconds),
            let longest = source.number(items[1], named: "the longest segment", in: shortest...range.upperBound, unit: .seconds)
        else { return nil }
        return shortest...longest
    }
}
