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

/// What happens to a fader when it is released.
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
        if let tempo, let note = patch.layers[layer].notes[parameter] {
            return patch.layers[layer].kind.description(of: parameter)?.clamped(note.frequency(atTempo: tempo))
        }
        return held[.parameter(parameter, layer: layer)]?.value
            ?? patch.value(of: parameter, layer: layer, at: elapsed(at: moment), edits: item.edits, rate: rate)
    }
}

extension Player {
    /// Seconds that a released fader takes to return.
    private static let returnTime = 0.05

    /// Holds a fader for the sender, at its present value. A ramp under way continues.
    ///
    /// - Returns: False if somebody else holds it.
    mutating func hold(_ fader: Fader, at moment: Moment) -> Bool {
        if let held = state.held[fader] { return held.holder == sender }
        switch fader {
        case .a4: state.held[fader] = HeldFader(holder: sender, value: state.a4, before: state.a4)
        case .masterGain:
            state.held[fader] = HeldFader(holder: sender, value: state.masterGain, before: state.masterGain)
        case .parameter(let parameter, let layer):
            guard let value = state.value(of: parameter, layer: layer, at: moment) else { return true }
            state.held[fader] = HeldFader(holder: sender, value: value, before: value)
            ask(for: .sound(.course(parameter, layer: layer, seconds: restOfRamp(fader, moment))))
        }
        return true
    }

    /// Whether the sender may move a fader, that is, nobody else holds it.
    func mayMove(_ fader: Fader) -> Bool { state.held[fader].map { $0.holder == sender } ?? true }

    /// Releases a fader if the sender holds it.
    mutating func letGo(_ fader: Fader, at moment: Moment) {
        guard let held = state.held[fader], held.holder == sender else { return }
        state.held[fader] = nil
        switch fader {
        case .a4: if state.touchMode == .return { state.a4 = held.before }
        case .masterGain:
            guard state.touchMode == .return, state.masterGain != held.before else { return }
            state.masterGain = held.before
            state.breakFadesOff()
            state.ramps.set(fader, nil, at: moment, sampleRate: state.sampleRate)
            ask(for: .sound(.master(Ramp(seconds: Self.returnTime))))
        case .parameter(let parameter, let layer):
            if state.touchMode == .latch {
                edit(Setting(layer: layer, parameter: parameter, value: held.value), .other, at: moment)
                ask(for: .sound(.course(parameter, layer: layer, seconds: restOfRamp(fader, moment))))
            } else {
                state.ramps.set(fader, nil, at: moment, sampleRate: state.sampleRate)
                ask(for: .sound(.course(parameter, layer: layer, seconds: Self.returnTime)))
            }
        }
    }

    /// Ends all touches, since the layers are gone or another item's; in latch mode the held values become edits.
    package mutating func endTouches(at moment: Moment) {
        if state.touchMode == .latch {
            for setting in state.heldSettings { edit(setting, .other, at: moment) }
        }
        state.held = state.held.filter { fader, _ in if case .parameter = fader { false } else { true } }
    }

    private func restOfRamp(_ fader: Fader, _ moment: Moment) -> Double? {
        state.ramps.rest(of: fader, at: moment, sampleRate: state.sampleRate)
    }
}
