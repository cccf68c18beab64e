/// One generator in a patch.
package struct Layer: Equatable, Sendable {
    /// Unique in its patch; letters, digits, `-` and `_`.
    package var name: String
    package var kind: LayerKind
    /// What the patch sets; a parameter that is missing here has the default of its description.
    package var values: [Parameter: Double]
    package var color: NoiseColor = .white
    /// Of the tones of every kind but noise.
    package var wave: Waveform = .sine
    /// Of a noise layer: equal seeds sound alike. `nil` is the layer's index.
    package var seed: UInt64?

    package init(name: String, kind: LayerKind, values: [Parameter: Double] = [:], color: NoiseColor = .white, seed: UInt64? = nil) {
        self.name = name
        self.kind = kind
        self.values = values
        self.color = color
        self.seed = seed
    }

    /// Whether it has tones, and so a ``wave``.
    package var hasWave: Bool { kind.description(of: .carrier) != nil }

    /// The value at the start of the patch, in the parameter's unit; `nil` when this kind of layer has no such parameter.
    package func value(of parameter: Parameter) -> Double? {
        guard let description = kind.description(of: parameter) else { return nil }
        return values[parameter] ?? description.defaultValue
    }
}

package enum LayerKind: String, CaseIterable, Sendable {
    case tone, binaural, monaural, isochronic, noise
}

/// The course of a tone over one cycle; all but the sine without the harmonics that the sample rate has no room for.
package enum Waveform: String, CaseIterable, Sendable {
    case sine, triangle, square, sawtooth

    /// The highest sample at gain 0 dB. Without its highest harmonics, a wave overshoots where it jumps (Gibbs).
    package var crest: Double {
        switch self {
        case .sine, .triangle: 1
        case .square, .sawtooth: 1.18
        }
    }
}

package enum NoiseColor: String, CaseIterable, Sendable {
    case white, pink, brown
}
