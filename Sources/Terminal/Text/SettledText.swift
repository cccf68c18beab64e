/// A text, and whether it has stayed the same for a moment, so that a fader that moves does not fill a log.
package struct SettledText: Equatable, Sendable {
    /// The latest text.
    package private(set) var text = ""
    package private(set) var isSettled = true
    private var settled = ""
    private var since = -Double.infinity
    private var isFirst = true

    /// Seconds.
    private static let patience = 0.3

    package init() {}

    /// Whether it deserves a line after one with another text.
    package func isWorthALine(after previous: SettledText) -> Bool { isSettled && text != previous.text }

    /// - Parameter now: seconds on a clock that only runs forward.
    package mutating func update(_ new: String, at now: Double) {
        if isFirst || new == settled || (new == text && now - since >= Self.patience) {
            (settled, isSettled, isFirst) = (new, true, false)
        } else {
            if new != text { since = now }
            isSettled = false
        }
        text = new
    }
}
