/// One generator in a patch.
package struct Layer: Equatable, Sendable {
    /// Unique in its patch; letters, digits, `-` and `_`.
    package var name: String
    package var kind: LayerKind
    /// What the patch sets; a parameter that is missing here has the default of its description.
    package var values: [Parameter: Double]
    /// Of parameters that follow the tempo; ``values`` has what they are at ``NoteLength/usualTempo``.
    package var notes: [Parameter: NoteLength] = [:]
    package var color: NoiseColor = .white
    /// Of every kind that has tones.
    package var wave: Waveform = .sine
    /// Samples of one cycle at equal distances, -1...1, the first at phase 0; empty where the patch gives none. What ``Waveform/table``
    /// is: the smoothest wave through them, without their mean.
    package var table: [Double] = []
    /// Of a layer that has a ``color``: equal seeds sound alike. `nil` is the layer's index.
    package var seed: UInt64?
    /// Of a file: where it lies, absolute after loading.
    package var path = ""
    /// Of a file: it begins anew at its end; else silence follows.
    package var loops = true
    /// Of a file or an input: its level rises and falls as that of an isochronic tone does; else it passes as it is.
    package var pulses = false

    package init(
        name: String, kind: LayerKind, values: [Parameter: Double] = [:], color: NoiseColor = .white, wave: Waveform = .sine,
        table: [Double] = [], seed: UInt64? = nil
    ) {
        self.name = name
        self.kind = kind
        self.values = values
        self.color = color
        self.wave = wave
        self.table = table
        self.seed = seed
    }

    /// Whether it has tones, and so a ``wave``.
    package var hasWave: Bool { kind == .keys || kind.description(of: .carrier) != nil }

    /// Whether it can sound with this wave: a table has to be given in the patch.
    package func canHave(_ wave: Waveform) -> Bool { hasWave && (wave != .table || !table.isEmpty) }

    /// How far above its gain the peaks of a noise that has no highest sample are taken to be, in dB: 16.3 dB above its power, which is passed once
    /// in days.
    package static let noisePeak = 13.29

    /// How many samples a ``table`` may have.
    package static let tableSizes = 2...2048

    /// The value at the start of the patch, in the parameter's unit; `nil` when this kind of layer has no such parameter.
    package func value(of parameter: Parameter) -> Double? {
        guard let description = kind.description(of: parameter) else { return nil }
        return values[parameter] ?? description.defaultValue
    }
}

package enum LayerKind: String, CaseIterable, Sendable {
    case tone, binaural, monaural, isochronic, bilateral, phase, spin, harmonicBox, bell, noise, file, input
    /// Played by MIDI notes.
    case keys

    /// Whether it is what it is only where each ear hears its own channel.
    package var needsBothEars: Bool {
        switch self {
        case .binaural, .bilateral, .phase, .spin, .harmonicBox: true
        case .tone, .monaural, .isochronic, .bell, .noise, .file, .input, .keys: false
        }
    }

    /// Whether it is no sound of ours: it has a speed of its own, and may pulse.
    package var isForeign: Bool { self == .file || self == .input }

    /// Whether it is made of noise, which has a color and a seed.
    package var hasColor: Bool { self == .noise || self == .spin }
}

/// The course of a tone over one cycle; all but the sine without the harmonics that the sample rate has no room for.
package enum Waveform: String, CaseIterable, Sendable {
    case sine, triangle, square, sawtooth
    /// The layer's own ``Layer/table``.
    case table
}

package enum NoiseColor: String, CaseIterable, Sendable {
    case white, pink, brown, blue, violet
}
