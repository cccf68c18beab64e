import Patches

/// The stored values of all parameters of an item. It survives changes of the patch, and applies to other patches as far as they have the
/// same names.
package struct Preset: Equatable, Sendable {
    /// The plain name, unique in the session.
    package var name: String
    /// The reference of the patch that it was saved from.
    package var reference: String
    package var values: [NamedSetting]
    /// The waveforms by the layers' names.
    package var waves: [String: Waveform]

    package init(name: String, reference: String, values: [NamedSetting], waves: [String: Waveform] = [:]) {
        self.name = name
        self.reference = reference
        self.values = values
        self.waves = waves
    }

    /// The maximum number of presets, and of the values in all of them, so that the session's file does not become too large to be read again.
    package static let limit = 256
    package static let valueLimit = 12_000
}

extension Preset {
    /// The preset's values that `patch` has, in range.
    func settings(in patch: Patch) -> [Setting] {
        values.compactMap { $0.setting(in: patch) }
    }

    /// The waveforms of `item` with the preset's applied; one that equals the patch's own is left out.
    func waves(of item: QueueItem, in patch: Patch) -> [Int: Waveform] {
        var result = item.waves
        for (index, layer) in patch.layers.enumerated() where layer.hasWave {
            if let wave = waves[layer.name], layer.canHave(wave) { result[index] = wave == layer.wave ? nil : wave }
        }
        return result
    }
}

extension [Preset] {
    /// Saves a preset, replacing one of the same name.
    ///
    /// - Returns: Why that is not possible; `nil` if it was done.
    mutating func save(_ preset: Preset) -> String? {
        let others = filter { $0.name != preset.name }
        guard others.count < Preset.limit else { return "A session holds at most \(Preset.limit) presets: remove one first." }
        let values = (others + [preset]).reduce(0) { $0 + $1.values.count + $1.waves.count }
        guard values <= Preset.valueLimit else {
            return "The presets of a session hold at most \(Preset.valueLimit) values: remove one first."
        }
        if let index = firstIndex(where: { $0.name == preset.name }) {
            self[index] = preset
        } else {
            append(preset)
        }
        return nil
    }
}
