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
    private let part: LayerPart
    /// Values of the parameters after the pieces so far; empty at the start.
    private var reached: [Parameter: Double] = [:]

    /// Length of a step in seconds.
    private static let step = 0.02

    /// - Parameters:
    ///   - ear: The only ear that it is heard in; `nil` for both.
    ///   - part: The part of its sound that the layer has.
    ///   - table: One cycle of its wave, if that is the sequence's own.
    ///   - sequence: The source of its sound file and headphone curve.
    init(
        _ kind: SequenceVoice.Kind, name: String, percent: Double, ear: SequenceEar? = nil, part: LayerPart = .whole, table: [Double],
        _ sequence: SBaGenSequence
    ) {
        self.kind = kind
        self.part = part
        self.percent = percent
        self.ear = ear
        headphones = sequence.options.headphones
        mixGain = sequence.options.mixGain
        layer = Layer(name: name, kind: ear == nil ? kind.layerKind : kind.layerKindOfEar)
        if let ear { layer.values[.pan] = ear.pan }
        switch kind {
        case .tone(let wave), .monaural(let wave): layer.wave = wave
        case .pulses(let wave):
            layer.wave = wave
            if sequence.dialect == .sbagenx { layer.envelope = sequence.options.pulse.envelope }
        case .drawnPulses(let wave, let place), .drawnTone(let wave, let place):
            (layer.wave, layer.envelope) = (wave, sequence.envelopes[place])
        case .orbit(let wave, let pulse):
            layer.wave = wave
            layer.effects = [.orbit]
            layer.envelope =
                switch pulse {
                case .cosine: MixModulation().envelope
                case .standard: sequence.options.pulse.envelope
                case .drawn(let place): sequence.envelopes[place]
                }
        case .shapedNoise(let noise): shape(noise, sequence)
        case .mixEffect(let effect):
            play(sequence)
            shape(effect, sequence)
        case .noise(let color):
            layer.spectrum = .color(color)
            // All voices, and both ears, have the same noise.
            layer.seed = 0
            layer.values[.correlation] = 1
        case .wave: (layer.wave, layer.table) = (.table, table)
        case .spin(let color):
            layer.spectrum = .color(color)
            layer.seed = 0
        case .bell:
            // Every bell is struck at the start of a patch; this strike is silent.
            layer.values[.gain] = Parameter.off
        case .mix: play(sequence)
        case .off: break
        }
    }

    /// Plays the sound file of a sequence.
    private mutating func play(_ sequence: SBaGenSequence) {
        layer.path = sequence.options.mixFile ?? ""
        layer.segments = sequence.options.mixSegments
        // The file and its effects are heard in the same segments.
        if layer.segments != nil { layer.seed = Self.segmentSeed }
    }

    /// The seed of a sound file's segments.
    static let segmentSeed: UInt64 = 0

    private mutating func shape(_ noise: ShapedNoise, _ sequence: SBaGenSequence) {
        layer.spectrum = noise.spectrum
        layer.seed = 0
        switch noise.form {
        case .plain, .spin: break
        case .pulses(let envelope):
            layer.values[.correlation] = 1
            layer.effects = [.pulses]
            layer.envelope = envelope.map { sequence.envelopes[$0] } ?? sequence.options.pulse.envelope
        case .beat(let place):
            let envelope = place.map { sequence.envelopes[$0] }
            layer.effects = envelope == nil ? [.shift] : [.shift, .pulses]
            // The rest comes from the same noise.
            layer.envelope = part == .rest ? envelope?.inverted : envelope
        }
    }

    private mutating func shape(_ effect: MixEffect, _ sequence: SBaGenSequence) {
        if let modulation = effect.modulation {
            if modulation.isPlainCosine || effect.hasPulses {
                layer.effects = [.modulation]
                layer.values[.amDepth] = 1 - modulation.floor
            } else {
                layer.effects = [.pulses]
                layer.envelope = modulation.envelope
                layer.values[.pulseDepth] = 1 - modulation.floor
            }
        }
        switch effect.form {
        case .direct, .modulation: break
        case .pulses(let wave, let place):
            layer.effects.insert(.pulses)
            layer.envelope = place.map { sequence.envelopes[$0] } ?? MixEffect.envelope(of: wave)
        case .spin: layer.effects.insert(.spin)
        case .beat(let place):
            if part == .shifted {
                layer.effects.insert(.shift)
                layer.isMono = true
            }
            if let envelope = place.map({ sequence.envelopes[$0] }) {
                layer.effects.insert(.pulses)
                layer.envelope = part == .rest ? envelope.inverted : envelope
            }
        }
    }

    /// Plays the wave backwards in the ear with the lower frequency, as SBaGen does; where its voices have no beat, in the left one.
    mutating func turn(_ voices: [SequenceVoice]) { layer.backwards = Ear.backwards(inOrder: voices.map(\.beat)) }

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
        // The rate of an envelope goes through 0 where the beat does.
        var stretches = kind.hasRateOfBeat ? halves.flatMap { $0.cut(where: \.beat) } : halves
        if isSpunFile { stretches = stretches.flatMap(\.cutBySpin) }
        for half in stretches {
            for part in headphones.parts(of: half) { addHeard(part) }
        }
    }

    /// Whether it is a file that spins, whose depth follows the share of an ear in a curve.
    private var isSpunFile: Bool { if case .mixEffect(let effect) = kind { effect.form == .spin } else { false } }

    private mutating func addHeard(_ piece: SequenceTimeline.Piece) {
        move(.gain, level(piece.from), level(piece.to), piece)
        if let ear {
            let (from, to) = (abs(ear.frequency(of: piece.from)), abs(ear.frequency(of: piece.to)))
            if case .drawnTone = kind { move(.pulseRate, rate(piece.from), rate(piece.to), piece) }
            return move(.carrier, clamped(from, .carrier), clamped(to, .carrier), piece)
        }
        if !headphones.isFlat, !kind.pitches(part).isEmpty {
            move(.pan, headphones.pan(of: piece.from), headphones.pan(of: piece.to), piece)
        }
        for (parameter, value) in kind.pitches(part) {
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

    private func rate(_ voice: SequenceVoice) -> Double { clamped(abs(voice.beat), .pulseRate) }

    private mutating func step(_ parameter: Parameter, to value: Double, before position: Double) {
        moves.append(
            SequenceMove(
                start: max(position - Self.step, 0), over: Self.step, setting: Setting(layer: 0, parameter: parameter, value: value)))
    }

    private func level(_ voice: SequenceVoice) -> Double {
        let amplitude = voice.amplitude * kind.share(of: voice, part)
        let level = kind.level(ofAmplitude: amplitude * headphones.factor(of: voice, in: ear) * percent)
        guard kind.isOfFile, level > Parameter.off else { return level }
        return min(max(level + mixGain, Parameter.off), 0)
    }

    private func clamped(_ value: Double, _ parameter: Parameter) -> Double {
        layer.description(of: parameter)?.clamped(value) ?? value
    }
}

extension SequenceVoice.Kind {
    /// Whether a layer plays it, depending on whether `-m` names a file.
    func isPlayed(withFile hasFile: Bool) -> Bool {
        switch self {
        case .tone, .pulses, .monaural, .noise, .wave, .bell, .spin, .drawnPulses, .drawnTone, .orbit, .shapedNoise: true
        case .mix, .mixEffect: hasFile
        case .off: false
        }
    }

    var layerKind: LayerKind {
        switch self {
        case .pulses, .drawnPulses, .orbit: .isochronic
        case .monaural: .monaural
        case .noise: .noise
        case .shapedNoise(let noise): noise.form == .spin ? .spin : .noise
        case .bell: .bell
        case .spin: .spin
        case .mix, .mixEffect: .file
        case .tone, .wave, .off, .drawnTone: .binaural
        }
    }

    /// Whether it is a pulsing tone.
    var isPulsed: Bool {
        switch self {
        case .pulses, .drawnPulses: true
        default: false
        }
    }

    /// The kind of a layer that has the tone of one ear.
    var layerKindOfEar: LayerKind { if case .drawnTone = self { .isochronic } else { .tone } }

    /// Whether its beat, of either sign, is also the rate of an envelope.
    var hasRateOfBeat: Bool {
        switch self {
        case .drawnTone, .mixEffect: true
        default: false
        }
    }

    /// Whether each ear has a layer of its own, whatever the beat.
    var isApart: Bool { if case .drawnTone = self { true } else { false } }

    /// Whether it has a tone in each ear, which are as far apart as the beat.
    var hasTwoTones: Bool {
        switch self {
        case .tone, .wave, .drawnTone: true
        case .off, .pulses, .monaural, .noise, .mix, .bell, .spin, .drawnPulses, .orbit, .shapedNoise, .mixEffect: false
        }
    }

    var isSpin: Bool {
        switch self {
        case .spin: true
        case .shapedNoise(let noise): noise.form == .spin
        default: false
        }
    }

    /// Parameters that a voice moves besides its level.
    func pitches(_ part: LayerPart) -> [(parameter: Parameter, value: (SequenceVoice) -> Double)] {
        switch self {
        case .shapedNoise(let noise): noise.pitches(part)
        case .mixEffect(let effect): effect.pitches(part)
        case .pulses, .drawnPulses: [(.carrier, \.carrier), (.pulseRate, \.beat)]
        case .orbit:
            [
                (.carrier, \.carrier), (.pulseRate, \.beat), (.orbitRate, { $0.orbit?.rate ?? 0 }),
                (.distance, { $0.orbit?.distance ?? 1 }),
            ]
        case .tone, .wave, .monaural: [(.carrier, \.carrier), (.beat, \.beat)]
        // With a positive speed SBaGen's left ear is early first, but the left ear of a spin layer is late, so the sign changes.
        case .spin: Self.spinPitches
        case .off, .noise, .mix, .bell, .drawnTone: []
        }
    }

    fileprivate static var spinPitches: [(parameter: Parameter, value: (SequenceVoice) -> Double)] {
        [(.delay, { max($0.carrier, 0) }), (.beat, { 0 - $0.beat })]
    }

    /// The part of a voice's amplitude that a layer of it has.
    func share(of voice: SequenceVoice, _ part: LayerPart) -> Double {
        guard case .mixEffect(let effect) = self else { return 1 }
        let intensity = voice.carrier / 100
        return switch effect.form {
        case .beat(nil): part == .rest ? 1 - intensity : intensity
        case .beat(.some): part == .rest ? 1 : intensity
        // The ears swing about the middle, up by as much as down.
        case .spin: 1 + intensity
        case .direct, .modulation, .pulses: 1
        }
    }

    /// Whether `-c` makes it louder.
    var isBoosted: Bool {
        switch self {
        case .tone, .pulses, .monaural, .wave, .drawnPulses, .drawnTone, .orbit: true
        case .off, .noise, .mix, .bell, .spin, .shapedNoise, .mixEffect: false
        }
    }

    /// The gain of its layer at 100 %, in dB, at which the output's ceiling is not exceeded. The gain of noise is its loudness, like that
    /// of a tone; its peaks are 12.5 dB above that in a quarter of an hour, and stay below its amplitude.
    var fullGain: Double {
        switch self {
        case .noise, .spin, .shapedNoise: SBaGenSequence.headroom - Layer.noisePeak
        case .off, .tone, .pulses, .monaural, .wave, .mix, .bell, .drawnPulses, .drawnTone, .orbit, .mixEffect: SBaGenSequence.headroom
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
        case .drawnPulses(.square, _), .drawnPulses(.sawtooth, _), .drawnTone(.square, _), .drawnTone(.sawtooth, _): 1.18
        case .orbit(.square, _), .orbit(.sawtooth, _): 1.18 * Layer.orbitCrest
        case .orbit: Layer.orbitCrest
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
        case .drawnPulses(let wave, let place): "pulses-\(wave.rawValue)-\(place + 1)"
        case .drawnTone(let wave, let place): "\(wave.rawValue)-\(place + 1)"
        case .orbit(let wave, let pulse):
            switch pulse {
            case .cosine: "orbit-\(wave.rawValue)"
            case .standard: "orbit-\(wave.rawValue)-pulses"
            case .drawn(let place): "orbit-\(wave.rawValue)-\(place + 1)"
            }
        case .shapedNoise(let noise): noise.label
        case .mixEffect(let effect): effect.label
        }
    }
}

extension ShapedNoise {
    fileprivate func pitches(_ part: LayerPart) -> [(parameter: Parameter, value: (SequenceVoice) -> Double)] {
        switch form {
        case .plain: []
        case .spin: SequenceVoice.Kind.spinPitches
        case .pulses: [(.pulseRate, \.beat)]
        // The left ear is shifted down.
        case .beat(nil): [(.beat, { 0 - $0.beat })]
        case .beat: [(.beat, { part == .rest ? 0 : 0 - $0.beat }), (.pulseRate, { $0.beat / 2 })]
        }
    }
}

extension MixEffect {
    /// Whether it has pulses of its own.
    fileprivate var hasPulses: Bool {
        switch form {
        case .pulses, .beat(.some): true
        case .direct, .modulation, .beat(nil), .spin: false
        }
    }

    fileprivate func pitches(_ part: LayerPart) -> [(parameter: Parameter, value: (SequenceVoice) -> Double)] {
        var pitches = pitchesOfForm(part)
        if let modulation {
            let parameter: Parameter = modulation.isPlainCosine || hasPulses ? .amRate : .pulseRate
            pitches.append((parameter, { $0.modulationRate ?? 10 }))
        }
        return pitches
    }

    private func pitchesOfForm(_ part: LayerPart) -> [(parameter: Parameter, value: (SequenceVoice) -> Double)] {
        let depth: (SequenceVoice) -> Double = { $0.carrier / 100 }
        let beat: (SequenceVoice) -> Double = { 0 - $0.beat }
        let half: (SequenceVoice) -> Double = { abs($0.beat) / 2 }
        switch form {
        case .direct, .modulation: return []
        case .pulses: return [(.pulseRate, { abs($0.beat) }), (.pulseDepth, depth)]
        case .beat(nil): return part == .rest ? [] : [(.beat, beat)]
        case .beat: return part == .rest ? [(.pulseRate, half), (.pulseDepth, depth)] : [(.beat, beat), (.pulseRate, half)]
        case .spin: return [(.spinRate, \.beat), (.spinDepth, { 2 * $0.carrier / (100 + $0.carrier) })]
        }
    }
}

extension Ear {
    /// The ear that hears a wave backwards in SBaGen, for the beats of a voice.
    static func backwards(inOrder beats: [Double]) -> Ear { (beats.first { $0 != 0 } ?? 0) > 0 ? .right : .left }
}
