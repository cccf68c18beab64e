import Patches

extension PlayerState {
    /// The held parameters of layers of the current item.
    package var heldSettings: [Setting] {
        held.compactMap { fader, held in
            guard case .parameter(let parameter, let layer) = fader else { return nil }
            return Setting(layer: layer, parameter: parameter, value: held.value)
        }
    }

    /// The momentary value of a layer's parameter, including touches, edits and chapters; `nil` if there is no such layer or parameter.
    package func value(of parameter: Parameter, layer: Int, at moment: Moment) -> Double? {
        guard let item = current, let patch = item.patch, patch.layers.indices.contains(layer) else { return nil }
        if let leader = patch.leader(of: parameter, layer: layer), let held = held[.parameter(leader.parameter, layer: leader.layer)] {
            return patch.layers[layer].description(of: parameter)?.following(held.value)
        }
        if let tempo, let note = patch.layers[layer].notes[parameter] {
            return patch.layers[layer].description(of: parameter)?.clamped(note.frequency(atTempo: tempo))
        }
        return held[.parameter(parameter, layer: layer)]?.value
            ?? patch.value(of: parameter, layer: layer, at: elapsed(at: moment), edits: item.edits, rate: rate)
    }

    /// The momentary value of any fader; `nil` if there is no such layer or parameter.
    func value(of fader: Fader, at moment: Moment) -> Double? {
        switch fader {
        case .a4: a4
        case .masterGain: masterGain
        case .parameter(let parameter, let layer): value(of: parameter, layer: layer, at: moment)
        }
    }

    /// Ends all touches; in latch mode the held values become edits.
    ///
    /// - Parameter isOver: Which touches of layers end; all by default.
    mutating func endTouches(at moment: Moment, where isOver: (Fader) -> Bool = { _ in true }) {
        for (fader, held) in mixer.held {
            guard case .parameter(let parameter, let layer) = fader, isOver(fader) else { continue }
            if touchMode == .latch { edit(Setting(layer: layer, parameter: parameter, value: held.value), .other, at: moment) }
            mixer.held[fader] = nil
        }
    }
}

/// A touch of a fader by one sender.
struct Touch {
    let fader: Fader
    /// `nil` is the program itself.
    let sender: String?
    let moment: Moment

    /// Seconds that a released fader takes to return.
    private static let returnTime = 0.05

    /// Whether the sender may move the fader: nobody else holds it, or the hand on it has not moved for some seconds, or a level is lowered. The
    /// program itself always may, since its keys are those of this computer.
    ///
    /// - Parameter value: The value that the fader is to get; `nil` to hold it.
    func mayMove(to value: Double? = nil, in state: PlayerState) -> Bool {
        guard sender != nil, let held = state.held[fader], held.holder != sender else { return true }
        if fader.isLevel, let value, let present = state.value(of: fader, at: moment), value < present { return true }
        return moment.frame - held.moved.frame >= state.frames(HeldFader.patience)
    }

    /// Ends the touch of the fader by somebody else, since the sender may move it.
    func takeOver(from player: inout Player) {
        guard let held = player.state.held[fader], held.holder != sender else { return }
        Touch(fader: fader, sender: held.holder, moment: moment).release(from: &player)
    }

    /// Holds the fader for the sender.
    ///
    /// - Returns: False if somebody else holds it.
    func hold(in player: inout Player) -> Bool {
        guard mayMove(in: player.state) else { return false }
        takeOver(from: &player)
        player.take(begin(in: &player.state), at: moment)
        return true
    }

    /// Holds the fader at its present value. A ramp under way continues.
    ///
    /// - Returns: The change of the sound that this requires; `nil` if the sound stays as it is, or the fader is already held.
    func begin(in state: inout PlayerState) -> PlayerStep? {
        guard state.held[fader] == nil, let value = state.value(of: fader, at: moment) else { return nil }
        state.mixer.held[fader] = HeldFader(holder: sender, value: value, before: value, moved: moment)
        return course(over: restOfRamp(state))
    }

    /// Releases the fader if the sender holds it.
    ///
    /// - Returns: The change of the sound that it requires, if any.
    func end(in state: inout PlayerState) -> PlayerStep? {
        guard let held = state.mixer.release(fader, sender) else { return nil }
        if state.touchMode == .latch {
            guard case .parameter(let parameter, let layer) = fader else { return nil }
            state.edit(Setting(layer: layer, parameter: parameter, value: held.value), .other, at: moment)
            return course(over: restOfRamp(state))
        }
        switch fader {
        case .a4: return nil
        case .masterGain:
            guard state.masterGain != held.before else { return nil }
            let slew = LevelChange(fader: fader, before: state.masterGain, level: held.before, moment: moment).record(in: &state)
            state.masterGain = held.before
            state.mixer.breakFadesOff()
            return .sound(.master(state.mixer.masterRamp(slew ?? Ramp(seconds: Self.returnTime))))
        case .parameter(.gain, _):
            let level = state.value(of: fader, at: moment) ?? held.value
            let slew = LevelChange(fader: fader, before: held.value, level: level, moment: moment).record(in: &state)
            return course(over: slew?.seconds ?? Self.returnTime)
        case .parameter:
            state.mixer.ramps.set(fader, nil, at: moment, sampleRate: state.sampleRate)
            return course(over: Self.returnTime)
        }
    }

    /// Releases the fader, and makes the change of the sound that it requires.
    func release(from player: inout Player) {
        let before = player.state.held[.a4]?.before
        player.take(end(in: &player.state), at: moment)
        guard fader == .a4, player.state.held[.a4] == nil, player.state.touchMode == .return, let before else { return }
        TuningChange(a4: before, moment: moment).apply(to: &player)
    }

    private func course(over seconds: Double?) -> PlayerStep? {
        guard case .parameter(let parameter, let layer) = fader else { return nil }
        return .sound(.course(parameter, layer: layer, seconds: seconds))
    }

    private func restOfRamp(_ state: PlayerState) -> Double? {
        state.ramps.rest(of: fader, at: moment, sampleRate: state.sampleRate)
    }
}

extension Player {
    /// The sender's hand on a fader.
    func touch(_ fader: Fader, at moment: Moment) -> Touch { Touch(fader: fader, sender: sender, moment: moment) }

    /// Ends all touches, since the layers are gone or another item's; in latch mode the held values become edits.
    package mutating func endTouches(at moment: Moment) { state.endTouches(at: moment) }
}
