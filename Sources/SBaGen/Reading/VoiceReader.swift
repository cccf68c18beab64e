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
    var remark: SequenceFault?
    /// A part of it that only SBaGenX reads.
    var partOfSBaGenX: String?
    /// SBaGenX's drawn shapes that are defined above.
    let shapes: SequenceShapes
    /// The shape of a `mixam:` without parameters.
    let modulation: MixModulation
    let scalars: [Unicode.Scalar]
    var index = 0

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
        ("noise:", "`noise:` is another program's noise")
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

    /// Whether a layer could play the voice. Values out of range are reported, unless the amplitude is 0.
    private func isInRange(_ voice: SequenceVoice) -> Bool {
        guard voice.amplitude > 0 else { return true }
        let beyond = voice.limits.filter { !$0.range.contains($0.value) }
        for limit in beyond { source.report(.outOfRange(limit.value, limit.range, of: limit.name, unit: limit.unit), at: word.place) }
        return beyond.isEmpty
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
        for (prefix, color) in Self.spins where take(prefix) { return spin(.spin(color)) }
        if scalars.starts(with: "wave".unicodeScalars), take("wave") { return wave() }
        guard let first = peek, isDigit(first) || first == "." else { return fail(.start) }
        return tone(prefixes.waveform ?? waveform)
    }

    // MARK: Forms

    static let spins: [(prefix: String, NoiseColor)] = [("spin:", .pink), ("bspin:", .brown), ("wspin:", .white)]

    /// Reads what follows the name of a spin; one of a negative width turns to the other side.
    mutating func spin(_ kind: SequenceVoice.Kind) -> SequenceVoice? {
        let isReversed = take("-")
        guard var voice = pair({ _ in kind }) else { return nil }
        if isReversed { voice.carrier = 0 - voice.carrier }
        return voice
    }

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
        guard digits.count == 2, let number = Int(String(scalars: digits)) else { return fail(.start) }
        index += 2
        guard take(":") else { return fail(.start) }
        let meant = waves[number]
        guard let voice = pair({ _ in .wave(meant ?? number) }) else { return nil }
        if meant != nil { return voice }
        source.report(.undefinedWave(number), at: word.place)
        return nil
    }

    /// Reads two numbers with a sign between them, the second of which may be left out; then the amplitude.
    mutating func pair(_ kind: (Unicode.Scalar?) -> SequenceVoice.Kind) -> SequenceVoice? {
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

    mutating func voice(_ kind: SequenceVoice.Kind, carrier: Double, beat: Double) -> SequenceVoice? {
        guard take("/") else { return fail(.slash) }
        guard var voice = level(kind) else { return nil }
        voice.carrier = carrier
        voice.beat = beat
        return voice
    }

    mutating func level(_ kind: SequenceVoice.Kind) -> SequenceVoice? {
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
    mutating func number(_ part: SequenceFault.VoicePart) -> Double? {
        let text = scalars[index...].prefix { isDigit($0) || $0 == "." }
        guard text.count <= 32, let number = NumberText.parse(String(scalars: text)), number.isFinite else {
            return fail(part)
        }
        index += text.count
        return number
    }

    var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    mutating func take(_ text: String) -> Bool {
        guard scalars[index...].starts(with: text.unicodeScalars) else { return false }
        index += text.unicodeScalars.count
        return true
    }

    func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    func fail<T>(_ part: SequenceFault.VoicePart) -> T? {
        source.report(
            .badVoice(String(scalars: scalars[min(index, scalars.count)...]), at: part), at: word.place(at: index))
        return nil
    }
}
