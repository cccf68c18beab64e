import Patches

/// The levels at which the layers of an item are heard, to be compared with those that follow.
struct LayerLevels: Equatable, Sendable {
    /// In dB.
    struct Level: Equatable {
        let heard: Double
        /// The level that is set, of which a move may have covered only a part.
        let set: Double
    }

    /// The ``QueueItem/id``.
    let item: Int
    /// The names of all layers.
    let names: [String]
    /// The levels of the audible layers, by the name.
    var levels: [String: Level] = [:]
    /// All that a listener had set.
    let edits: [LiveEdit]
    let course: CourseEdits
    let held: [Fader: HeldFader]
}
