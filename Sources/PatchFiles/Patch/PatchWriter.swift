import Patches

extension Patch {
    /// The patch as readable YAML text; ``parse(_:file:)`` returns an equal patch.
    package var yaml: String { tree.yaml }

    private var tree: YAMLTree {
        var pairs = detailPairs
        if let duration { pairs.append(.init("duration", .time(duration))) }
        if loops { pairs.append(.init("loop", .text("true"))) }
        if let clock { pairs.append(.init("clock", .text(TimeOfDayText.string(from: clock)))) }
        if let fade {
            pairs.append(
                .init(
                    "fade",
                    .mapping([.init("in", end(fade.fadeIn, fade.easeIn)), .init("out", end(fade.fadeOut, fade.easeOut))], flow: true)))
        }
        if gainLaw != .decibels { pairs.append(.init("gains", .text(gainLaw.rawValue))) }
        if pitchLaw != .hertz { pairs.append(.init("pitches", .text(pitchLaw.rawValue))) }
        if let tuning { pairs.append(.init("tuning", .number(tuning))) }
        pairs.append(.init("layers", .list(layers.map { $0.tree(tuning: Tuning(a4: a4)) })))
        if !chapters.isEmpty { pairs.append(.init("chapters", .list(chapters.map(tree)))) }
        if !cues.isEmpty { pairs.append(.init("cues", .list(cues.map(tree)))) }
        return .mapping(pairs)
    }

    private var detailPairs: [YAMLTree.Pair] {
        [
            ("title", details.title), ("artist", details.artist), ("album", details.album), ("composer", details.composer),
            ("genre", details.genre), ("comment", details.comment), ("artwork", details.artwork),
        ].filter { !$0.1.isEmpty }.map { .init($0.0, .string($0.1)) }
    }

    private func end(_ time: Double, _ ease: Easing) -> YAMLTree {
        ease == .linear ? .number(time) : .mapping([.init("over", .number(time)), .init("ease", .text(ease.rawValue))], flow: true)
    }

    /// A chapter or cue.
    func tree(_ chapter: Chapter) -> YAMLTree {
        var pairs = [YAMLTree.Pair("at", .time(chapter.start))]
        if !chapter.title.isEmpty { pairs.append(.init("title", .string(chapter.title))) }
        if let over = chapter.over { pairs.append(.init("over", .time(over))) }
        if chapter.ease != .linear { pairs.append(.init("ease", .text(chapter.ease.rawValue))) }
        if !chapter.settings.isEmpty {
            pairs.append(.init("set", .mapping(chapter.settings.map(pair), flow: true)))
        }
        return .mapping(pairs, flow: chapter.settings.isEmpty)
    }

    /// A value that a chapter or cue sets.
    func pair(_ setting: Setting) -> YAMLTree.Pair {
        let note = setting.parameter == .carrier ? setting.note?.name(at: setting.value, in: Tuning(a4: a4)) : nil
        return YAMLTree.Pair(
            "\(layers[setting.layer].name).\(note == nil ? setting.parameter.rawValue : "note")",
            note.map(YAMLTree.text) ?? .number(setting.value))
    }
}

extension Layer {
    /// Name, kind with its parameters, then gain and pan.
    fileprivate func tree(tuning: Tuning) -> YAMLTree {
        var inner: [YAMLTree.Pair] = []
        var outer: [YAMLTree.Pair] = []
        if kind == .file {
            inner.append(.init("path", .string(path)))
            if !loops { inner.append(.init("loop", .text("false"))) }
            if let segments { inner.append(segments.pair) }
        }
        if isMono { inner.append(.init("mono", .text("true"))) }
        if kind.isNoise { inner.append(spectrum.pair) }
        if let range { inner.append(range.pair) }
        if !bands.isEmpty {
            let pairs = bands.map { YAMLTree.list([.number($0.lowerBound), .number($0.upperBound)], flow: true) }
            inner.append(.init("bands", .list(pairs, flow: true)))
        }
        if effects.contains(.pulses) { inner.append(.init("pulses", .text("true"))) }
        if let envelope { inner.append(envelope.pair) }
        for description in parameters {
            guard let pair = pair(description.parameter, tuning: tuning) else { continue }
            if description.parameter == .gain || description.parameter == .pan { outer.append(pair) } else { inner.append(pair) }
        }
        // The parameters show which effects the layer has.
        for effect in LayerEffect.allCases where effect != .pulses && effects.contains(effect) {
            let signs = effect.signs(in: kind, beside: effects)
            if let first = signs.first, signs.allSatisfy({ values[$0] == nil }), let value = value(of: first) {
                inner.append(.init(first.rawValue, .number(value)))
            }
        }
        if wave == .table, !table.isEmpty {
            inner.append(.init("wave", .mapping([.init("table", .list(table.map(YAMLTree.number), flow: true))], flow: true)))
        } else if wave != .sine {
            inner.append(.init("wave", .text(wave.rawValue)))
        }
        if let backwards { inner.append(.init("backwards", .text(backwards.rawValue))) }
        if let seed { inner.append(.init("seed", .text("\(seed)"))) }
        return .mapping([.init("name", .string(name)), .init(kind.rawValue, .mapping(inner, flow: true))] + outer)
    }

    /// A parameter as the layer has it: a number, a note or a note length; `nil` for the default.
    func pair(_ parameter: Parameter, tuning: Tuning) -> YAMLTree.Pair? {
        guard let value = values[parameter] else { return nil }
        if parameter == .carrier, let name = note?.name(at: value, in: tuning) { return .init("note", .text(name)) }
        return .init(parameter.rawValue, (leaders[parameter]?.text ?? notes[parameter]?.text).map { .text($0) } ?? .number(value))
    }
}

extension NoiseSpectrum {
    fileprivate var pair: YAMLTree.Pair {
        switch self {
        case .color(let color): .init("color", .text(color.rawValue))
        case .slope(let slope): .init("slope", .number(slope))
        case .levels(let levels): .init("spectrum", .list(levels.map(YAMLTree.number), flow: true))
        }
    }
}

extension NoiseRange {
    fileprivate var pair: YAMLTree.Pair {
        func ends(_ band: ClosedRange<Double>) -> YAMLTree {
            .list([.number(band.lowerBound), .number(band.upperBound)], flow: true)
        }
        return switch self {
        case .low(let frequency): .init("low", .number(frequency))
        case .high(let frequency): .init("high", .number(frequency))
        case .band(let band): .init("band", ends(band))
        case .notch(let band): .init("notch", ends(band))
        }
    }
}

extension SoundSegments {
    fileprivate var pair: YAMLTree.Pair {
        var pairs: [YAMLTree.Pair] = []
        if let lengths {
            let ends = [lengths.lowerBound, lengths.upperBound].map(YAMLTree.number)
            pairs.append(.init("length", lengths.lowerBound == lengths.upperBound ? ends[0] : .list(ends, flow: true)))
        }
        if crossfade != Self.usualCrossfade(lengths) { pairs.append(.init("crossfade", .number(crossfade))) }
        if streams > 1 { pairs.append(.init("streams", .text("\(streams)"))) }
        if !exchangesEars { pairs.append(.init("exchange", .text("false"))) }
        if start > 0 { pairs.append(.init("from", .time(start))) }
        if let end { pairs.append(.init("to", .time(end))) }
        if playsIntro { pairs.append(.init("intro", .text("true"))) }
        return .init("segments", .mapping(pairs, flow: true))
    }
}

extension DrawnEnvelope {
    fileprivate var pair: YAMLTree.Pair {
        let list = YAMLTree.list(levels.map(YAMLTree.number), flow: true)
        guard curve != .smootherstep else { return .init("envelope", list) }
        return .init("envelope", .mapping([.init("levels", list), .init("curve", .text(curve.rawValue))], flow: true))
    }
}

extension Note {
    /// Its name, unless its value has been changed since it was read.
    fileprivate func name(at frequency: Double, in tuning: Tuning) -> String? {
        tuning.carrier(of: self) == frequency ? name : nil
    }
}
