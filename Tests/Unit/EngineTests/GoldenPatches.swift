import Engine
import Patches

/// The patches of the golden samples. `ReleaseTests/UnoptimizedTests.swift` compiles this file again, without any optimization.
enum GoldenPatches {
    static let frames = 65_536

    /// A patch with an edit that is part of the golden samples.
    static func plan(_ patch: Patch, sampleRate: Double) -> Plan {
        PlanCompiler.compile(patch, sampleRate: sampleRate)
            .applying([Setting(layer: 0, parameter: .gain, value: -30)], at: 30_000)
    }

    /// The hash of the samples from plan frame 100 on.
    static func hash(_ patch: Patch, sampleRate: Double, _ kernel: Kernel) -> UInt64 {
        let plan = plan(patch, sampleRate: sampleRate)
        let fill = patch.layers.contains { [.input, .keys].contains($0.kind) } ? live(plan, kernel) : offline(plan, kernel)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var (left, right) = ([Float](repeating: 0, count: 1024), [Float](repeating: 0, count: 1024))
        for _ in 0..<frames / 1024 {
            left.withUnsafeMutableBufferPointer { left in right.withUnsafeMutableBufferPointer { right in fill(left, right) } }
            Self.hash(left, right, into: &hash)
        }
        return hash
    }

    private typealias Fill = (UnsafeMutableBufferPointer<Float>, UnsafeMutableBufferPointer<Float>) -> Void

    private static func offline(_ plan: Plan, _ kernel: Kernel) -> Fill {
        let renderer = OfflineRenderer(plan, from: 100, kernel: kernel, ceiling: 0, sounds: { sound, _ in GoldenSound(sound) })
        return { left, right in _ = renderer.render(left: left, right: right) }
    }

    /// Renders like the callback, with inputs and played keys.
    private static func live(_ plan: Plan, _ kernel: Kernel) -> Fill {
        let control = EngineControl(sampleRate: plan.sampleRate, kernel: kernel, ceiling: 0)
        control.start(plan, at: 100, fade: 0)
        var start = 0
        return { left, right in
            for (frame, bytes) in keys where start..<start + left.count ~= frame {
                control.handle.play(bytes[0], bytes[1], bytes[2], atFrame: EngineFrame(Int64(frame)))
            }
            let inputs = (0..<left.count).map { GoldenSound.sample(UInt64(start + $0)) }
            flushingDenormals {
                control.handle.render(
                    left: left.baseAddress!, right: right.baseAddress!, inputLeft: inputs, inputRight: inputs.reversed(),
                    frames: left.count, hostTime: 0)
            }
            _ = control.poll()
            start += left.count
        }
    }

    /// MIDI, each event on its engine frame: a chord by velocity, a bend, the pedal, a key struck again, and all up before the end.
    private static let keys: [(frame: Int, bytes: [UInt8])] = [
        (10, [0x90, 57, 127]), (1500, [0x90, 64, 90]), (1501, [0x90, 69, 33]), (9000, [0xE0, 0x12, 0x50]), (12_000, [0x80, 64, 0]),
        (16_000, [0xB0, 64, 127]), (17_777, [0x80, 57, 0]), (20_000, [0x90, 57, 100]), (26_000, [0x80, 57, 0]), (33_333, [0xB0, 64, 0]),
        (40_000, [0xE0, 0, 0x40]), (45_000, [0x80, 69, 0]),
    ]

    /// FNV-1a over the bit patterns, left and right in turn.
    static func hash(_ left: [Float], _ right: [Float], into hash: inout UInt64) {
        for (left, right) in zip(left, right) {
            for sample in [left, right] { hash = (hash ^ UInt64(sample.bitPattern)) &* 0x100_0000_01b3 }
        }
    }

    private static func single(
        _ kind: LayerKind, _ values: [Parameter: Double] = [:], color: NoiseColor = .white, chapters: [Chapter] = []
    ) -> Patch {
        Patch(layers: [Layer(name: "one", kind: kind, values: values, color: color)], chapters: chapters)
    }

    private static func waved(_ wave: Waveform, _ kind: LayerKind, _ values: [Parameter: Double]) -> Patch {
        Patch(layers: [Layer(name: "one", kind: kind, values: values, wave: wave)])
    }

    /// A patch with a layer that has neither a waveform nor noise.
    private static func foreign(_ kind: LayerKind, pulses: Bool, loops: Bool = true) -> Patch {
        var layer = Layer(name: "one", kind: kind, values: [.gain: -18, .pan: 0.25, .pulseRate: 2.5, .duty: 0.6])
        layer.path = kind == .file ? "/golden" : ""
        (layer.effects, layer.loops) = (pulses ? [.pulses] : [], loops)
        return Patch(layers: [layer])
    }

    /// A patch whose file is played in segments.
    private static var segmented: Patch {
        var patch = foreign(.file, pulses: false)
        patch.layers[0].segments = SoundSegments(lengths: 0.1...0.3, crossfade: 0.03, streams: 2, start: 0.1, end: 0.7, playsIntro: true)
        patch.layers[0].seed = 5
        return patch
    }

    /// A patch with a layer that has effects, whose values move.
    private static func affected(
        _ kind: LayerKind, _ effects: Set<LayerEffect>,
        envelope: DrawnEnvelope? = DrawnEnvelope(levels: [0.2, 1, 0.6, 0], curve: .smoothstep), bands: [ClosedRange<Double>] = []
    ) -> Patch {
        var layer = Layer(name: "one", kind: kind, values: [.gain: -24, .pulseRate: 2.5, .pulseDepth: 0.8, .amRate: 7, .beat: 6])
        layer.path = kind == .file ? "/golden" : ""
        (layer.effects, layer.envelope, layer.bands) = (effects, envelope, bands)
        layer.spectrum = .levels((0..<NoiseSpectrum.bandCount).map { Double($0 * 7 % 13) - 6 })
        let moves: [(Parameter, Double)] = [
            (.beat, -3), (.amDepth, 0.9), (.spinRate, 2), (.spinDepth, 1), (.spinDelay, 800), (.orbitRate, -2), (.distance, 3),
            (.pulseRate, 5),
            (.pan, 0.3),
        ]
        let settings = moves.map { Setting(layer: 0, parameter: $0.0, value: $0.1) }.filter { layer.description(of: $0.parameter) != nil }
        return Patch(layers: [layer], chapters: [Chapter(start: 0.3, over: 0.7, ease: .sineInOut, settings: settings)])
    }

    /// Sines of three kinds that move in every way, some of them beyond the frequencies that are added up at nodes.
    static let sines: Patch = {
        let kinds: [LayerKind] = [.tone, .binaural, .binaural, .monaural]
        var layers = (0..<12).map { index in
            Layer(name: "sine \(index)", kind: kinds[index % 4], values: [.carrier: 40 + 77 * Double(index), .gain: -30])
        }
        layers[2].values[.width] = 0.3
        layers[5].values[.pan] = 0.4
        func set(_ layer: Int, _ parameter: Parameter, _ value: Double) -> Setting {
            Setting(layer: layer, parameter: parameter, value: value)
        }
        let chapters = [
            Chapter(start: 0.1, over: 0.7, ease: .linear, settings: [set(0, .carrier, 300), set(1, .gain, -20), set(5, .carrier, 1500)]),
            Chapter(start: 0.2, over: 0.3, ease: .sineInOut, settings: [set(1, .carrier, 500), set(3, .beat, 20), set(4, .gain, -60)]),
            Chapter(start: 0.35, over: 0.01, ease: .cubicOut, settings: [set(6, .carrier, 100), set(7, .gain, -120), set(8, .pan, -1)]),
            Chapter(start: 0.6, settings: [set(9, .gain, -20), set(10, .carrier, 200)]),
        ]
        return Patch(duration: 1, layers: layers, chapters: chapters)
    }()

    static let all: [(String, Patch)] = [
        ("sines", sines),
        ("tone", single(.tone, [.carrier: 440])),
        (
            "binaural",
            single(
                .binaural, [.carrier: 213.7, .beat: 7.83, .width: 0.8],
                chapters: [
                    Chapter(start: 0.2, over: 0.7, ease: .sineInOut, settings: [Setting(layer: 0, parameter: .carrier, value: 100)]),
                    Chapter(start: 0.4, over: 0.5, ease: .elasticOut, settings: [Setting(layer: 0, parameter: .gain, value: -12)]),
                    Chapter(start: 0.6, over: 0.5, ease: .circInOut, settings: [Setting(layer: 0, parameter: .pan, value: 0.7)]),
                ])
        ),
        ("monaural", single(.monaural, [.carrier: 150, .beat: 4])),
        (
            "isochronic",
            single(
                .isochronic, [.carrier: 300, .pulseRate: 12],
                chapters: [Chapter(start: 0.3, over: 0.9, ease: .linear, settings: [Setting(layer: 0, parameter: .pulseRate, value: 3)])])
        ),
        (
            "bell",
            single(
                .bell, [.carrier: 523.25, .decay: 1.5],
                chapters: [Chapter(start: 0.5, settings: [Setting(layer: 0, parameter: .gain, value: -24)])])
        ),
        ("spin", single(.spin, [.beat: 3.3, .delay: 700], color: .pink)),
        (
            "table",
            Patch(layers: [Layer(name: "one", kind: .monaural, values: [.carrier: 222], wave: .table, table: [0, 0.7, 1, 0.2, -0.4, -1])])
        ),
        ("white", single(.noise, [.correlation: 0.5], color: .white)),
        ("pink", single(.noise, [.correlation: 0.5], color: .pink)),
        ("brown", single(.noise, [.pan: -0.3], color: .brown)),
        ("blue", single(.noise, [.correlation: 0.2], color: .blue)),
        ("violet", single(.noise, [.correlation: 0.2], color: .violet)),
        ("bilateral", single(.bilateral, [.carrier: 220, .pulseRate: 3, .edge: 0.04])),
        (
            "phase",
            single(
                .phase, [.carrier: 180, .beat: 5],
                chapters: [Chapter(start: 0.3, over: 0.9, ease: .linear, settings: [Setting(layer: 0, parameter: .depth, value: 180)])])
        ),
        ("harmonicBox", single(.harmonicBox, [.carrier: 300, .beat: 9, .phase: 45])),
        ("triangle", waved(.triangle, .binaural, [.carrier: 233, .beat: 5, .width: 0.9])),
        ("square", waved(.square, .isochronic, [.carrier: 147, .pulseRate: 7])),
        ("sawtooth", waved(.sawtooth, .tone, [.carrier: 91.5, .phase: 30])),
        ("file", foreign(.file, pulses: false)),
        ("file-pulsing", foreign(.file, pulses: true, loops: false)),
        ("file-segments", segmented),
        ("input", foreign(.input, pulses: true)),
        ("noise-effects", affected(.noise, [.pulses, .modulation, .spin, .shift])),
        ("noise-pulsing", affected(.noise, [.pulses, .spin], envelope: nil)),
        ("file-effects", affected(.file, [.pulses, .modulation, .spin, .shift])),
        ("input-effects", affected(.input, [.modulation, .shift])),
        ("noise-bands", affected(.noise, [.pulses, .modulation, .spin], bands: [0...300, 2000...6000])),
        ("noise-shifted-band", affected(.noise, [.modulation, .shift], bands: [200...800])),
        ("file-bands", affected(.file, [.pulses, .modulation, .spin, .shift], bands: [200...800, 2000...20_000])),
        ("input-bands", affected(.input, [.modulation, .shift], bands: [200...800])),
        ("noise-turning", affected(.noise, [.spinDelay])),
        ("noise-turning-band", affected(.noise, [.spin, .spinDelay, .shift], bands: [200...800])),
        ("file-turning", affected(.file, [.spinDelay, .shift])),
        ("file-turning-bands", affected(.file, [.pulses, .spinDelay], bands: [200...800, 2000...20_000])),
        ("input-turning", affected(.input, [.spinDelay])),
        ("input-turning-bands", affected(.input, [.spinDelay, .shift], bands: [200...800])),
        ("levels", affected(.noise, [])),
        ("orbit", affected(.isochronic, [.orbit])),
        ("orbit-pulses", affected(.isochronic, [.orbit], envelope: nil)),
        ("keys", waved(.sawtooth, .keys, [.beat: 6, .attack: 0.01, .release: 0.3, .gain: -20])),
    ]
}

/// A recording of 40,000 frames, made by integers alone.
private final class GoldenSound: SoundReader {
    private static let length = 40_000
    let frameCount = Int64(length)
    private let loops: Bool

    init(_ sound: SoundName) { loops = sound.loops }

    /// -0.5...0.5: a number of SplitMix64 (Steele, Lea, Flood 2014).
    static func sample(_ index: UInt64) -> Float {
        var z = (index &+ 1) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ z &>> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z &>> 27) &* 0x94D0_49BB_1331_11EB
        return Float(Int32(truncatingIfNeeded: z &>> 32)) * 0x1p-32
    }

    func read(from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) {
        for index in 0..<count {
            let place = Int(frame) + index
            let isOver = !loops && place >= Self.length
            left[index] = isOver ? 0 : Self.sample(UInt64(place % Self.length))
            right[index] = isOver ? 0 : Self.sample(UInt64(place % Self.length + Self.length))
        }
    }
}
