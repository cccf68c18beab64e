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
    /// The audible values of the current item, including edits, chapters and touches. `nil` if there is no item or it has no patch.
    init?(name: String, of state: PlayerState, at moment: Moment) {
        guard let item = state.current, let patch = item.patch else { return nil }
        self.init(name: name, reference: item.reference, values: [])
        for (index, layer) in patch.layers.enumerated() {
            for description in layer.parameters {
                guard let value = state.value(of: description.parameter, layer: index, at: moment) else { continue }
                values.append(NamedSetting(layer: layer.name, parameter: description.parameter.rawValue, value: value))
            }
            if layer.hasWave { waves[layer.name] = item.waves[index] ?? layer.wave }
        }
    }

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

extension Preset {
    /// Applies the preset to the current item as one step of undo; each value moves over its default ramp, or a gain that rises by much
    /// over a slow one. Values that others than the sender hold or that follow the tempo or a rate are left alone; values held by the sender
    /// itself are set, as by any command.
    ///
    /// - Returns: The change that is heard.
    /// - Throws: ``EditLimit`` if the session holds no more edits; then nothing changes.
    func apply(to state: inout PlayerState, from sender: String?, _ patch: Patch, at moment: Moment) throws(EditLimit) -> SoundChange {
        let settings = settings(in: patch).filter {
            state.mixer.isFree(.parameter($0.parameter, layer: $0.layer), for: sender)
                && ParameterLock(of: $0.parameter, layer: $0.layer, in: state) == nil
        }
        let edited = settings.filter { state.held[.parameter($0.parameter, layer: $0.layer)] == nil }
        try EditLimit.requireRoom(for: edited, in: state, at: moment)
        // Changed waveforms need a new plan, which is crossfaded in over 50 ms together with the values.
        let changesWaves = state.current.map { waves(of: $0, in: patch) != $0.waves } ?? false
        var rises: [Int: Ramp] = [:]
        for setting in settings {
            let fader = Fader.parameter(setting.parameter, layer: setting.layer)
            if fader.isLevel, !changesWaves, let before = state.value(of: fader, at: moment) {
                rises[setting.layer] = LevelChange(fader: fader, before: before, level: setting.value, moment: moment).record(in: &state)
            } else {
                state.mixer.ramps.set(fader, nil, at: moment, sampleRate: state.sampleRate)
            }
            state.mixer.held[fader]?.value = setting.value
        }
        let position = state.elapsed(at: moment)
        state.edit(.other, at: moment) { item in
            item.edits.apply(edited, at: position, in: patch)
            item.waves = waves(of: item, in: patch)
        }
        return changesWaves ? .glide : .moves(settings, rises: rises)
    }
}
