import Patches

/// A fader that is being held: neither chapters nor other senders move it. But nobody holds it for ever: see ``Touch/mayMove(to:in:)``.
package struct HeldFader: Equatable, Sendable {
    /// The sender that holds it.
    package var holder: String?
    /// The value in the fader's unit.
    package var value: Double
    /// The value at the time it was touched.
    var before: Double
    /// When the holder touched it or moved it last.
    var moved: Moment

    /// Seconds without a movement after which others may move the fader.
    static let patience = 5.0
}

/// The behaviour of a fader when it is released.
package enum TouchMode: String, CaseIterable, Sendable {
    /// It stays where it is, as after any other live edit.
    case latch
    /// It returns to the value it would have without the touch.
    case `return`
}
