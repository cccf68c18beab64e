extension Patch {
    /// Times in seconds at which a bell is struck: at the start of the patch, and at every chapter or cue that sets its gain to more than
    /// off.
    ///
    /// Live edits do not strike it; they change the level of what rings.
    package func strikes(ofLayer layer: Int) -> [Double] {
        [0]
            + (chapters + cues).filter { chapter in
                chapter.settings.contains { $0.layer == layer && $0.parameter == .gain && $0.value > Parameter.off }
            }.map(\.start)
    }
}
