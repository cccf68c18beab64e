import Patches

extension QueueItem {
    /// The values of the parameters that follow the tempo, in quarter notes a minute; empty if the tempo is unknown.
    package func settings(atTempo tempo: Double?) -> [Setting] {
        guard let tempo, let patch else { return [] }
        return patch.layers.enumerated().flatMap { index, layer in
            layer.notes.compactMap { parameter, note in
                layer.description(of: parameter).map {
                    Setting(layer: index, parameter: parameter, value: $0.clamped(note.frequency(atTempo: tempo)))
                }
            }
        }
    }
}

extension PlayerState {
    /// Values of the current item that its automation does not move: held ones, and those that follow the tempo.
    package var fixedSettings: [Setting] { heldSettings + (current?.settings(atTempo: tempo) ?? []) }
}

extension Player {
    /// Follows the tempo of JACK's transport, in quarter notes a minute. A tempo that is zero, negative or not finite is ignored.
    package mutating func follow(tempo: Double) {
        guard tempo > 0, tempo.isFinite, tempo != state.tempo else { return }
        state.tempo = tempo
        for setting in state.current?.settings(atTempo: tempo) ?? [] {
            ask(for: .sound(.course(setting.parameter, layer: setting.layer, seconds: nil)))
        }
        ask(for: .sound(.upcoming))
    }
}
