import Patches

/// The values of all parameters of an item under a name. By names of layers and parameters, so that it outlives a change of the patch, and
/// counts for another patch as far as that has them.
package struct Preset: Equatable, Sendable {
    /// Plain, and the only one of its name in the session.
    package var name: String
    /// The patch that it was taken from.
    package var reference: String
    package var values: [Value]
    /// Waves of layers, by the layer's name.
    package var waves: [String: Waveform]

    package struct Value: Equatable, Sendable {
        package var layer: String
        /// A ``Parameter``'s name; other names are those of a newer version.
        package var parameter: String
        /// In the parameter's unit.
        package var value: Double

        package init(layer: String, parameter: String, value: Double) {
            self.layer = layer
            self.parameter = parameter
            self.value = value
        }
    }

    package init(name: String, reference: String, values: [Value], waves: [String: Waveform] = [:]) {
        self.name = name
        self.reference = reference
        self.values = values
        self.waves = waves
    }

    /// More are refused, so that a session stays one that can be read.
    package static let limit = 256
}

extension Preset {
    /// The values of the current item as they are heard: edits, chapters and hands included. `nil` when it has none.
    init?(name: String, of state: PlayerState, at moment: Moment) {
        guard let item = state.current, let patch = item.patch else { return nil }
        self.init(name: name, reference: item.reference, values: [])
        for (index, layer) in patch.layers.enumerated() {
            for description in layer.kind.parameters {
                guard let value = state.value(of: description.parameter, layer: index, at: moment) else { continue }
                values.append(Value(layer: layer.name, parameter: description.parameter.rawValue, value: value))
            }
            if layer.hasWave { waves[layer.name] = item.waves[index] ?? layer.wave }
        }
    }

    /// What of it `patch` has, in range.
    func settings(in patch: Patch) -> [Setting] {
        values.compactMap { value in
            guard let index = patch.layers.firstIndex(where: { $0.name == value.layer }),
                let parameter = Parameter(rawValue: value.parameter),
                let description = patch.layers[index].kind.description(of: parameter)
            else { return nil }
            return Setting(layer: index, parameter: parameter, value: description.clamped(value.value))
        }
    }

    /// The waves of `item` with those of the preset; a wave that is the patch's own is none.
    func waves(of item: QueueItem, in patch: Patch) -> [Int: Waveform] {
        var result = item.waves
        for (index, layer) in patch.layers.enumerated() where layer.hasWave {
            if let wave = waves[layer.name], layer.canHave(wave) { result[index] = wave == layer.wave ? nil : wave }
        }
        return result
    }
}

extension Player {
    /// Takes the place of the preset of that name.
    mutating func savePreset(_ preset: Preset) {
        if let index = state.presets.firstIndex(where: { $0.name == preset.name }) {
            state.presets[index] = preset
        } else {
            state.presets.append(preset)
        }
    }

    /// Edits the current item to the preset's values, as one step; each moves over its default ramp. What another hand is on stays as it
    /// is, and so does what follows the tempo; what the sender's own hand is on is moved under it, as by any set.
    mutating func loadPreset(_ preset: Preset, _ patch: Patch, at moment: Moment) {
        let settings = preset.settings(in: patch).filter {
            mayMove(.parameter($0.parameter, layer: $0.layer)) && state.note(of: $0.parameter, layer: $0.layer) == nil
        }
        for setting in settings {
            state.held[.parameter(setting.parameter, layer: setting.layer)]?.value = setting.value
            state.ramps.set(.parameter(setting.parameter, layer: setting.layer), nil, at: moment, sampleRate: state.sampleRate)
        }
        let edited = settings.filter { state.held[.parameter($0.parameter, layer: $0.layer)] == nil }
        let position = state.elapsed(at: moment)
        var changesWaves = false
        edit(.other, at: moment) { item in
            for setting in edited { item.edits.apply(LiveEdit(setting: setting, position: position), in: patch) }
            let waves = preset.waves(of: item, in: patch)
            changesWaves = waves != item.waves
            item.waves = waves
        }
        // Another wave is another plan; it begins over 50 ms, the values with it.
        ask(for: changesWaves ? .glide : .moves(settings))
    }
}
