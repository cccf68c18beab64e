import Patches

/// SBaGenX's effects on the sound file: each is heard in addition to the file, at 0.7 of its level.
extension SBaGenSequence {
    /// How loud an effect is beside the file itself.
    static let effectLevel = 0.7

    /// Gives every effect the level of the `mix` in its tone-set, and everything of the file the `mixam` there.
    ///
    /// - Returns: The first line that has an effect and no `mix`, or several `mixam`; `nil` if no line does.
    mutating func resolveMix() -> (fault: SequenceFault, line: Int)? {
        for index in lines.indices {
            let voices = lines[index].set.voices
            guard voices.contains(where: { $0.kind.isEffect }) else { continue }
            guard let mix = voices.first(where: { $0.kind == .mix }) else { return (.effectWithoutMix, index) }
            if voices.count(where: { $0.kind.ownModulation != nil }) > 1 { return (.severalModulations, index) }
            let modulator = voices.first { $0.kind.ownModulation != nil }
            let beat = voices.first { $0.kind.isTone }.map { abs($0.beat) } ?? 10
            lines[index].set.voices = voices.map { voice in
                var voice = voice
                if modulator != nil, voice.kind == .mix { voice.kind = .mixEffect(MixEffect(.direct, label: "mix")) }
                guard case .mixEffect(var effect) = voice.kind else { return voice }
                if effect.form == .modulation { return .off }
                effect.modulation = modulator?.kind.ownModulation
                voice.kind = .mixEffect(effect)
                voice.modulationRate = modulator.map { $0.modulationRate ?? beat } ?? 0
                if effect.form != .direct { voice.amplitude = mix.amplitude * Self.effectLevel }
                return voice
            }
        }
        return nil
    }
}

/// How far a `mixspin:` moves the sound file.
struct MixSpin: Equatable, Sendable {
    /// Microseconds, at least 0.
    var width: Double
    /// Percent.
    var intensity: Double

    /// The part of an ear that moves to the other one, in percent; at most all of it.
    var share: Double { min(width * 1e-6 * 44_100 * (0.5 + 3.5 * intensity / 100) / 128, 1) * 100 }
}

extension SequenceVoice.Kind {
    /// Whether it plays the sound file, or changes it.
    var isOfFile: Bool {
        switch self {
        case .mix, .mixEffect: true
        default: false
        }
    }

    fileprivate var isEffect: Bool { if case .mixEffect = self { true } else { false } }

    /// The shape of a `mixam:` by itself.
    fileprivate var ownModulation: MixModulation? {
        if case .mixEffect(let effect) = self, effect.form == .modulation { effect.modulation } else { nil }
    }

    /// The shape of the `mixam:` that it is heard with.
    var modulation: MixModulation? { if case .mixEffect(let effect) = self { effect.modulation } else { nil } }

    private var effect: MixEffect.Form? {
        switch self {
        case .mix: .direct
        case .mixEffect(let effect): effect.form
        default: nil
        }
    }

    /// Whether it is heard in addition to the sound file itself.
    var isAddedToFile: Bool { effect.map { $0 != .direct } ?? false }

    /// Whether a voice fades from one kind straight into the other, since both play the sound file.
    func blends(with other: Self) -> Bool { isOfFile && other.isOfFile }

    /// Whether it is the same effect on the sound file, so that its numbers move from one voice to the other.
    func isSameEffect(as other: Self) -> Bool {
        switch (effect, other.effect) {
        case (.direct, .direct), (.pulses, .pulses), (.beat, .beat), (.spin, .spin): true
        default: false
        }
    }

    fileprivate var isTone: Bool {
        switch self {
        case .tone, .pulses, .monaural, .wave, .drawnPulses, .drawnTone, .orbit: true
        default: false
        }
    }
}

/// The layers that an effect on the file, or a noise that fades into its shifted self, is made of.
enum LayerPart: CaseIterable {
    /// All of it.
    case whole
    /// As much as is not shifted.
    case rest
    case shifted

    /// The parts of a kind.
    static func parts(of kind: SequenceVoice.Kind) -> [LayerPart] {
        switch kind {
        case .mixEffect(let effect): if case .beat = effect.form { [.rest, .shifted] } else { [.whole] }
        case .shapedNoise(let noise): if case .beat(.some) = noise.form { [.rest, .shifted] } else { [.whole] }
        default: [.whole]
        }
    }
}
