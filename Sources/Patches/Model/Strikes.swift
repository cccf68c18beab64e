extension Patch {
    /// Where a bell is struck, in seconds: at the start of the patch, and at every chapter or cue that sets its gain to more than off.
    ///
    /// Changes by hand do not strike it: they make louder or softer what rings.
    package func strikes(ofLayer layer: Int) -> [Double] {
        [0]
            + (chapters + cues).filter { chapter in
                chapter.settings.contains { $0.layer == layer && $0.parameter == .gain && $0.value > Parameter.off }
            }.map(\.start)
    }
}
