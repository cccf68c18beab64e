import PatchFiles
import Patches
import TestSupport
import Testing

@Suite("Writing patches") struct PatchWritingTests {
    @Test("a patch is written as a person would write it")
    func readable() throws {
        let text = """
            title: Deep alpha
            comment: "10 minutes: slowly"
            duration: 30:00
            loop: true
            clock: 22:30:00
            fade: {in: 5, out: {over: 10, ease: sineOut}}
            gains: amplitude
            layers:
              - name: bed
                binaural: {carrier: 200, beat: 10}
                gain: -20
              - name: rain
                noise: {color: pink, correlation: 0.5, seed: 7}
                pan: -0.25
            chapters:
              - {at: 0:00, title: Settle}
              - at: 5:00.5
                title: Drop
                over: 10:00
                ease: sineInOut
                set: {bed.beat: 4, rain.gain: -26}
            cues:
              - at: 4:30
                over: 0:30
                set: {bed.gain: -26}
              - at: 4:30
                over: 1:00
                set: {bed.carrier: 180}

            """
        #expect(try Patch.parse(text, file: "a").yaml == text)
    }

    @Test(
        "a patch with any text in it reads back equal",
        arguments: [
            "plain", "10:00", "a: b", "a #b", "- x", "-5", "true", "null", "~", "{x}", "[y]", "\"q\"", "it's", "back\\slash",
            "two\nlines\n", "ünï", "🎧", " padded ",
            "ends:", "&a", "*b", "!c", "%d", "@e", "`f", "|", ">", "?", "...", "---", "\u{2028}", "x\u{FEFF}y", "\u{200B}", "\u{E000}",
            "\u{A0}", "=", "<<", "#",
        ])
    func anyText(text: String) throws {
        var patch = Patch(layers: [Layer(name: "null", kind: .tone)])
        patch.details.title = text
        patch.details.comment = text
        patch.chapters = [
            Chapter(start: 0, title: text), Chapter(start: 1, title: text, settings: [Setting(layer: 0, parameter: .gain, value: -3)]),
        ]
        #expect(try Patch.parse(patch.yaml, file: "a") == patch)
    }

    @Test("random patches read back equal")
    func random() throws {
        var random = SplitMix64(seed: 21)
        for _ in 0..<200 {
            let patch = Self.patch(&random)
            #expect(try Patch.parse(patch.yaml, file: "a") == patch, "\(patch.yaml)")
        }
    }

    private static func segments(_ random: inout SplitMix64) -> SoundSegments {
        let shortest = Double.random(in: 0.1...50, using: &random)
        let lengths = Bool.random(using: &random) ? nil : shortest...shortest + Double(Int.random(in: 0...9, using: &random))
        let start = Bool.random(using: &random) ? 0 : Double.random(in: 0.001...5000, using: &random)
        return SoundSegments(
            lengths: lengths,
            crossfade: Bool.random(using: &random)
                ? nil : .random(in: 0.02...SoundSegments.longestCrossfade(lengths), using: &random),
            streams: Int.random(in: 1...2, using: &random), exchangesEars: Bool.random(using: &random), start: start,
            end: Bool.random(using: &random) ? nil : start + .random(in: 1...5000, using: &random),
            playsIntro: start > 0 && Bool.random(using: &random))
    }

    static func patch(_ random: inout SplitMix64) -> Patch {
        func value(_ description: ParameterDescription) -> Double { Double.random(in: description.range, using: &random) }
        let layers = (1...Int.random(in: 1...5, using: &random)).map { number in
            let kind = LayerKind.allCases.randomElement(using: &random)!
            var layer = Layer(name: Bool.random(using: &random) ? "\(kind)\(number)" : "no-\(number)_x", kind: kind)
            layer.effects = Set(kind.effects.filter { _ in Bool.random(using: &random) })
            if layer.canHaveEnvelope, Bool.random(using: &random) {
                layer.envelope = DrawnEnvelope(
                    levels: (0..<Int.random(in: 2...9, using: &random)).map { _ in .random(in: 0...1, using: &random) },
                    curve: DrawnEnvelope.Curve.allCases.randomElement(using: &random)!)
            }
            for description in layer.parameters where Bool.random(using: &random) {
                layer.values[description.parameter] = value(description)
            }
            // An effect without a value has to be written as one.
            for effect in layer.effects where effect != .pulses {
                guard let sign = effect.signs(in: kind, beside: layer.effects).first, let description = layer.description(of: sign) else {
                    continue
                }
                layer.values[sign] = value(description)
            }
            if layer.hasWave { layer.wave = Waveform.allCases.randomElement(using: &random)! }
            if layer.wave == .table {
                layer.table = (0..<Int.random(in: 2...9, using: &random)).map { _ in .random(in: -1...1, using: &random) }
            }
            if kind == .file {
                layer.path = ["rain.flac", "../a folder/b: c.wav", "/absolute/#1.ogg"].randomElement(using: &random)!
                layer.loops = Bool.random(using: &random)
                if layer.loops, Bool.random(using: &random) { layer.segments = segments(&random) }
            }
            if kind.isNoise {
                layer.spectrum =
                    [
                        .color(NoiseColor.allCases.randomElement(using: &random)!), .slope(.random(in: -12...12, using: &random)),
                        .levels((0..<32).map { _ in .random(in: -60...60, using: &random) }),
                    ].randomElement(using: &random)!
                layer.range = [nil, .low(20), .high(800.5), .band(4000...8000), .notch(20...20_000)].randomElement(using: &random)!
                layer.seed = Bool.random(using: &random) ? UInt64.random(in: 0...UInt64.max, using: &random) : nil
            }
            return layer
        }
        var patch = Patch(details: .init(title: "Random"), layers: layers)
        if Bool.random(using: &random) { patch.duration = Double.random(in: 100...100_000, using: &random) }
        if Bool.random(using: &random) {
            patch.fade = Patch.Fade(
                in: Double.random(in: 0...50, using: &random), easeIn: Easing.allCases.randomElement(using: &random)!,
                out: Double.random(in: 0...50, using: &random), easeOut: Easing.allCases.randomElement(using: &random)!)
        }
        var start = 0.0
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let layer = Int.random(in: layers.indices, using: &random)
            let description = layers[layer].parameters.randomElement(using: &random)!
            patch.chapters.append(
                Chapter(
                    start: start, title: "c", over: Bool.random(using: &random) ? Double.random(in: 0...100, using: &random) : nil,
                    ease: Easing.allCases.randomElement(using: &random)!,
                    settings: Bool.random(using: &random)
                        ? [Setting(layer: layer, parameter: description.parameter, value: value(description))] : []))
            start += Double.random(in: 0.001...20, using: &random)
        }
        return patch
    }
}
