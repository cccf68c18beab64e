import Patches

/// Random numbers that are the same in every run (xorshift).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_f491_4f6c_dd1d
    }
}

extension Patch {
    /// Any patch: all kinds of layers, chapters that overlap, any easing.
    ///
    /// - Parameter sines: The number of layers of low sines beside the others; from 8 on they are added up at nodes.
    static func random(using generator: inout SeededGenerator, sines: Int = 0) -> Patch {
        let duration = Double.random(in: 0.5...1.5, using: &generator)
        var layers = (0..<Int.random(in: 1...5, using: &generator)).map { index in
            let kind = LayerKind.allCases.randomElement(using: &generator)!
            var layer = Layer(name: "layer\(index)", kind: kind, color: NoiseColor.allCases.randomElement(using: &generator)!)
            layer.effects = Set(kind.effects.filter { _ in Bool.random(using: &generator) })
            if !layer.effects.isEmpty, Int.random(in: 0..<3, using: &generator) == 0 { layer.bands = [150...900, 3000...20_000] }
            if layer.canHaveEnvelope, Bool.random(using: &generator) {
                layer.envelope = DrawnEnvelope(
                    levels: (0..<Int.random(in: 2...9, using: &generator)).map { _ in .random(in: 0...1, using: &generator) },
                    curve: DrawnEnvelope.Curve.allCases.randomElement(using: &generator)!)
            }
            if kind.isNoise { layer.range = [nil, .low(700), .band(300...5000), .notch(1000...2000)][index % 4] }
            if kind.isNoise, Bool.random(using: &generator) { layer.spectrum = .slope(.random(in: -12...12, using: &generator)) }
            for description in layer.parameters where Bool.random(using: &generator) {
                layer.values[description.parameter] = .random(in: description.range, using: &generator)
            }
            if kind == .file {
                layer.path = "/sound\(index)"
                if index % 2 == 1 { layer.segments = SoundSegments(lengths: 0.1...0.3, crossfade: 0.04, streams: 2, start: 1, end: 9) }
            }
            if layer.hasWave { layer.wave = Waveform.allCases.randomElement(using: &generator)! }
            if layer.wave == .table {
                layer.table = (0..<Int.random(in: 2...40, using: &generator)).map { _ in .random(in: -1...1, using: &generator) }
            }
            return layer
        }
        for index in 0..<sines {
            let kind = [LayerKind.tone, .binaural, .monaural].randomElement(using: &generator)!
            let carrier = Double.random(in: 20...1200, using: &generator)
            var layer = Layer(
                name: "sine\(index)", kind: kind, values: [.carrier: carrier, .gain: .random(in: -60...(-20), using: &generator)])
            if kind == .binaural, Bool.random(using: &generator) { layer.values[.width] = .random(in: 0...1, using: &generator) }
            if Bool.random(using: &generator) { layer.values[.pan] = .random(in: -1...1, using: &generator) }
            layers.append(layer)
        }
        let starts = (0..<Int.random(in: 0...4, using: &generator)).map { _ in Double.random(in: 0...1, using: &generator) }
        let chapters = starts.sorted().map { start in
            let over: Double? = Bool.random(using: &generator) ? nil : .random(in: 0.001...0.6, using: &generator)
            var chapter = Chapter(start: start, over: over, ease: Easing.allCases.randomElement(using: &generator)!)
            for _ in 0...2 {
                let layer = Int.random(in: layers.indices, using: &generator)
                let description = layers[layer].parameters.randomElement(using: &generator)!
                chapter.settings.append(
                    Setting(
                        layer: layer, parameter: description.parameter,
                        value: .random(in: description.range, using: &generator)))
            }
            return chapter
        }
        var patch = Patch(
            duration: Bool.random(using: &generator) ? nil : duration,
            fade: Bool.random(using: &generator)
                ? nil
                : Fade(
                    in: .random(in: 0...0.5, using: &generator), easeIn: Easing.allCases.randomElement(using: &generator)!,
                    out: .random(in: 0...0.5, using: &generator), easeOut: Easing.allCases.randomElement(using: &generator)!),
            layers: layers, chapters: chapters)
        patch.pitchLaw = duration > 1 ? .ratio : .hertz
        return patch
    }

    /// A live edit that is valid for this patch.
    func randomSetting(using generator: inout SeededGenerator) -> Setting {
        let layer = Int.random(in: layers.indices, using: &generator)
        let description = layers[layer].parameters.randomElement(using: &generator)!
        return Setting(layer: layer, parameter: description.parameter, value: .random(in: description.range, using: &generator))
    }
}
