import Patches

/// A fader that is being held: neither chapters nor other senders move it.
package struct HeldFader: Equatable, Sendable {
    /// The sender that holds it.
    package var holder: String?
    /// The value in the fader's unit.
    package var value: Double
    /// The value at the time it was touched.
    var before: Double
}

/// The behaviour of a fader when it is released.
package enum TouchMode: String, CaseIterable, Sendable {
    /// It stays where it is, as after any other live edit.
    case latch
    /// It returns to the value it would have without the touch.
    case `return`
}

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

    /// Holds the fader at its present value. A ramp under way continues.
    ///
    /// - Returns: The change of the sound that it requires; `nil` if there is none, or if the fader is held already.
    func begin(in state: inout PlayerState) -> PlayerStep? {
        guard state.held[fader] == nil, let value = state.value(of: fader, at: moment) else { return nil }
        state.mixer.held[fader] = HeldFader(holder: sender, value: value, before: value)
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
            state.masterGain = held.before
            state.mixer.breakFadesOff()
            state.mixer.ramps.set(fader, nil, at: moment, sampleRate: state.sampleRate)
            return .sound(.master(state.slowed(Ramp(seconds: Self.returnTime), at: moment)))
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
    /// Holds a fader for the sender.
    ///
    /// - Returns: False if somebody else holds it.
    mutating func hold(_ fader: Fader, at moment: Moment) -> Bool {
        take(Touch(fader: fader, sender: sender, moment: moment).begin(in: &state), at: moment)
        return mayMove(fader)
    }

    /// Whether the sender may move a fader, that is, nobody else holds it.
    func mayMove(_ fader: Fader) -> Bool { state.mixer.mayMove(fader, sender) }

    /// Releases a fader if the sender holds it.
    mutating func release(_ fader: Fader, at moment: Moment) {
        Touch(fader: fader, sender: sender, moment: moment).release(from: &self)
    }

    /// Ends all touches, since the layers are gone or another item's; in latch mode the held values become edits.
    package mutating func endTouches(at moment: Moment) { state.endTouches(at: moment) }
}
