import Patches

/// A layer as far as it could be read: targets of chapters are checked against it even if it has faults.
struct ReadLayer {
    var layer: Layer
    /// False if the file does not specify its kind; then its parameters are unknown.
    var hasKind: Bool
    var namePlace: YAMLTree.Place
    /// The places of the rates that its parameters follow.
    var leaderPlaces: [Parameter: YAMLTree.Place] = [:]
}

/// Reads `{name: bed, binaural: {carrier: 200, beat: 10}, gain: -20}`. Parameters may be inside the kind's mapping or beside it.
struct LayerReader {
    let source: YAMLSource
    /// Position in the list, from 1.
    let number: Int
    /// The tuning of the patch's notes.
    let tuning: Tuning

    func layer(_ tree: YAMLTree) -> ReadLayer {
        var read = ReadLayer(layer: Layer(name: "layer\(number)", kind: .tone), hasKind: false, namePlace: tree.place)
        guard
            let outer = Fields(
                tree, of: "layer \(number)", content: "a kind, such as `tone: {carrier: 440}`, with `name`, `gain`, `pan`", in: source)
        else { return read }
        let kinds = LayerKind.allCases.filter { outer[$0.rawValue].map(isKind($0)) ?? false }
        if let kind = kinds.first {
            read.hasKind = true
            read.layer = Layer(name: "\(kind.rawValue)\(number)", kind: kind)
        }
        name(of: &read, outer)
        guard kinds.count == 1, let kind = kinds.first, let kindTree = outer[kind.rawValue] else {
            wrongKind(outer, kinds)
            return read
        }
        let own = kind.ownKeys
        outer.refuseKeys(except: ["name", kind.rawValue] + own)
        let inner = Fields(
            kindTree, of: TextFault.quote(kind.rawValue), content: "parameters; `\(kind.rawValue): {}` takes the defaults", in: source)
        let both = [outer] + (inner.map { [$0] } ?? [])
        effects(of: &read.layer, both)
        spectrum(of: &read.layer, both)
        range(of: &read.layer, both)
        envelope(of: &read.layer, both)
        bands(of: &read.layer, both)
        segments(of: &read.layer, both)
        values(of: &read, outer, own)
        if let inner {
            inner.refuseKeys(except: own)
            values(of: &read, inner, own)
            if kind == .file { path(of: &read.layer, outer, inner) }
            for key in own where inner[key] != nil && outer[key] != nil {
                source.report(
                    .duplicateKey(key, firstLine: min(outer.keyPlace(key).line, inner.keyPlace(key).line)), at: outer.keyPlace(key))
            }
        }
        return read
    }

    /// Whether the value of a key can be a kind's: `phase` is a parameter of other kinds, too.
    private func isKind(_ kind: LayerKind) -> (YAMLTree) -> Bool {
        { tree in
            guard kind == .phase, case .scalar = tree.content else { return true }
            return false
        }
    }

    private func name(of read: inout ReadLayer, _ fields: Fields) {
        guard let tree = fields["name"], let name = source.text(tree, noun: "a name") else { return }
        read.namePlace = tree.place
        if Layer.isName(name) {
            read.layer.name = name
        } else {
            source.report(.badLayerName(name), at: tree.place)
        }
    }

    /// Reports a missing, unknown or repeated kind. Without a kind, a key that no layer has is likely meant as one.
    private func wrongKind(_ fields: Fields, _ kinds: [LayerKind]) {
        let known = LayerKind.allCases.map(\.rawValue)
        guard kinds.isEmpty else {
            source.report(.layerKind(found: kinds.map(\.rawValue)), at: fields.place)
            return
        }
        let common =
            [
                "name", "note", "wave", "backwards", "color", "slope", "spectrum", "seed", "path", "loop", "pulses", "envelope", "bands",
                "mono", "segments", "low", "high", "band", "notch",
            ]
            + Parameter.allCases.map(\.rawValue)
        let candidates = fields.pairs.filter { !common.contains($0.key) }
        if candidates.isEmpty { source.report(.layerKind(found: []), at: fields.place) }
        for pair in candidates { source.report(.unknownName(pair.key, of: "kind of layer", choices: known), at: pair.keyPlace) }
    }

    private func values(of read: inout ReadLayer, _ fields: Fields, _ keys: [String]) {
        for description in read.layer.parameters where !isLocked(description, of: &read, fields) {
            guard let value = fields.number(description.parameter.rawValue, in: description.range, unit: description.unit) else { continue }
            read.layer.values[description.parameter] = value
        }
        properties(of: &read.layer, fields, keys)
    }

    /// Reads a note length such as `1/4`, or a rate that is followed, such as `bed.beat`.
    ///
    /// - Returns: Whether it is one of them.
    private func isLocked(_ description: ParameterDescription, of read: inout ReadLayer, _ fields: Fields) -> Bool {
        let parameter = description.parameter
        guard parameter.canFollowTempo, let tree = fields[parameter.rawValue], case .scalar(let text, _) = tree.content else {
            return false
        }
        if let note = NoteLength(text) {
            read.layer.notes[parameter] = note
            let frequency = note.frequency(atTempo: NoteLength.usualTempo)
            read.layer.values[parameter] = min(max(frequency, description.range.lowerBound), description.range.upperBound)
            return true
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, Layer.isName(parts[0]), parts[1].first?.isLetter == true else { return false }
        guard let leader = Parameter(rawValue: parts[1]) else {
            let rates = Parameter.allCases.filter(\.canFollowTempo).map(\.rawValue)
            source.report(.unknownName(parts[1], of: "rate", choices: rates), at: tree.place)
            return true
        }
        read.layer.leaders[parameter] = RateLeader(layer: parts[0], parameter: leader)
        read.leaderPlaces[parameter] = tree.place
        return true
    }

    private func properties(of layer: inout Layer, _ fields: Fields, _ keys: [String]) {
        if keys.contains("note"), let tree = fields["note"] {
            if fields["carrier"] != nil {
                source.report(.conflictingKeys("note", "carrier", owner: fields.owner), at: fields.keyPlace("note"))
            }
            if let (note, frequency) = source.note(tree, in: tuning) { (layer.note, layer.values[.carrier]) = (note, frequency) }
        }
        if keys.contains("wave"), let tree = fields["wave"] { wave(of: &layer, tree) }
        if keys.contains("backwards"), let ear: Ear = fields.choice("backwards", noun: "ear") { layer.backwards = ear }
        if keys.contains("loop"), let loops = fields.truth("loop") { layer.loops = loops }
        if keys.contains("mono"), let isMono = fields.truth("mono") { layer.isMono = isMono }
        if keys.contains("seed"), let seed = fields.wholeNumber("seed", in: 0...UInt64.max) { layer.seed = seed }
    }

    /// Finds the effects: those of which a parameter is given that other layers of the kind do not have. Pulses may also be given by name.
    private func effects(of layer: inout Layer, _ places: [Fields]) {
        let (kind, own) = (layer.kind, layer.kind.parameters.map(\.parameter))
        func isGiven(_ key: String) -> Bool { places.contains { $0[key] != nil } }
        let beside: Set<LayerEffect> = isGiven(Parameter.spinDelay.rawValue) ? [.spinDelay] : []
        layer.effects = Set(
            kind.effects.filter { effect in
                effect.signs(in: kind, beside: beside).contains { isGiven($0.rawValue) } || effect == .pulses && isGiven("envelope")
            })
        guard layer.kind.effects.contains(.pulses), let pulses = places.lazy.compactMap({ $0.truth("pulses") }).first else { return }
        if pulses {
            layer.effects.insert(.pulses)
        } else if layer.effects.contains(.pulses) {
            // Not both: the values would be lost.
            let keys = (LayerEffect.pulses.parameters.map(\.parameter).filter { !own.contains($0) }.map(\.rawValue) + ["envelope"])
            let place = places.lazy.flatMap { fields in keys.compactMap { fields[$0] == nil ? nil : (fields, $0) } }.first
            if let (fields, key) = place { source.report(.conflictingKeys(key, "pulses", owner: fields.owner), at: fields.keyPlace(key)) }
        }
    }

    /// Reads the levels of an envelope, or `{levels: [0, 1], curve: linear}`.
    private func envelope(of layer: inout Layer, _ places: [Fields]) {
        guard layer.canHaveEnvelope, let tree = places.lazy.compactMap({ $0["envelope"] }).first else { return }
        let content = "`levels` and `curve`, such as `{levels: [0, 1], curve: linear}`"
        var (list, curve) = (tree, DrawnEnvelope.Curve.smootherstep)
        if case .mapping = tree.content {
            guard let fields = Fields(tree, of: "`envelope`", content: content, in: source) else { return }
            fields.refuseKeys(except: ["levels", "curve"])
            if let known: DrawnEnvelope.Curve = fields.choice("curve", noun: "curve") { curve = known }
            guard let levels = fields.required("levels", hint: "write the levels of one cycle, such as `levels: [0, 1]`") else { return }
            list = levels
        }
        guard let items = source.list(list, of: "levels from 0 to 1, such as `[0, 1, 0.5]`") else { return }
        guard DrawnEnvelope.sizes.contains(items.count) else {
            let sizes = Double(DrawnEnvelope.sizes.lowerBound)...Double(DrawnEnvelope.sizes.upperBound)
            source.report(.outOfRange(Double(items.count), sizes, of: "the number of levels", unit: .ratio), at: list.place)
            return
        }
        let levels = items.compactMap { source.number($0, named: "a level", in: 0...1, unit: .ratio) }
        if levels.count == items.count { layer.envelope = DrawnEnvelope(levels: levels, curve: curve) }
    }

    /// Reads the color of a noise, its slope or its levels; one of them at most.
    private func spectrum(of layer: inout Layer, _ places: [Fields]) {
        guard layer.kind.isNoise else { return }
        let given = places.flatMap { fields in ["color", "slope", "spectrum"].compactMap { fields[$0] == nil ? nil : (fields, $0) } }
        guard let (fields, key) = given.first else { return }
        if let other = given.dropFirst().first(where: { $0.1 != key }) {
            source.report(.conflictingKeys(other.1, key, owner: other.0.owner), at: other.0.keyPlace(other.1))
        }
        switch key {
        case "color":
            if let color: NoiseColor = fields.choice(key, noun: "noise color") { layer.spectrum = .color(color) }
        case "slope":
            if let slope = fields.number(key, in: NoiseSpectrum.slopeRange, unit: .decibels) { layer.spectrum = .slope(slope) }
        default:
            if let levels = levels(fields, key) { layer.spectrum = .levels(levels) }
        }
    }

    private func levels(_ fields: Fields, _ key: String) -> [Double]? {
        guard let tree = fields[key], let items = source.list(tree, of: "\(NoiseSpectrum.bandCount) levels in dB") else { return nil }
        guard items.count == NoiseSpectrum.bandCount else {
            source.report(.wrongCount(items.count, NoiseSpectrum.bandCount, of: "levels"), at: tree.place)
            return nil
        }
        let levels = items.compactMap { source.number($0, named: "a level", in: NoiseSpectrum.levelRange, unit: .decibels) }
        return levels.count == items.count ? levels : nil
    }

    /// Reads the path of a file layer, which is required.
    private func path(of layer: inout Layer, _ outer: Fields, _ inner: Fields) {
        let noun = "the path of a sound file"
        guard let tree = inner["path"] ?? outer["path"] else {
            source.report(.missingKey("path", owner: inner.owner, hint: "write its path, such as `path: rain.flac`"), at: inner.place)
            return
        }
        guard let path = source.text(tree, noun: noun) else { return }
        if path.isEmpty { source.report(.unexpected(found: .quoted(""), expected: .text(noun)), at: tree.place) }
        layer.path = path
    }

    /// Reads the name of a wave, or `{table: [0, 1, 0, -1]}`.
    private func wave(of layer: inout Layer, _ tree: YAMLTree) {
        let content = "`table`, such as `{table: [0, 1, 0, -1]}`"
        guard case .mapping = tree.content else {
            guard let wave: Waveform = source.choice(tree, noun: "waveform") else { return }
            if wave == .table { source.report(.unexpected(found: tree.found, expected: .mapping(of: content)), at: tree.place) }
            layer.wave = wave
            return
        }
        guard let fields = Fields(tree, of: "`wave`", content: content, in: source) else { return }
        fields.refuseKeys(except: ["table"])
        guard let table = fields.required("table", hint: "write the samples of one cycle, such as `table: [0, 1, 0, -1]`"),
            let samples = source.list(table, of: "samples, such as `[0, 1, 0, -1]`")
        else { return }
        guard Layer.tableSizes.contains(samples.count) else {
            let sizes = Double(Layer.tableSizes.lowerBound)...Double(Layer.tableSizes.upperBound)
            source.report(.outOfRange(Double(samples.count), sizes, of: "the number of samples", unit: .ratio), at: table.place)
            return
        }
        layer.table = samples.compactMap { source.number($0, named: "a sample", in: -1...1, unit: .ratio) }
        layer.wave = .table
    }
}

extension YAMLSource {
    /// A note by its name, and its frequency in Hz, which has to be in the range of carriers.
    func note(_ tree: YAMLTree, in tuning: Tuning) -> (note: Note, frequency: Double)? {
        guard case .scalar(let text, _) = tree.content, let note = Note(name: text) else {
            report(.unexpected(found: tree.found, expected: .note), at: tree.place)
            return nil
        }
        let (frequency, range) = (tuning.frequency(ofNote: note.number), ParameterDescription.carrier.range)
        guard range.contains(frequency) else {
            report(.outOfRange((frequency * 100).rounded() / 100, range, of: "the frequency of \(note.name)", unit: .hertz), at: tree.place)
            return nil
        }
        return (note, frequency)
    }
}

extension LayerKind {
    /// The keys that a layer of this kind has besides its name: its parameters, and properties that cannot move.
    var ownKeys: [String] {
        let names = possibleParameters.map(\.parameter.rawValue)
        if names.contains("carrier") {
            return ["carrier", "note", "wave"] + (self == .binaural ? ["backwards"] : []) + (self == .isochronic ? ["envelope"] : [])
                + names.dropFirst()
        }
        if self == .keys { return ["wave"] + names }
        return (self == .file ? ["path", "loop", "segments", "seed"] : []) + (isForeign ? ["mono"] : [])
            + (isNoise ? ["color", "slope", "spectrum", "low", "high", "band", "notch", "seed"] : [])
            + (effects.contains(.pulses) ? ["bands", "pulses", "envelope"] : []) + names
    }
}
