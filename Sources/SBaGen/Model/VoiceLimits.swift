import Patches

extension SequenceVoice {
    /// A value of a voice, and those that a layer can have.
    struct Limit {
        let value: Double
        let range: ClosedRange<Double>
        /// In a sentence, such as "the carrier".
        let name: String
        let unit: Unit

        init(_ value: Double, _ range: ClosedRange<Double>, _ name: String, _ unit: Unit) {
            (self.value, self.range, self.name, self.unit) = (value, range, name, unit)
        }

        init(_ value: Double, _ description: ParameterDescription, _ name: String) {
            self.init(value, description.range, name, description.unit)
        }
    }

    /// Beats of tones, in Hz: beyond those of a layer, each ear has a layer of its own.
    private static let beats = -20_000.0...20_000

    /// The values that a layer limits.
    var limits: [Limit] {
        switch kind {
        case .tone, .wave: [Limit(carrier, .carrier, "the carrier"), Limit(beat, Self.beats, "the beat", .hertz)]
        case .monaural, .drawnTone: [Limit(carrier, .carrier, "the carrier"), Limit(beat, .beat, "the beat")]
        case .pulses, .drawnPulses: [Limit(carrier, .carrier, "the carrier"), Limit(beat, .pulseRate, "the pulse rate")]
        case .orbit:
            [Limit(carrier, .carrier, "the carrier"), Limit(beat, .pulseRate, "the pulse rate")]
                + (orbit.map { [Limit($0.rate, .orbitRate, "the orbit")] } ?? [])
        case .bell: [Limit(carrier, .carrier, "the bell's frequency")]
        case .spin: [Limit(carrier.magnitude, .delay, "the delay"), Limit(beat, .beat, "the speed")]
        case .shapedNoise(let noise) where noise.form == .spin:
            [Limit(carrier.magnitude, .delay, "the delay"), Limit(beat, .beat, "the speed")]
        case .shapedNoise(let noise) where noise.form == .plain: []
        case .shapedNoise: [Limit(beat.magnitude, .pulseRate, "the rate")]
        case .mixEffect(let effect) where effect.form == .modulation: modulationRate.map { [Limit($0, .amRate, "the rate")] } ?? []
        case .mixEffect: [Limit(beat.magnitude, .amRate, "the rate")]
        case .off, .noise, .mix: []
        }
    }
}
