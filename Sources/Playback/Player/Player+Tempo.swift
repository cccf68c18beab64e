import Patches

extension QueueItem {
    /// What follows the tempo, at so many quarter notes a minute; nothing where that is not known.
    package func settings(atTempo tempo: Double?) -> [Setting] {
        guard let tempo, let patch else { return [] }
        return patch.layers.enumerated().flatMap { index, layer in
            layer.notes.compactMap { parameter, note in
                layer.kind.description(of: parameter).map {
                    Setting(layer: index, parameter: parameter, value: $0.clamped(note.frequency(atTempo: tempo)))
                }
            }
        }
    }
}

extension PlayerState {
    /// Values of the current item that nothing of its patch moves: hands are on them, or they follow the tempo.
    package var fixedSettings: [Setting] { heldSettings + (current?.settings(atTempo: tempo) ?? []) }

    /// What a parameter is locked to; `nil` for one that is free, as all are while no tempo is known.
    package func note(of parameter: Parameter, layer: Int) -> NoteLength? {
        guard tempo != nil, let patch, patch.layers.indices.contains(layer) else { return nil }
        return patch.layers[layer].notes[parameter]
    }
}

extension Player {
    /// The tempo of JACK's transport, in quarter notes a minute. What is none (0, not finite) changes nothing.
    package mutating func follow(tempo: Double) {
        guard tempo > 0, tempo.isFinite, tempo != state.tempo else { return }
        state.tempo = tempo
        for setting in state.current?.settings(atTempo: tempo) ?? [] {
            ask(for: .course(setting.parameter, layer: setting.layer, seconds: nil))
        }
        ask(for: .upcoming)
    }
}
