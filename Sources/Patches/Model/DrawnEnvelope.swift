/// An envelope of pulses given by its levels, in place of `duty` and `edge`: one cycle, whose last level leads to the first one.
package struct DrawnEnvelope: Hashable, Sendable {
    /// Evenly spaced over the cycle, each 0...1, the first at phase 0.
    package var levels: [Double]
    package var curve: Curve

    /// How the level moves from one to the next.
    package enum Curve: String, CaseIterable, Sendable {
        case linear, smoothstep, smootherstep
    }

    package init(levels: [Double], curve: Curve = .smootherstep) {
        self.levels = levels
        self.curve = curve
    }

    /// How many levels it may have.
    package static let sizes = 2...2048
}
