/// The kinds of layers, by their names in files. The engine's part of each is in Engine/Layers/Kinds.
package enum LayerKind: String, CaseIterable, BitwiseCopyable, Sendable {
    case tone, binaural, monaural, isochronic, bilateral, phase, spin, harmonicBox, bell, noise, file, input
    /// Played by MIDI notes.
    case keys

    /// The parameters that all layers of this kind have, in the order in which they are listed; those of a ``LayerEffect`` come in addition.
    package var parameters: [ParameterDescription] {
        switch self {
        case .tone: [.carrier, .phase, .gain, .pan]
        case .binaural: [.carrier, .beat, .phase, .gain, .pan, .width]
        case .monaural: [.carrier, .beat, .phase, .gain, .pan]
        case .isochronic: [.carrier, .pulseRate, .duty, .edge, .phase, .gain, .pan]
        case .bilateral: [.carrier, .pulseRate, .duty, .edge, .phase, .gain, .pan]
        case .phase: [.carrier, .beat, .depth, .gain, .pan]
        case .harmonicBox: [.carrier, .beat, .phase, .gain, .pan]
        case .bell: [.carrier, .decay, .phase, .gain, .pan]
        case .spin: [.beat, .delay, .gain, .pan]
        case .noise: [.correlation, .gain, .pan]
        case .file, .input: [.pulseRate, .duty, .edge, .gain, .pan]
        case .keys: [.beatOfKeys, .attack, .release, .gain, .pan]
        }
    }

    /// The effects that layers of this kind can have.
    package var effects: [LayerEffect] {
        switch self {
        case .noise, .file, .input: LayerEffect.allCases.filter { $0 != .orbit }
        case .isochronic: [.orbit]
        case .tone, .binaural, .monaural, .bilateral, .phase, .spin, .harmonicBox, .bell, .keys: []
        }
    }

    /// The frequencies of its tones, in beats from the carrier; empty for a kind without a carrier.
    package var tones: [Double] {
        switch self {
        case .tone, .isochronic, .bilateral, .bell, .phase: [0]
        case .binaural, .monaural: [0.5, -0.5]
        // Two in the left ear, and two in the right one.
        case .harmonicBox: [0.5, -2.5, -0.5, -1.5]
        case .spin, .noise, .file, .input, .keys: []
        }
    }

    /// Whether it needs each ear to hear its own channel only.
    package var needsBothEars: Bool {
        switch self {
        case .binaural, .bilateral, .phase, .spin, .harmonicBox: true
        case .tone, .monaural, .isochronic, .bell, .noise, .file, .input, .keys: false
        }
    }

    /// Its name at the beginning of a sentence: "An input", "A noise".
    package var withArticle: String {
        switch self {
        case .isochronic, .input: "An \(rawValue)"
        default: "A \(rawValue)"
        }
    }

    /// Whether its sound comes from elsewhere: it has a speed of its own.
    package var isForeign: Bool { self == .file || self == .input }

    /// Whether it is made of noise, which has a spectrum and a seed.
    package var isNoise: Bool { self == .noise || self == .spin }

    package func description(of parameter: Parameter) -> ParameterDescription? {
        parameters.first { $0.parameter == parameter }
    }
}
