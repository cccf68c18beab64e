// The layers that play a voice of each kind.

import Patches

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

    /// The gain of its layer at 100 %, in dB, that keeps the output below the ceiling. As for a tone, the gain of noise is its loudness;
    /// within a quarter of an hour its peaks are 12.5 dB above that, and stay below its amplitude.
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
    var hasPulses: Bool {
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
