import Patches

/// How a value moves to a new one.
package struct Ramp: Equatable, Sendable {
    /// The duration in seconds, above 0.
    package var seconds: Double
    /// The easing; `nil` continues smoothly, taking over value, slope and curvature of a movement under way.
    package var easing: Easing?
    /// The group whose end is reported once, if any.
    package var group: RampGroup?

    package init(seconds: Double, easing: Easing? = nil, group: RampGroup? = nil) {
        self.seconds = seconds
        self.easing = easing
        self.group = group
    }
}
