extension Patch {
    /// The times in seconds at which a bell is struck: the start of the patch, and every chapter or cue that sets its gain above -120 dB.
    ///
    /// Live edits do not strike the bell; they change the level of one that is ringing.
    package func strikes(ofLayer layer: Int) -> [Double] {
        [0]
            + (chapters + cues).filter { chapter in
                chapter.settings.contains { $0.layer == layer && $0.parameter == .gain && $0.value > Parameter.off }
            }.map(\.start)
    }
}
