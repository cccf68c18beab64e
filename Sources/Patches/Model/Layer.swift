/// One generator in a patch.
package struct Layer: Equatable, Sendable {
    /// Unique in its patch; letters, digits, `-` and `_`.
    package var name: String
    package var kind: LayerKind
    /// Values set by the patch; missing parameters have the default of their description.
    package var values: [Parameter: Double]
    /// The note that was given instead of a carrier; ``values`` has its frequency in the patch's tuning. `nil` for a carrier in Hz.
    package var note: Note?
    /// Note lengths of parameters that follow the tempo; ``values`` has their values at ``NoteLength/usualTempo``.
    package var notes: [Parameter: NoteLength] = [:]
    /// The rates that parameters follow. They have no course of their own: neither chapters nor edits move them.
    package var leaders: [Parameter: RateLeader] = [:]
    /// The spectrum of a layer made of noise.
    package var spectrum: NoiseSpectrum = .color(.white)
    /// The frequencies that a layer made of noise keeps of its spectrum; `nil` for all.
    package var range: NoiseRange?
    /// Waveform of the kinds that have tones.
    package var wave: Waveform = .sine
    /// Equally spaced samples of one cycle, -1...1, the first at phase 0; empty if the patch has none. ``Waveform/table`` is the smoothest
    /// wave through them, without their mean.
    package var table: [Double] = []
    /// The ear that hears the wave of a binaural layer backwards; `nil` for neither. Without a wave it has no effect.
    package var backwards: Ear?
    /// Seed of a layer made of noise, or of a file's segments: equal seeds give the same noise, or the same places. `nil` is the layer's index.
    package var seed: UInt64?
    /// Path of a file layer's sound file, absolute after loading.
    package var path = ""
    /// Whether a file is looped; otherwise silence follows.
    package var loops = true
    /// The segments that a file is played in; `nil` to play it from its beginning to its end.
    package var segments: SoundSegments?
    /// Whether both ears hear the middle of a file's or an input's two channels.
    package var isMono = false
    /// Its effects; those that its kind can have are in ``LayerKind/effects``.
    package var effects: Set<LayerEffect> = []
    /// The bands in Hz that the effects are confined to, in order, without overlaps; empty for the whole spectrum.
    package var bands: [ClosedRange<Double>] = []
    /// The envelope of its pulses; `nil` for one of `duty` and `edge`.
    package var envelope: DrawnEnvelope?

    package init(
        name: String, kind: LayerKind, values: [Parameter: Double] = [:], color: NoiseColor = .white, wave: Waveform = .sine,
        table: [Double] = [], seed: UInt64? = nil
    ) {
        self.name = name
        self.kind = kind
        self.values = values
        spectrum = .color(color)
        self.wave = wave
        self.table = table
        self.seed = seed
    }

    /// Whether it has tones, and so a ``wave``.
    package var hasWave: Bool { kind == .keys || kind.description(of: .carrier) != nil }

    /// Whether its pulses can have an ``envelope``.
    package var canHaveEnvelope: Bool { kind == .isochronic || effects.contains(.pulses) }

    /// Whether it can use this wave: a table has to be in the patch.
    package func canHave(_ wave: Waveform) -> Bool { hasWave && (wave != .table || !table.isEmpty) }

    /// Assumed peak of noise without a highest sample, in dB above its gain: 16.3 dB above its power, exceeded once in days.
    package static let noisePeak = 13.29

    /// The highest level of an ear in an orbit relative to a tone in the middle: 4.2 dB, at distance 0.25 and right beside the ear.
    package static let orbitCrest = 1.62

    /// Whether a part of its spectrum is left as it is by its effects.
    package var hasBands: Bool { !effects.isEmpty && !bands.isEmpty }

    /// How many ``bands`` a layer may have.
    package static let bandCounts = 1...8
    /// The frequencies in Hz that a band may begin and end at.
    package static let bandRange = 0.0...20_000

    /// How many samples a ``table`` may have.
    package static let tableSizes = 2...2048

    /// Whether `text` may name a layer: 1 to 64 ASCII letters, digits, `-` and `_`.
    package static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0)) }
    }

    /// The value at the start of the patch, in the parameter's unit; `nil` when this kind of layer has no such parameter.
    package func value(of parameter: Parameter) -> Double? {
        guard let description = description(of: parameter) else { return nil }
        return values[parameter] ?? description.defaultValue
    }
}

package enum Ear: String, CaseIterable, Sendable {
    case left, right
}

/// The shape of a tone over one cycle; all but the sine are without harmonics that the sample rate has no room for.
package enum Waveform: String, CaseIterable, Sendable {
    case sine, triangle, square, sawtooth
    /// The layer's own ``Layer/table``.
    case table
}
