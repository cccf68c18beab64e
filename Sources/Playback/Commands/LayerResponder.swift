import Patches

/// Handles commands for one layer of the current item: its parameters, mute, solo and reset.
final class LayerResponder: Responder {
    private let index: Int
    weak var nextResponder: (any Responder)?

    init(index: Int) { self.index = index }

    var name: String { "layer/\(index + 1)" }

    func handle(_ command: Command, on player: inout Player, at moment: Moment) -> CommandResult? {
        guard command.layer == index else { return nil }
        guard let patch = player.state.patch else {
            return failure(.noSuchContent, "There is no current item, so there are no layers: select an item first.")
        }
        guard patch.layers.indices.contains(index) else {
            return failure(.unknownAddress, "There is no layer \(index + 1): the current item has \(patch.layers.count).")
        }
        switch command {
        case .set(let setting, let ramp): return set(setting, ramp, [setting.parameter], patch.layers[index], &player, moment)
        case .setTogether(let settings):
            let parameters = settings.map(\.parameter)
            // Either all parameters are set or none.
            let held = settings.first {
                !player.touch(.parameter($0.parameter, layer: $0.layer), at: moment).mayMove(to: $0.value, in: player.state)
            }
            if let held {
                return busy(held.parameter)
            }
            for setting in settings { if let refusal = locked(setting.parameter, player.state) { return refusal } }
            do throws(EditLimit) { try EditLimit.requireRoom(for: settings, in: player.state, at: moment) } catch {
                return error.failure(of: self)
            }
            let results = settings.map { set($0, nil, parameters, patch.layers[index], &player, moment) }
            return results.first { $0.status != .success } ?? success()
        case .touch(let fader, let isOn): return touch([fader], isOn, patch.layers[index], &player, moment)
        case .touchTogether(let faders, let isOn): return touch(faders, isOn, patch.layers[index], &player, moment)
        case .mute(_, let isMuted):
            player.state.edit(.other, at: moment) { item in
                if isMuted { item.mutedLayers.insert(index) } else { item.mutedLayers.remove(index) }
            }
            player.ask(for: .sound(.audibleLayers))
        case .changeWave(_, let wave):
            guard patch.layers[index].hasWave else {
                return failure(.notSupported, "\(patch.layers[index].kind.withArticle) layer has no wave.")
            }
            guard patch.layers[index].canHave(wave) else {
                return failure(.notSupported, "The patch defines no table for this layer: choose another wave.")
            }
            guard player.state.wave(ofLayer: index) != wave else { break }
            player.state.edit(.other, at: moment) { item in item.waves[index] = wave == patch.layers[index].wave ? nil : wave }
            player.ask(for: .sound(.crossfadeInPlace))
        case .solo(_, let isSoloed):
            if isSoloed { player.state.soloedLayers.insert(index) } else { player.state.soloedLayers.remove(index) }
            player.ask(for: .sound(.audibleLayers))
        case .reset:
            player.state.mixer.ramps.drop { $1 == index }
            player.state.edit(.other, at: moment) { item in
                item.edits.removeAll { $0.setting.layer == index }
                item.mutedLayers.remove(index)
                item.waves[index] = nil
            }
            player.state.soloedLayers.remove(index)
            player.ask(for: .sound(.crossfadeInPlace))
        default: return nil
        }
        return success()
    }

    /// - Parameter together: the parameters that the same control moves.
    private func set(
        _ setting: Setting, _ ramp: Ramp?, _ together: [Parameter], _ layer: Layer, _ player: inout Player, _ moment: Moment
    ) -> CommandResult {
        guard let description = layer.description(of: setting.parameter) else {
            return failure(.notSupported, "\(layer.kind.withArticle) layer has no \(setting.parameter.rawValue).")
        }
        guard setting.value.isFinite else {
            return failure(.badArguments, "\(setting.parameter.rawValue) needs a finite number.")
        }
        var setting = setting
        setting.value = description.clamped(setting.value)
        if let refusal = locked(setting.parameter, player.state) { return refusal }
        let fader = Fader.parameter(setting.parameter, layer: setting.layer)
        let touch = player.touch(fader, at: moment)
        guard touch.mayMove(to: setting.value, in: player.state) else { return busy(setting.parameter) }
        touch.takeOver(from: &player)
        let before = player.state.value(of: fader, at: moment) ?? setting.value
        if player.state.held[fader] != nil {
            player.state.mixer.held[fader]?.value = setting.value
            player.state.mixer.recordMove(of: fader, at: moment)
        } else {
            do throws(EditLimit) { try EditLimit.requireRoom(for: [setting], in: player.state, at: moment) } catch {
                return error.failure(of: self)
            }
            player.state.edit(setting, .parameters(together, layer: setting.layer, sender: player.sender), at: moment)
        }
        let move = move(fader, from: before, to: setting.value, ramp, &player, moment)
        player.ask(for: .sound(.move(setting, ramp: move ?? Ramp(seconds: description.defaultRamp))))
        return success()
    }

    /// Records the ramp of a parameter, if it has one: the one that was asked for, or that of a slow rise of the level.
    private func move(
        _ fader: Fader, from before: Double, to value: Double, _ ramp: Ramp?, _ player: inout Player, _ moment: Moment
    ) -> Ramp? {
        if fader.isLevel {
            return LevelChange(fader: fader, before: before, level: value, ramp: ramp, moment: moment).record(in: &player.state)
        }
        player.state.mixer.ramps.set(fader, ramp, at: moment, sampleRate: player.state.sampleRate)
        return ramp
    }
}

extension LayerResponder {
    /// Holds or releases all of the faders; if somebody else holds one of them, nothing changes.
    private func touch(_ faders: [Fader], _ isOn: Bool, _ layer: Layer, _ player: inout Player, _ moment: Moment) -> CommandResult? {
        for case .parameter(let parameter, _) in faders {
            guard layer.description(of: parameter) != nil else {
                return failure(.notSupported, "\(layer.kind.withArticle) layer has no \(parameter.rawValue).")
            }
            let touch = player.touch(.parameter(parameter, layer: index), at: moment)
            guard !isOn || touch.mayMove(in: player.state) else { return busy(parameter) }
            // A parameter that follows the tempo may be touched, since the tempo may come and go.
            if isOn, layer.leaders[parameter] != nil, let refusal = locked(parameter, player.state) { return refusal }
        }
        // The value becomes an edit when it is released.
        if isOn, player.state.touchMode == .latch {
            let settings = faders.compactMap { fader in
                guard case .parameter(let parameter, let layer) = fader else { return nil as Setting? }
                return Setting(layer: layer, parameter: parameter, value: 0)
            }
            do throws(EditLimit) { try EditLimit.requireRoom(for: settings, in: player.state, at: moment) } catch {
                return error.failure(of: self)
            }
        }
        for fader in faders {
            let touch = player.touch(fader, at: moment)
            if isOn { _ = touch.hold(in: &player) } else { touch.release(from: &player) }
        }
        return success()
    }

    /// The refusal to set a parameter that follows the tempo or a rate; `nil` for others.
    private func locked(_ parameter: Parameter, _ state: PlayerState) -> CommandResult? {
        ParameterLock(of: parameter, layer: index, in: state).map {
            failure(.busy, "\(parameter.rawValue) of layer \(index + 1) \($0.words)")
        }
    }

    private func busy(_ parameter: Parameter) -> CommandResult {
        failure(.busy, "Someone else is touching \(parameter.rawValue) of layer \(index + 1): wait until they release it.")
    }
}

extension EditLimit {
    func failure(of responder: some Responder) -> CommandResult {
        responder.failure(.queueFull, "A session holds at most \(QueueItem.editLimit) edits: reset a layer or remove an item first.")
    }
}

extension [LiveEdit] {
    /// Adds an edit, replacing the one it makes inaudible: that of the same parameter between the same chapters.
    mutating func apply(_ edit: LiveEdit, in patch: Patch?) {
        guard let patch else { return }
        removeAll { old in
            old.setting.layer == edit.setting.layer && old.setting.parameter == edit.setting.parameter
                && patch.segment(of: old) == patch.segment(of: edit)
        }
        append(edit)
    }

    /// Adds edits at one position, as if one by one, but in a time that is not in proportion to the square of their number.
    mutating func apply(_ settings: [Setting], at position: Double, in patch: Patch) {
        var segments: [EditHistory.Aspect: Int] = [:]
        // The last one of several values of one parameter holds.
        var added: [LiveEdit] = []
        for setting in settings.reversed() {
            let (aspect, edit) = (EditHistory.Aspect(of: setting), LiveEdit(setting: setting, position: position))
            guard segments[aspect] == nil else { continue }
            segments[aspect] = patch.segment(of: edit)
            added.append(edit)
        }
        removeAll { old in segments[.init(of: old.setting)].map { $0 == patch.segment(of: old) } ?? false }
        append(contentsOf: added.reversed())
    }
}
