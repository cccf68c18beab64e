import Patches

/// How a value moves to its new one.
package struct Ramp: Equatable, Sendable {
    /// Above 0.
    package var seconds: Double
    /// `nil` is smooth: value, slope and curvature of a movement under way are taken over.
    package var easing: Easing?
    /// With which others it is told to have ended.
    package var group: RampGroup?

    package init(seconds: Double, easing: Easing? = nil, group: RampGroup? = nil) {
        self.seconds = seconds
        self.easing = easing
        self.group = group
    }
}
