import Patches

extension Patch {
    /// The patch as a sequence of SBaGen, and what is lost because the format cannot hold it.
    ///
    /// The sequence slides (`->`) from each corner of a parameter's course to the next, so that straight lines stay straight. If nothing was
    /// lost, ``SBaGenSequence/patch(now:)`` makes the same sound of it. `forSBaGen` keeps to what SBaGen 1.4.4 reads; `tags` reads a file's.
    package func exported(forSBaGen: Bool = false, tags: @escaping (String) -> MixTags? = { _ in nil }) -> ExportedSequence {
        var writer = SequenceWriter(self, forSBaGen: forSBaGen, tags: tags)
        return (writer.text(), writer.losses, writer.laterVoices, writer.isSilent)
    }
}

/// A sequence, what its patch loses, the additions of later programs in it, such as `white/`, for which SBaGen refuses the file, and whether
/// it has no voice at all.
package typealias ExportedSequence = (sequence: String, losses: [SequenceLoss], laterVoices: [String], isSilent: Bool)

/// Writes one patch as a sequence.
struct SequenceWriter {
    private var patch: Patch
    private let forSBaGen: Bool
    /// Reads the tags of a sound file.
    private let tags: (String) -> MixTags?
    private(set) var losses: [SequenceLoss] = []
    private var courses: [Int: [Parameter: StraightCourse]] = [:]
    /// Layers that have a voice.
    private var voices: [Int] = []
    private var waves: [Int: Int] = [:]
    /// Names of tone-sets, by their voices.
    private var names: [String: String] = [:]
    private var definitions: [String] = []
    /// The largest sum of the voices of a tone-set, in percent.
    private var loudest = 0.0

    init(_ patch: Patch, forSBaGen: Bool, tags: @escaping (String) -> MixTags?) {
        (self.patch, self.forSBaGen, self.tags) = (patch, forSBaGen, tags)
    }

    mutating func text() -> String {
        chooseVoices()
        let end = min(patch.duration.map { $0.rounded() } ?? Patch.day, Patch.day)
        if patch.duration ?? 0 > Patch.day { lose(.tooLong) }
        if let fade = patch.fade, max(fade.fadeIn, fade.duration(out: patch.duration)) > Patch.Fade.shortest { lose(.fades) }
        if patch.duration == nil, !patch.chapters.isEmpty || !patch.cues.isEmpty { lose(.endless) }
        let isRing = patch.loops && patch.duration == Patch.day
        let endsThere = patch.duration != nil && !isRing
        if endsThere, patch.loops { lose(.loop) }
        if endsThere, patch.clock != nil { lose(.clock) }
        var corners = corners(until: end)
        // Two equal times would have no time between them, rather than a day.
        if corners == [0, Patch.day] { corners.insert(Patch.day / 2, at: 1) }
        var lines: [String] = []
        for (index, corner) in corners.enumerated() {
            let isEnd = index > 0 && corner == end && patch.duration != nil
            let before = set(at: corner, isAfter: false)
            let after = set(at: corner, isAfter: true)
            let title = patch.chapters.first { $0.start.rounded() == corner }?.title ?? ""
            // The last line is not needed if the end of the day equals its start.
            if isEnd, isRing, before == set(at: 0, isAfter: true) { continue }
            if index > 0, before != after || isEnd { lines.append("\(time(corner)) \(name(of: before, title: isEnd ? title : "")) ->") }
            if isEnd { continue }
            let slides = corners.count > 1 && (index + 1 < corners.count || patch.duration != nil)
            lines.append("\(time(corner)) \(name(of: after, title: title))" + (slides ? " ->" : ""))
        }
        let limit = SBaGenSequence.maximumLineCount
        if lines.count > limit {
            lose(.lines(lines.count, limit: limit))
            lines = Array(lines.prefix(limit))
        }
        if forSBaGen, loudest > 100 { lose(.clipping(percent: loudest)) }
        let remarks = [patch.details.title, patch.details.comment].filter { !$0.isEmpty }
            .flatMap { $0.split(separator: "\n") }.map { "## \($0)" }
        let waves = waves.sorted { $0.value < $1.value }.map { layer, number in
            "\(SequenceFault.waveName(number)): "
                + (Self.samples(patch.layers[layer].table) ?? []).map { text($0) }.joined(separator: " ")
        }
        let files = voices.contains { patch.layers[$0].kind == .file } ? mixFile.map { ["-m \($0)"] } ?? [] : []
        return (remarks + (endsThere ? ["-SE"] : []) + files + waves + definitions + lines).joined(separator: "\n") + "\n"
    }

    var isSilent: Bool { voices.isEmpty }

    /// Parts of the voices that SBaGen does not read, as written.
    var laterVoices: [String] {
        let all = voices.flatMap { index -> [String] in
            let layer = patch.layers[index]
            return switch layer.kind {
            case .noise: layer.spectrum.color == .pink ? [] : [Self.prefix(ofNoise: layer)]
            case .spin: Self.prefix(ofSpin: layer) == "spin:" ? [] : [Self.prefix(ofSpin: layer)]
            case .isochronic: [prefix(ofWave: index), "@"]
            case .tone, .binaural: [waves[index] == nil ? prefix(ofWave: index) : ""]
            default: []
            }
        }
        return all.reduce(into: [String]()) { found, name in if !name.isEmpty, !found.contains(name) { found.append(name) } }
    }

    private mutating func lose(_ loss: SequenceLoss) { if !losses.contains(loss) { losses.append(loss) } }

    // MARK: Choice of voices

    private mutating func chooseVoices() {
        let automations = AutomationIndex(of: patch)
        for (index, original) in patch.layers.enumerated() {
            var layer = original
            guard [.tone, .binaural, .isochronic, .noise, .spin, .bell, .file].contains(layer.kind) else {
                lose(.kind(layer: layer.name, layer.kind))
                continue
            }
            if layer.kind == .file, let loss = loss(ofFile: layer) {
                lose(loss)
                continue
            }
            if layer.kind.isNoise, let loss = loss(ofNoise: layer) {
                lose(loss)
                continue
            }
            if forSBaGen {
                layer = plain(layer)
                patch.layers[index] = layer
            }
            if layer.kind == .file, !hasSegmentsOfFile(layer) { lose(.segments(layer: layer.name)) }
            for effect in LayerEffect.allCases where layer.effects.contains(effect) { lose(.effect(effect, layer: layer.name)) }
            if layer.kind == .isochronic, layer.envelope != nil { lose(.envelope(layer: layer.name)) }
            if layer.isMono { lose(.mono(layer: layer.name)) }
            voices.append(index)
            for description in layer.kind.parameters {
                guard let automation = automations.automation(of: description.parameter, layer: index, edits: []) else { continue }
                courses[index, default: [:]][description.parameter] = StraightCourse(
                    automation, movesAmplitude: description.parameter == .gain)
                checkHeld(automation, description, layer)
            }
            checkWave(index, layer)
        }
        let limit = SBaGenSequence.ToneSet.maximumVoiceCount
        if voices.count > limit {
            lose(.voices(voices.count, limit: limit))
            voices = Array(voices.prefix(limit))
        }
        let heard = courses.values.flatMap(\.values)
        if heard.contains(where: { !$0.isStraight }) { lose(.curves) }
        if heard.contains(where: { !$0.isOnSeconds }) { lose(.wholeSeconds) }
    }

    /// The layer as a voice that SBaGen has: noise becomes pink, waves become sines, and pulses are left out.
    private mutating func plain(_ layer: Layer) -> Layer {
        var plain = layer
        if layer.kind.isNoise, let color = layer.spectrum.color, color != .pink {
            lose(.pink(layer: layer.name, color))
            plain.spectrum = .color(.pink)
        }
        if layer.kind == .isochronic {
            lose(.steady(layer: layer.name))
            plain.kind = .tone
        }
        if layer.hasWave, layer.wave != .sine, layer.wave != .table {
            lose(.wave(layer: layer.name))
            plain.wave = .sine
        }
        if layer.kind == .file, layer.segments == nil { lose(.fileOnce(layer: layer.name)) }
        return plain
    }

    /// The file of `-m`: the first one that a sequence can name.
    private var mixFile: String? {
        patch.layers.first {
            $0.kind == .file && $0.loops && !$0.effects.contains(.pulses) && Self.canName($0.path) && canBeRead($0.path)
        }?.path
    }

    /// Whether the program reads such sound files. SBaGen may play others as raw samples, which is loud noise.
    private func canBeRead(_ path: String) -> Bool { !forSBaGen || [".wav", ".ogg", ".mp3"].contains(where: path.hasSuffix) }

    private static func canName(_ path: String) -> Bool {
        !path.isEmpty
            && !path.unicodeScalars.contains { $0 == "#" || $0.properties.isWhitespace || $0.properties.generalCategory == .control }
    }

    private func loss(ofFile layer: Layer) -> SequenceLoss? {
        guard Self.canName(layer.path) else { return .fileName(layer: layer.name) }
        guard layer.loops else { return .fileEnd(layer: layer.name) }
        if layer.effects.contains(.pulses) { return .pulses(layer: layer.name) }
        guard canBeRead(layer.path) else { return .fileKind(layer: layer.name) }
        return layer.path == mixFile ? nil : .secondFile(layer: layer.name)
    }

    /// Whether a layer plays its file as a sequence would.
    private func hasSegmentsOfFile(_ layer: Layer) -> Bool {
        layer.segments == tags(layer.path)?.segments(ofSection: 0) && (layer.segments == nil || layer.seed == LayerCourse.segmentSeed)
    }

    private func loss(ofNoise layer: Layer) -> SequenceLoss? {
        if layer.range != nil { return .range(layer: layer.name) }
        return switch layer.spectrum {
        case .color(.white), .color(.pink), .color(.brown): layer.effects.contains(.pulses) ? .pulses(layer: layer.name) : nil
        case .color(let color): .color(layer: layer.name, color)
        case .slope, .levels: .spectrum(layer: layer.name)
        }
    }

    /// Records a loss if a parameter that a voice cannot set differs from the voice's own value.
    private mutating func checkHeld(_ automation: Automation, _ description: ParameterDescription, _ layer: Layer) {
        // Lost with the pulses, or without a meaning.
        if layer.kind == .file, [.pulseRate, .duty, .edge].contains(description.parameter) { return }
        let values = [automation.base] + automation.moves.map(\.target)
        let wanted: Double? =
            switch description.parameter {
            case .phase, .pan: 0
            case .width: 1
            case .correlation: 1
            case .duty: ParameterDescription.duty.defaultValue
            case .edge: ParameterDescription.edge.defaultValue
            case .decay: ParameterDescription.decay.defaultValue
            case .carrier, .beat, .pulseRate, .depth, .delay, .attack, .release, .gain: nil
            // Effects.
            case .pulseDepth, .amRate, .amDepth, .spinRate, .spinDepth, .spinDelay, .orbitRate, .distance: nil
            }
        if let wanted, values.contains(where: { $0 != wanted }) { lose(.parameter(description.parameter, layer: layer.name)) }
        let limit = layer.kind.sequenceKind.fullGain
        if description.parameter == .gain, values.contains(where: { $0 > limit + 1e-4 }) {
            lose(.tooLoud(layer: layer.name, limit: limit))
        }
    }

    private mutating func checkWave(_ index: Int, _ layer: Layer) {
        guard layer.hasWave, layer.wave != .sine else { return }
        if layer.kind == .bell { return lose(.wave(layer: layer.name)) }
        guard layer.wave == .table else { return }
        let half = layer.table.count / 2
        let isTwice = layer.table.count % 2 == 0 && half > 1 && Self.samples(layer.table) != nil
        guard isTwice, layer.kind != .isochronic, waves.count < 100 else { return lose(.wave(layer: layer.name)) }
        waves[index] = waves.count
        guard layer.kind == .binaural, let beat = courses[index]?[.beat] else { return }
        let values = beat.corners.flatMap { time in [false, true].map { beat.value(at: time, isAfter: $0) } }
        let ear = Ear.backwards(inOrder: [beat.value(at: 0, isAfter: true)] + values)
        if layer.backwards != ear { lose(.waveDirection(layer: layer.name)) }
    }

    /// The samples of a wave that becomes this table; `nil` if there are none.
    private static func samples(_ table: [Double]) -> [Double]? {
        guard let peak = table.max(), peak > 0 else { return nil }
        let samples = table.prefix(table.count / 2).map { (($0 / peak) * 1e8).rounded() / 1e8 }
        let again = SequenceWave.table(samples)
        return zip(again, table).allSatisfy { abs($0 - $1) < 1e-7 } ? samples : nil
    }

    /// Whole seconds at which the course of a parameter bends or a chapter begins, with the start and the end.
    private func corners(until end: Double) -> [Double] {
        let bends = voices.flatMap { courses[$0, default: [:]].values.flatMap(\.corners) }
        let wanted = [0] + bends + patch.chapters.map { $0.start.rounded() } + (patch.duration == nil ? [] : [end])
        return Set(wanted.filter { $0 >= 0 && $0 <= end }).sorted()
    }

    // MARK: Voices

    private mutating func set(at time: Double, isAfter: Bool) -> String {
        guard !voices.isEmpty else { return "-" }
        var percents = voices.map { percent(ofLayer: $0, at: time, isAfter: isAfter) }
        let short = zip(voices, percents).map { Self.shortened($1, patch.layers[$0].kind.sequenceKind) }
        // If they exceed 100 % together, they are played softer.
        if short.reduce(0, +) <= 100 { percents = short }
        loudest = max(loudest, percents.reduce(0, +))
        return zip(voices, percents).map { voice(ofLayer: $0, $1, at: time, isAfter: isAfter) }.joined(separator: " ")
    }

    private func percent(ofLayer index: Int, at time: Double, isAfter: Bool) -> Double {
        let amplitude = courses[index]?[.gain]?.value(at: time, isAfter: isAfter) ?? 0
        return min(100 * amplitude / Amplitude.ratio(patch.layers[index].kind.sequenceKind.fullGain), 100)
    }

    /// The percentage with as few decimals as give the same gain.
    private static func shortened(_ percent: Double, _ kind: SequenceVoice.Kind) -> Double {
        let wanted = kind.level(ofAmplitude: percent)
        for scale in [1.0, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7] {
            let candidate = (percent * scale).rounded() / scale
            if kind.level(ofAmplitude: candidate) == wanted { return min(candidate, 100) }
        }
        return percent
    }

    private func voice(ofLayer index: Int, _ percent: Double, at time: Double, isAfter: Bool) -> String {
        let layer = patch.layers[index]
        func value(_ parameter: Parameter) -> Double { courses[index]?[parameter]?.value(at: time, isAfter: isAfter) ?? 0 }
        let level = "/" + text(percent)
        let wave = prefix(ofWave: index)
        switch layer.kind {
        // SBaGen has no wave without a beat.
        case .tone: return wave + text(value(.carrier)) + (waves[index] == nil ? "" : "+0") + level
        case .binaural: return wave + text(value(.carrier)) + signed(value(.beat)) + level
        case .isochronic: return wave + text(value(.carrier)) + "@" + text(value(.pulseRate)) + level
        case .noise: return Self.prefix(ofNoise: layer) + text(percent)
        case .spin:
            // The sign is reversed, as in reading.
            return Self.prefix(ofSpin: layer) + text(value(.delay)) + signed(0 - value(.beat)) + level
        case .bell:
            let isStruck = patch.strikes(ofLayer: index).contains { $0.rounded() == time }
            return isStruck && isAfter && percent > 0 ? "bell+" + text(value(.carrier)) + level : "-"
        case .file: return "mix" + level
        default: return "-"
        }
    }

    private func prefix(ofWave index: Int) -> String {
        let wave = patch.layers[index].wave
        return waves[index].map { SequenceFault.waveName($0) + ":" } ?? (wave == .sine || wave == .table ? "" : wave.rawValue + ":")
    }

    private static func prefix(ofNoise layer: Layer) -> String { (layer.spectrum.color ?? .white).rawValue + "/" }

    private static func prefix(ofSpin layer: Layer) -> String {
        [NoiseColor.brown: "bspin:", .white: "wspin:"][layer.spectrum.color ?? .pink] ?? "spin:"
    }

    private func signed(_ value: Double) -> String { (value < 0 ? "-" : "+") + text(abs(value)) }

    /// A number with at most eight decimals, without trailing zeros.
    private func text(_ value: Double) -> String {
        let units = (abs(value) * 1e8).rounded()
        guard units < 1e17 else { return "0" }
        let (whole, rest) = Int(units).quotientAndRemainder(dividingBy: 100_000_000)
        var decimals = String(String(rest + 100_000_000).dropFirst())
        while decimals.last == "0" { decimals.removeLast() }
        return (value < 0 && units > 0 ? "-" : "") + String(whole) + (decimals.isEmpty ? "" : "." + decimals)
    }

    // MARK: Names and times

    /// The name of the tone-set with these voices: its chapter's title if that is a valid name.
    private mutating func name(of voices: String, title: String) -> String {
        if let name = names[voices] { return name }
        var name = String(
            title.unicodeScalars.map { scalar in
                SequenceWord.isName("a" + String(scalar)) ? Character(scalar) : "-"
            })
        if !SequenceWord.isName(name) || names.values.contains(name) || name.hasPrefix("NOW") || name.hasPrefix("wave") {
            name = "set\(names.count + 1)"
        }
        names[voices] = name
        definitions.append("\(name): \(voices)")
        return name
    }

    private func time(_ position: Double) -> String {
        let seconds = Int(position + (patch.clock ?? 0)) % SBaGenSequence.day
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        return patch.clock != nil ? clock : position == 0 ? "NOW" : "NOW+" + clock
    }
}

extension LayerKind {
    /// The kind of voice, as far as its gain depends on it.
    fileprivate var sequenceKind: SequenceVoice.Kind {
        switch self {
        case .noise: .noise(.pink)
        case .spin: .spin(.pink)
        case .bell: .bell
        case .file, .input: .mix
        case .isochronic: .pulses(.sine)
        default: .tone(.sine)
        }
    }
}

extension Patch.Fade {
    /// Seconds of the fade out; 0 in an endless patch.
    fileprivate func duration(out length: Double?) -> Double { length == nil ? 0 : fadeOut }
}
