import Patches

/// One layer of a patch made from a sequence: the course of a voice while it is of one kind, or of its tone in one ear.
struct LayerCourse {
    private(set) var layer: Layer
    private(set) var moves: [SequenceMove] = []
    private let kind: SequenceVoice.Kind
    /// Scale of amplitudes: what 1 % becomes, in percent.
    private let percent: Double
    private let headphones: HeadphoneCurve
    private let mixGain: Double
    private let ear: SequenceEar?
    /// Values of the parameters after the pieces so far; empty at the start.
    private var reached: [Parameter: Double] = [:]

    /// Length of a step in seconds.
    private static let step = 0.02

    /// - Parameters:
    ///   - ear: The only ear that it is heard in; `nil` for both.
    ///   - table: One cycle of its wave, if that is the sequence's own.
    ///   - sequence: The source of its sound file and headphone curve.
    init(
        _ kind: SequenceVoice.Kind, name: String, percent: Double, ear: SequenceEar? = nil, table: [Double], _ sequence: SBaGenSequence
    ) {
        self.kind = kind
        self.percent = percent
        self.ear = ear
        headphones = sequence.options.headphones
        mixGain = sequence.options.mixGain
        layer = Layer(name: name, kind: ear == nil ? kind.layerKind : .tone)
        if let ear { layer.values[.pan] = ear.pan }
        switch kind {
        case .tone(let wave), .pulses(let wave), .monaural(let wave): layer.wave = wave
        case .noise(let color):
            layer.color = color
            // All voices, and both ears, have the same noise.
            layer.seed = 0
            layer.values[.correlation] = 1
        case .wave: (layer.wave, layer.table) = (.table, table)
        case .spin(let color):
            layer.color = color
            layer.seed = 0
        case .bell:
            // Every bell is struck at the start of a patch; this strike is silent.
            layer.values[.gain] = Parameter.off
        case .mix: layer.path = sequence.options.mixFile ?? ""
        case .off: break
        }
    }

    /// Strikes the bell at a position in seconds, regardless of fades.
    mutating func strike(_ bell: SequenceVoice, at position: Double) {
        let carrier = clamped(bell.carrier, .carrier)
        if let value = reached[.carrier] {
            if value != carrier { step(.carrier, to: carrier, before: position) }
        } else {
            layer.values[.carrier] = carrier
        }
        reached[.carrier] = carrier
        moves.append(SequenceMove(start: position, over: Self.step, setting: Setting(layer: 0, parameter: .gain, value: level(bell))))
    }

    /// Adds the next piece, of any kind: while the voice is of another kind, the layer is silent.
    mutating func add(_ piece: SequenceTimeline.Piece) {
        guard piece.kind == kind else { return move(.gain, Parameter.off, Parameter.off, piece) }
        let halves = kind.isSpin ? piece.withPositiveWidth : ear.map { piece.cut(where: $0.frequency) } ?? [piece]
        for half in halves {
            for part in headphones.parts(of: half) { addHeard(part) }
        }
    }

    private mutating func addHeard(_ piece: SequenceTimeline.Piece) {
        move(.gain, level(piece.from), level(piece.to), piece)
        if let ear {
            let (from, to) = (abs(ear.frequency(of: piece.from)), abs(ear.frequency(of: piece.to)))
            return move(.carrier, clamped(from, .carrier), clamped(to, .carrier), piece)
        }
        if !headphones.isFlat, !kind.pitches.isEmpty { move(.pan, headphones.pan(of: piece.from), headphones.pan(of: piece.to), piece) }
        for (parameter, value) in kind.pitches {
            move(parameter, clamped(value(piece.from), parameter), clamped(value(piece.to), parameter), piece)
        }
    }

    private mutating func move(_ parameter: Parameter, _ from: Double, _ to: Double, _ piece: SequenceTimeline.Piece) {
        if let value = reached[parameter] {
            if value != from { step(parameter, to: from, before: piece.start) }
        } else {
            layer.values[parameter] = from
        }
        if from != to {
            moves.append(
                SequenceMove(
                    start: piece.start, over: piece.end - piece.start, setting: Setting(layer: 0, parameter: parameter, value: to)))
        }
        reached[parameter] = to
    }

    private mutating func step(_ parameter: Parameter, to value: Double, before position: Double) {
        moves.append(
            SequenceMove(
                start: max(position - Self.step, 0), over: Self.step, setting: Setting(layer: 0, parameter: parameter, value: value)))
    }

    private func level(_ voice: SequenceVoice) -> Double {
        let level = kind.level(ofAmplitude: voice.amplitude * headphones.factor(of: voice, in: ear) * percent)
        guard kind == .mix, level > Parameter.off else { return level }
        return min(max(level + mixGain, Parameter.off), 0)
    }

    private func clamped(_ value: Double, _ parameter: Parameter) -> Double {
        layer.kind.description(of: parameter)?.clamped(value) ?? value
    }
}

extension SequenceVoice.Kind {
    /// Whether a layer plays it, depending on whether `-m` names a file.
    func isPlayed(withFile hasFile: Bool) -> Bool {
        switch self {
        case .tone, .pulses, .monaural, .noise, .wave, .bell, .spin: true
        case .mix: hasFile
        case .off: false
        }
    }

    var layerKind: LayerKind {
        switch self {
        case .pulses: .isochronic
        case .monaural: .monaural
        case .noise: .noise
        case .bell: .bell
        case .spin: .spin
        case .mix: .file
        case .tone, .wave, .off: .binaural
        }
    }

    /// Whether it has a tone in each ear, which are as far apart as the beat.
    var hasTwoTones: Bool {
        switch self {
        case .tone, .wave: true
        case .off, .pulses, .monaural, .noise, .mix, .bell, .spin: false
        }
    }

    var isSpin: Bool { if case .spin = self { true } else { false } }

    /// Parameters that a voice moves besides its level.
    var pitches: [(parameter: Parameter, value: (SequenceVoice) -> Double)] {
        switch self {
        case .pulses: [(.carrier, \.carrier), (.pulseRate, \.beat)]
        case .tone, .wave, .monaural: [(.carrier, \.carrier), (.beat, \.beat)]
        // With a positive speed SBaGen's left ear is early first, but the left ear of a spin layer is late, so the sign changes.
        case .spin: [(.delay, { max($0.carrier, 0) }), (.beat, { 0 - $0.beat })]
        case .off, .noise, .mix, .bell: []
        }
    }

    /// Whether `-c` makes it louder.
    var isBoosted: Bool {
        switch self {
        case .tone, .pulses, .monaural, .wave: true
        case .off, .noise, .mix, .bell, .spin: false
        }
    }

    /// The gain of its layer at 100 %, in dB, at which the output's ceiling is not exceeded. The gain of noise is its loudness, like that
    /// of a tone; its peaks are 12.5 dB above that in a quarter of an hour, and stay below its amplitude.
    var fullGain: Double {
        switch self {
        case .noise, .spin: SBaGenSequence.headroom - Layer.noisePeak
        case .off, .tone, .pulses, .monaural, .wave, .mix, .bell: SBaGenSequence.headroom
        }
    }

    /// The gain of its layer at a level in percent, in dB, rounded down to a ten-thousandth to keep the patch readable.
    func level(ofAmplitude percent: Double) -> Double {
        // The last digits are rounding errors. Within a slide `-c` may boost more than at its ends, by which all is scaled.
        let level = min(Amplitude.decibels(percent / 100) + fullGain, fullGain)
        return max((level * 10_000 + 1e-4).rounded(.down) / 10_000, Parameter.off)
    }

    /// The peak of a voice, relative to its amplitude.
    var crest: Double {
        switch self {
        // Without the harmonics that the sample rate has no room for, a wave overshoots at its jumps (Gibbs).
        case .tone(.square), .tone(.sawtooth), .pulses(.square), .pulses(.sawtooth), .monaural(.square), .monaural(.sawtooth): 1.18
        default: 1
        }
    }

    /// A name that distinguishes the layers of one voice.
    var name: String {
        switch self {
        case .off: "off"
        case .tone(.sine): "tone"
        case .tone(let wave): wave.rawValue
        case .pulses(.sine): "pulses"
        case .pulses(let wave): "pulses-\(wave.rawValue)"
        case .monaural(.sine): "monaural"
        case .monaural(let wave): "monaural-\(wave.rawValue)"
        case .wave(let number): SequenceFault.waveName(number) + (number < 100 ? "" : "-\(number / 100 + 1)")
        case .noise(let color): color.rawValue
        case .mix: "mix"
        case .bell: "bell"
        case .spin(let color): "spin-\(color.rawValue)"
        }
    }
}
