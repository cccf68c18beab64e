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
