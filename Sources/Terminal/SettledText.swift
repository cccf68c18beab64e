/// A text that is adopted once it has stayed the same for a moment, so that a fader that moves does not fill a log.
package struct SettledText: Sendable {
    package private(set) var text = ""
    private var candidate = ""
    private var since = -Double.infinity
    private var isFirst = true

    /// Seconds.
    private static let patience = 0.3

    package init() {}

    /// - Parameter now: seconds on a clock that only runs forward.
    package mutating func update(_ new: String, at now: Double) {
        if isFirst || new == text {
            (text, candidate, isFirst) = (new, new, false)
        } else if new != candidate {
            (candidate, since) = (new, now)
        } else if now - since >= Self.patience {
            text = new
        }
    }
}
