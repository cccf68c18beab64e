import Patches

/// Reads one voice of a tone-set from its word, scalar by scalar.
struct VoiceReader {
    let source: SequenceText
    let word: SequenceText.Word
    /// Default waveform of tones.
    let waveform: Waveform
    /// The current meaning of the wave numbers that are defined above.
    let waves: [Int: Int]
    /// A part of it that is played otherwise than written.
    private(set) var remark: SequenceFault?
    /// A part of it that only SBaGenX reads.
    private(set) var partOfSBaGenX: String?
    /// SBaGenX's drawn shapes that are defined above.
    let shapes: SequenceShapes
    /// The shape of a `mixam:` without parameters.
    let modulation: MixModulation
    private let scalars: [Unicode.Scalar]
    private var index = 0

    init(
        _ word: SequenceText.Word, waveform: Waveform, waves: [Int: Int], shapes: SequenceShapes, modulation: MixModulation,
        source: SequenceText
    ) {
        self.word = word
        self.waveform = waveform
        self.waves = waves
        self.shapes = shapes
        self.modulation = modulation
        self.source = source
        scalars = Array(word.text.unicodeScalars)
    }

    /// Voices of other programs that look like this format.
    private static let others: [(prefix: String, what: String)] = [
        ("orbitbeat:", "`orbitbeat:` is a tone that circles the head"),
        ("noise:", "`noise:` is another program's noise"),
    ]

    /// Reads the voice; `nil`, with the reason reported, if it is invalid.
    mutating func voice() -> SequenceVoice? {
        if let other = Self.others.first(where: { word.text.hasPrefix($0.prefix) }) {
            source.report(.otherProgram(other.what), at: word.place)
            return nil
        }
        guard let voice = read() else { return nil }
        guard index == scalars.count else { return fail(.end) }
        return isInRange(voice) ? voice : nil
    }

    /// Beats of tones, in Hz: beyond those of a layer, each ear has a layer of its own.
    private static let beats = -20_000.0...20_000

    /// Whether a layer could play the voice. Values out of range are reported, unless the amplitude is 0.
    private func isInRange(_ voice: SequenceVoice) -> Bool {
        guard voice.amplitude > 0 else { return true }
        func check(_ value: Double, _ description: ParameterDescription, _ name: String) -> Bool {
            check(value, description.range, name, description.unit)
        }
        func check(_ value: Double, _ range: ClosedRange<Double>, _ name: String, _ unit: Unit) -> Bool {
            if range.contains(value) { return true }
            source.report(.outOfRange(value, range, of: name, unit: unit), at: word.place)
            return false
        }
        let parts: [Bool] =
            switch voice.kind {
            case .tone, .wave: [check(voice.carrier, .carrier, "the carrier"), check(voice.beat, Self.beats, "the beat", .hertz)]
            case .monaural: [check(voice.carrier, .carrier, "the carrier"), check(voice.beat, .beat, "the beat")]
            case .pulses: [check(voice.carrier, .carrier, "the carrier"), check(voice.beat, .pulseRate, "the pulse rate")]
            case .bell: [check(voice.carrier, .carrier, "the bell's frequency")]
            case .spin: [check(voice.carrier.magnitude, .delay, "the delay"), check(voice.beat, .beat, "the speed")]
            case .drawnTone: [check(voice.carrier, .carrier, "the carrier"), check(voice.beat, .beat, "the beat")]
            case .drawnPulses: [check(voice.carrier, .carrier, "the carrier"), check(voice.beat, .pulseRate, "the pulse rate")]
            case .shapedNoise(let noise) where noise.form == .spin:
                [check(voice.carrier.magnitude, .delay, "the delay"), check(voice.beat, .beat, "the speed")]
            case .shapedNoise(let noise) where noise.form == .plain: []
            case .shapedNoise: [check(voice.beat.magnitude, .pulseRate, "the rate")]
            case .mixEffect(let effect) where effect.form == .modulation:
                voice.modulationRate.map { [check($0, .amRate, "the rate")] } ?? []
            case .mixEffect: [check(voice.beat.magnitude, .amRate, "the rate")]
            case .off, .noise, .mix: []
            }
        return parts.allSatisfy(\.self)
    }

    private mutating func read() -> SequenceVoice? {
        if word.text == "-" {
            index = scalars.count
            return .off
        }
        guard let prefixes = prefixes() else { return nil }
        if let shaped = shaped(prefixes) { return shaped.voice }
        if take("pink/") { return level(.noise(.pink)) }
        if take("white/") { return level(.noise(.white)) }
        if take("brown/") { return level(.noise(.brown)) }
        if take("mix/") { return level(.mix) }
        if take("bell") {
            guard let frequency = signed() else { return nil }
            return voice(.bell, carrier: frequency.magnitude, beat: 0)
        }
        for (prefix, color) in [("spin:", NoiseColor.pink), ("bspin:", .brown), ("wspin:", .white)] where take(prefix) {
            // A spin to the other side.
            let isReversed = take("-")
            guard var voice = pair({ _ in .spin(color) }) else { return nil }
            if isReversed { voice.carrier = 0 - voice.carrier }
            return voice
        }
        if scalars.starts(with: "wave".unicodeScalars), take("wave") { return wave() }
        guard let first = peek, isDigit(first) || first == "." else { return fail(.start) }
        return tone(prefixes.waveform ?? waveform)
    }

    // MARK: Forms of SBaGenX

    private struct Prefixes {
        var envelope: (place: Int, number: Int)?
        var spectrum: (levels: [Double], number: Int)?
        var hasMotion = false
        var waveform: Waveform?
        var kinds: Set<Prefix> = []
    }

    /// A voice, or `nil` after a fault.
    private struct Shaped {
        let voice: SequenceVoice?
        init(_ voice: SequenceVoice?) { self.voice = voice }
    }

    private enum Prefix { case envelope, spectrum, motion, waveform }

    /// Voices with a name of their own, and the prefixes that they take.
    private static let named: [(name: String, prefixes: Set<Prefix>)] = [
        ("noisepulse:", [.envelope, .spectrum]), ("noisebeat:", [.envelope, .spectrum, .waveform]), ("mixpulse:", [.envelope, .waveform]),
        ("mixbeat:", [.envelope, .waveform]), ("mixspin:", [.envelope, .motion, .waveform]), ("mixam:", []),
        ("spin:", [.spectrum, .motion]), ("bspin:", [.motion]), ("wspin:", [.motion]), ("pink/", []), ("white/", []), ("brown/", []),
        ("mix/", []), ("bell", []), ("wave", []),
    ]

    /// Reads `customNN:`, `noiseNN:`, `spinNN:` and a waveform, in any order; `nil` if one is not defined.
    private mutating func prefixes() -> Prefixes? {
        var found = Prefixes()
        while true {
            let rest = String(String.UnicodeScalarView(scalars[index...].prefix { $0 != ":" && $0 != "/" }))
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
                guard found.kinds.isSubset(of: named?.prefixes ?? [.envelope, .waveform]) else { return fail(.start) }
                return found
            }
        }
    }

    /// A voice that only SBaGenX has; `nil` if this is none.
    private mutating func shaped(_ prefixes: Prefixes) -> Shaped? {
        let spectrum = prefixes.spectrum.map { NoiseSpectrum.levels($0.levels) } ?? .color(.pink)
        let numbers = [prefixes.envelope?.number, prefixes.spectrum?.number].compactMap { $0.map { "-\($0)" } }.joined()
        if prefixes.kinds.isEmpty, scalars.starts(with: "noise".unicodeScalars), scalars.count > 7, isDigit(scalars[5]), scalars[7] == "/" {
            let number = Int(String(String.UnicodeScalarView(scalars[5..<7])))
            guard let number, let levels = shapes.spectra[number] else {
                source.report(.undefinedShape(String(String.UnicodeScalarView(scalars[..<7]))), at: word.place)
                return Shaped(nil)
            }
            index = 8
            partOfSBaGenX = "a drawn noise"
            return Shaped(level(.shapedNoise(ShapedNoise(.levels(levels), .plain, label: "noise-\(number)"))))
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
            if prefixes.hasMotion || prefixes.envelope != nil || prefixes.waveform ?? .sine != .sine { remark = .motionAsSine }
            return Shaped(mixSpin())
        }
        if take("mixam:") {
            partOfSBaGenX = "`mixam:`"
            return Shaped(mixModulation())
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
            voice.amplitude *= shapes.drawn[envelope.place].levels[0]
        }
        return Shaped(voice)
    }

    /// Reads what follows `noiseNN:` or `spinNN:`, which is a spin.
    private mutating func spin(_ prefixes: Prefixes) -> SequenceVoice? {
        if prefixes.hasMotion { remark = .motionAsSine }
        for (prefix, color) in [("spin:", NoiseColor.pink), ("bspin:", .brown), ("wspin:", .white)] where take(prefix) {
            let isReversed = take("-")
            let kind: SequenceVoice.Kind =
                prefixes.spectrum.map { .shapedNoise(ShapedNoise(.levels($0.levels), .spin, label: "spin-\($0.number)")) } ?? .spin(color)
            guard var voice = pair({ _ in kind }) else { return nil }
            if isReversed { voice.carrier = 0 - voice.carrier }
            return voice
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

    /// Reads `WIDTH+RATE/INTENSITY`. At most all of an ear moves to the other one.
    private mutating func mixSpin() -> SequenceVoice? {
        guard var voice = pair({ _ in .mixEffect(MixEffect(.spin, label: "mixspin")) }) else { return nil }
        let share = voice.carrier * 1e-6 * 44_100 * (0.5 + 3.5 * voice.amplitude / 100) / 128
        (voice.carrier, voice.amplitude) = (min(share, 1) * 100, 100)
        return voice
    }

    /// Reads the rate, or `beat`, and the parameters of `mixam:`.
    private mutating func mixModulation() -> SequenceVoice? {
        let text = String(String.UnicodeScalarView(scalars[index...]))
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

    // MARK: Forms

    /// Reads `C±B/A`, `C@P/A`, `CMB/A` or `C/A`.
    private mutating func tone(_ form: Waveform) -> SequenceVoice? {
        pair { sign in
            switch sign {
            case "@": .pulses(form)
            case "M": .monaural(form)
            default: .tone(form)
            }
        }
    }

    /// Reads `DD:C±B/A` after `wave`.
    private mutating func wave() -> SequenceVoice? {
        let digits = scalars[index...].prefix { isDigit($0) }
        guard digits.count == 2, let number = Int(String(String.UnicodeScalarView(digits))) else { return fail(.start) }
        index += 2
        guard take(":") else { return fail(.start) }
        let meant = waves[number]
        guard let voice = pair({ _ in .wave(meant ?? number) }) else { return nil }
        if meant != nil { return voice }
        source.report(.undefinedWave(number), at: word.place)
        return nil
    }

    /// Reads two numbers with a sign between them, the second of which may be left out; then the amplitude.
    private mutating func pair(_ kind: (Unicode.Scalar?) -> SequenceVoice.Kind) -> SequenceVoice? {
        guard let carrier = number(.carrier) else { return nil }
        if peek == "/" { return voice(kind(nil), carrier: carrier, beat: 0) }
        if peek == "@", kind("@").isPulsed {
            index += 1
            guard let rate = number(.beat) else { return nil }
            return voice(kind("@"), carrier: carrier, beat: rate)
        }
        if peek == "M" || peek == "m", case .monaural = kind("M") {
            index += 1
            partOfSBaGenX = "a monaural voice"
            guard let beat = number(.beat) else { return nil }
            return voice(kind("M"), carrier: carrier, beat: beat)
        }
        guard let beat = signed() else { return nil }
        return voice(kind(nil), carrier: carrier, beat: beat)
    }

    private mutating func voice(_ kind: SequenceVoice.Kind, carrier: Double, beat: Double) -> SequenceVoice? {
        guard take("/") else { return fail(.slash) }
        guard var voice = level(kind) else { return nil }
        voice.carrier = carrier
        voice.beat = beat
        return voice
    }

    private mutating func level(_ kind: SequenceVoice.Kind) -> SequenceVoice? {
        let start = index
        guard let amplitude = number(.amplitude) else { return nil }
        guard amplitude <= 100 || kind == .bell else {
            index = start
            return fail(.amplitude)
        }
        if amplitude > 100 { remark = .loudBell(percent: amplitude) }
        return SequenceVoice(kind, amplitude: min(amplitude, 100))
    }

    // MARK: Parts

    private mutating func signed() -> Double? {
        guard let sign = peek, sign == "+" || sign == "-" else { return fail(.sign) }
        index += 1
        return number(.beat).map { sign == "-" ? -$0 : $0 }
    }

    /// Reads digits with an optional decimal point, without sign or exponent.
    private mutating func number(_ part: SequenceFault.VoicePart) -> Double? {
        let text = scalars[index...].prefix { isDigit($0) || $0 == "." }
        guard text.count <= 32, let number = NumberText.parse(String(String.UnicodeScalarView(text))), number.isFinite else {
            return fail(part)
        }
        index += text.count
        return number
    }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func take(_ text: String) -> Bool {
        guard scalars[index...].starts(with: text.unicodeScalars) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private func fail<T>(_ part: SequenceFault.VoicePart) -> T? {
        source.report(
            .badVoice(String(String.UnicodeScalarView(scalars[min(index, scalars.count)...])), at: part), at: word.place(at: index))
        return nil
    }
}
