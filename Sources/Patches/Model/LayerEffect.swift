/// An effect on the sound of a noise, a file or an input, or of an isochronic tone. A layer has it if its patch gives it one of the effect's
/// parameters; without it, it has none of them.
package enum LayerEffect: String, CaseIterable, Sendable {
    /// Pulses like those of an isochronic tone.
    case pulses
    /// Amplitude modulation by a cosine.
    case modulation
    /// The level moves from ear to ear and back.
    case spin
    /// One ear hears the sound late and the other one early, which moves it around the head.
    case spinDelay
    /// A pulsing tone circles the head.
    case orbit
    /// The left ear's frequencies are shifted by half the beat, the right ear's by as much the other way.
    case shift

    package var parameters: [ParameterDescription] {
        switch self {
        case .pulses: [.pulseRate, .duty, .edge, .pulseDepth]
        case .modulation: [.amRate, .amDepth]
        case .spin: [.spinRate, .spinDepth]
        case .spinDelay: [.spinRate, .spinDelay]
        case .orbit: [.orbitRate, .distance]
        case .shift: [.beatOfShift]
        }
    }

    /// The parameters of which a patch has to give one, so that a layer of this kind has the effect beside others of these. A rate of a spin
    /// is that of its level, unless only its delay is given.
    package func signs(in kind: LayerKind, beside effects: Set<LayerEffect>) -> [Parameter] {
        switch self {
        case .spinDelay: [.spinDelay]
        case .spin where effects.contains(.spinDelay): [.spinDepth]
        default: parameters.map(\.parameter).filter { kind.description(of: $0) == nil }
        }
    }
}

extension LayerKind {
    /// The parameters that layers of this kind can have: those that all of them have, and those of effects, before gain and pan.
    package var possibleParameters: [ParameterDescription] { parameters(with: Set(effects)) }

    /// The parameters of a layer of this kind with these effects, in the order in which they are listed.
    fileprivate func parameters(with effects: Set<LayerEffect>) -> [ParameterDescription] {
        let own = parameters
        guard !effects.isEmpty else { return own }
        var added: [ParameterDescription] = []
        for description in LayerEffect.allCases.filter(effects.contains).flatMap(\.parameters) {
            // Both spins have the rate.
            if !(own + added).contains(where: { $0.parameter == description.parameter }) { added.append(description) }
        }
        let end = own.firstIndex { $0.parameter == .gain } ?? own.count
        return own[..<end] + added + own[end...]
    }
}

extension Layer {
    /// The parameters that the layer has, in the order in which they are listed.
    package var parameters: [ParameterDescription] { kind.parameters(with: effects) }

    package func description(of parameter: Parameter) -> ParameterDescription? {
        kind.description(of: parameter) ?? (effects.isEmpty ? nil : parameters.first { $0.parameter == parameter })
    }

    /// Whether it needs each ear to hear its own channel only.
    package var needsBothEars: Bool { kind.needsBothEars || !effects.isDisjoint(with: [.shift, .spinDelay, .orbit]) }
}
