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

/// The ramps of one bundle, whose common end is reported once to the sender: when the last of them has ended.
package struct RampGroup: Hashable, Sendable {
    /// The sender's id for the group.
    package var id: Int32
    /// The number of the bundle, different for any two bundles.
    package var bundle: Int

    package init(id: Int32, bundle: Int) {
        self.id = id
        self.bundle = bundle
    }
}

extension Ramp {
    /// 20 ms, the shortest ramp of levels.
    package static let shortLevel = Ramp(seconds: 0.02)
}
