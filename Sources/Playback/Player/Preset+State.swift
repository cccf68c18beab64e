import Patches

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
        return changesWaves ? .crossfadeInPlace : .moves(settings, rises: rises)
    }
}
