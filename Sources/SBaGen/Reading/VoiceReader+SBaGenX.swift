import Patches

/// Voices that only SBaGenX has, and prefixes.
extension VoiceReader {
    struct Prefixes {
        var envelope: (place: Int, number: Int)?
        var spectrum: (levels: [Double], number: Int)?
        var hasMotion = false
        var waveform: Waveform?
        var kinds: Set<Prefix> = []
    }

    /// A voice, or `nil` after a fault.
    struct Shaped {
        let voice: SequenceVoice?
        init(_ voice: SequenceVoice?) { self.voice = voice }
    }

    enum Prefix { case envelope, spectrum, motion, waveform }

    /// Voices with a name of their own, and the prefixes that they take.
    private static let named: [(name: String, prefixes: Set<Prefix>)] = [
        ("noisepulse:", [.envelope, .spectrum]), ("noisebeat:", [.envelope, .spectrum, .waveform]), ("mixpulse:", [.envelope, .waveform]),
        ("mixbeat:", [.envelope, .waveform]), ("mixspin:", [.envelope, .motion, .waveform]), ("mixam:", []),
        ("orbitbeat:", [.envelope, .waveform]),
        ("spin:", [.spectrum, .motion]), ("bspin:", [.motion]), ("wspin:", [.motion]), ("pink/", []), ("white/", []), ("brown/", []),
        ("mix/", []), ("bell", []), ("wave", []),
    ]

    /// Reads `customNN:`, `noiseNN:`, `spinNN:` and a waveform, in any order; `nil` if one is not defined.
    mutating func prefixes() -> Prefixes? {
        var found = Prefixes()
        while true {
            let rest = String(scalars: scalars[index...].prefix { $0 != ":" && $0 != "/" })
            let end = index + rest.unicodeScalars.count
            if let shape = SequenceWord.shape(rest), end < scalars.count, scalars[end] == ":" {
                partOfSBaGenX = "`\(rest):`"
                let (envelope, spectrum) = (shapes.envelopes[shape.number], shapes.spectra[shape.number])
                switch shape.kind {
                case "custom":
                    found.envelope = envelope.map { ($0, shape.number) }
                    found.kinds.insert(.envelope)
                case "noise":
                    found.spectrum = spectrum.map { ($0, shape.number) }
                    found.kinds.insert(.spectrum)
                default:
                    found.hasMotion = shapes.motions.contains(shape.number)
                    found.kinds.insert(.motion)
                }
                let isDefined = shape.kind == "custom" ? envelope != nil : shape.kind == "noise" ? spectrum != nil : found.hasMotion
                guard isDefined else {
                    source.report(.undefinedShape(rest), at: word.place)
                    return nil
                }
                index = end + 1
            } else if found.waveform == nil, let form = SequenceOptions.waveforms.first(where: { take($0.rawValue + ":") }) {
                found.waveform = form
                found.kinds.insert(.waveform)
            } else {
                let named = Self.named.first { scalars[index...].starts(with: $0.name.unicodeScalars) }
                guard found.kinds.isSubset(of: named?.prefixes ?? [.envelope, .waveform]) else {
                    let text = String(scalars: scalars[..<index])
                    source.report(.wrongPrefix(text, before: String(scalars: scalars[index...])), at: word.place)
                    return nil
                }
                return found
            }
        }
    }

    /// A voice that only SBaGenX has; `nil` for any other voice.
    mutating func shaped(_ prefixes: Prefixes) -> Shaped? {
        let spectrum = prefixes.spectrum.map { NoiseSpectrum.levels($0.levels) } ?? .color(.pink)
        let numbers = [prefixes.envelope?.number, prefixes.spectrum?.number].compactMap { $0.map { "-\($0)" } }.joined()
        let name = String(scalars: scalars.prefix { $0 != "/" })
        if prefixes.kinds.isEmpty, let shape = SequenceWord.shape(name), shape.kind == "noise" {
            guard let levels = shapes.spectra[shape.number] else {
                source.report(.undefinedShape(name), at: word.place)
                return Shaped(nil)
            }
            index = min(name.unicodeScalars.count + 1, scalars.count)
            partOfSBaGenX = "a drawn noise"
            return Shaped(level(.shapedNoise(ShapedNoise(.levels(levels), .plain, label: "noise-\(shape.number)"))))
        }
        if take("noisepulse:") {
            partOfSBaGenX = "`noisepulse:`"
            return Shaped(rate(.shapedNoise(ShapedNoise(spectrum, .pulses(prefixes.envelope?.place), label: "noisepulse\(numbers)"))))
        }
        if take("noisebeat:") {
            partOfSBaGenX = "`noisebeat:`"
            if prefixes.waveform ?? .sine != .sine { remark = .shiftAsSine }
            return Shaped(rate(.shapedNoise(ShapedNoise(spectrum, .beat(prefixes.envelope?.place), label: "noisebeat\(numbers)"))))
        }
        if take("mixpulse:") {
            partOfSBaGenX = "`mixpulse:`"
            if scalars[index...].starts(with: "beat".unicodeScalars) { return Shaped(mixModulation()) }
            let wave = prefixes.waveform ?? .sine
            return Shaped(effect(MixEffect(.pulses(wave, prefixes.envelope?.place), label: "mixpulse\(numbers)-\(wave.rawValue)")))
        }
        if take("mixbeat:") {
            partOfSBaGenX = "`mixbeat:`"
            if prefixes.waveform ?? .sine != .sine { remark = .shiftAsSine }
            return Shaped(effect(MixEffect(.beat(prefixes.envelope?.place), label: "mixbeat\(numbers)")))
        }
        if take("mixspin:") {
            partOfSBaGenX = "`mixspin:`"
            if prefixes.waveform ?? .sine != .sine { remark = .motionAsSine("a waveform before `mixspin`") }
            if prefixes.hasMotion { remark = .motionAsSine("a drawn motion") }
            if prefixes.envelope != nil { remark = .motionWithoutEnvelope }
            return Shaped(mixSpin())
        }
        if take("mixam:") {
            partOfSBaGenX = "`mixam:`"
            return Shaped(mixModulation())
        }
        if take("orbitbeat:") {
            partOfSBaGenX = "`orbitbeat:`"
            return Shaped(orbit(prefixes))
        }
        if prefixes.spectrum != nil || prefixes.hasMotion { return Shaped(spin(prefixes)) }
        guard let envelope = prefixes.envelope else { return nil }
        guard let first = peek, isDigit(first) || first == "." else { return Shaped(fail(.start)) }
        let form = prefixes.waveform ?? waveform
        guard var voice = pair({ $0 == "@" ? .drawnPulses(form, envelope.place) : .drawnTone(form, envelope.place) }) else {
            return Shaped(nil)
        }
        if case .drawnTone = voice.kind, voice.beat == 0 {
            // Without a beat the envelope keeps its first level.
            voice.kind = .tone(form)
            voice.amplitude *= shapes.firstLevels[envelope.place]
        }
        return Shaped(voice)
    }

    /// Reads `C+P±O/A` or `C@P±O/A`, and the distance behind it.
    private mutating func orbit(_ prefixes: Prefixes) -> SequenceVoice? {
        guard let carrier = number(.carrier) else { return nil }
        let isStandard = take("@")
        guard isStandard || take("+") || take("-") else { return fail(.pulse) }
        guard let rate = number(.pulse) else { return nil }
        let isNegative = take("-")
        guard isNegative || take("+") else { return fail(.orbit) }
        let pulse = prefixes.envelope.map { .drawn($0.place) } ?? (isStandard ? OrbitPulse.standard : .cosine)
        guard let turns = number(.orbit), var voice = voice(.orbit(prefixes.waveform ?? waveform, pulse), carrier: carrier, beat: rate)
        else { return nil }
        voice.orbit = Orbit(rate: isNegative ? 0 - turns : turns, distance: 1)
        if take(":d=") || take(":distance=") {
            guard let distance = number(.distance) else { return nil }
            let range = ParameterDescription.distance.range
            voice.orbit?.distance = min(max(distance, range.lowerBound), range.upperBound)
        }
        return voice
    }

    /// Reads what follows `noiseNN:` or `spinNN:`, which is a spin.
    private mutating func spin(_ prefixes: Prefixes) -> SequenceVoice? {
        if prefixes.hasMotion { remark = .motionAsSine("a drawn motion") }
        for (name, color) in Self.spins where take(name) {
            let drawn = prefixes.spectrum.map { ShapedNoise(.levels($0.levels), .spin, label: "spin-\($0.number)") }
            return spin(drawn.map(SequenceVoice.Kind.shapedNoise) ?? .spin(color))
        }
        return fail(.start)
    }

    /// Reads `RATE/A`, whose sign is dropped.
    private mutating func rate(_ kind: SequenceVoice.Kind) -> SequenceVoice? {
        _ = take("-") || take("+")
        guard let rate = number(.beat) else { return nil }
        return voice(kind, carrier: 0, beat: rate)
    }

    /// Reads `RATE/INTENSITY` of an effect; its level is that of `mix`.
    private mutating func effect(_ effect: MixEffect) -> SequenceVoice? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let rate = number(.beat), var voice = voice(.mixEffect(effect), carrier: 0, beat: isNegative ? -rate : rate) else {
            return nil
        }
        (voice.carrier, voice.amplitude) = (voice.amplitude, 100)
        return voice
    }

    /// Reads `WIDTH+RATE/INTENSITY`.
    private mutating func mixSpin() -> SequenceVoice? {
        guard var voice = pair({ _ in .mixEffect(MixEffect(.spin, label: "mixspin")) }) else { return nil }
        let spin = MixSpin(width: voice.carrier, intensity: voice.amplitude)
        (voice.mixSpin, voice.carrier, voice.amplitude) = (spin, spin.share, 100)
        return voice
    }

    /// Reads the rate, or `beat`, and the parameters of `mixam:`.
    private mutating func mixModulation() -> SequenceVoice? {
        let text = String(scalars: scalars[index...])
        index = scalars.count
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var rate: Double? = 10
        if parts.first == "beat" {
            rate = nil
            parts.removeFirst()
        } else if let first = parts.first, !first.contains("="), let number = NumberText.parse(String(first)), number > 0 {
            rate = number
            parts.removeFirst()
        }
        guard let shape = MixModulation(parts, from: modulation) else {
            source.report(
                .badShape(word.text, expected: "a rate or `beat`, and m, s, d, a, r, e or f, such as `mixam:8:m=pulse:f=0.3`"),
                at: word.place)
            return nil
        }
        var effect = MixEffect(.modulation, label: "mixam")
        effect.modulation = shape
        return SequenceVoice(.mixEffect(effect), amplitude: 100, modulationRate: rate)
    }
}
