/// A layer that needs both ears, but is panned to one of them by its patch.
package struct LayerInOneEar: Equatable, Sendable {
    package let layer: String
    /// The first such position in seconds from the start of the patch.
    package let position: Double

    /// All such layers, each with its first position.
    package static func all(in patch: Patch) -> [LayerInOneEar] {
        patch.layers.indices.compactMap { index -> LayerInOneEar? in
            // In one ear an orbit still swings in level.
            guard patch.layers[index].needsBothEars, !patch.layers[index].effects.contains(.orbit),
                let pan = patch.automation(of: .pan, layer: index, edits: [])
            else { return nil }
            let name = patch.layers[index].name
            if pan.base.magnitude == 1 { return LayerInOneEar(layer: name, position: 0) }
            guard let move = pan.moves.first(where: { $0.target.magnitude == 1 }) else { return nil }
            return LayerInOneEar(layer: name, position: move.start + move.over)
        }
    }
}
