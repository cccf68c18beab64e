/// Recognises a shake in a stream of accelerations (`accxyz`, in g) at 10 to 100 values a second.
///
/// A shake is at least ``swingCount`` swings of more than ``threshold`` g against rest within ``window`` seconds, each reversing the one
/// before, and none faster than a hand can move. Walking swings by less; running pushes up by more, but falls back with no more than the 1
/// g of gravity, even with swinging arms; putting the device down rings too fast, and turning it over swings once.
package struct ShakeDetector: Sendable {
    /// The acceleration in g, relative to rest, that a swing has to exceed.
    package var threshold = 1.7
    package var swingCount = 4
    /// The time in seconds within which all swings of a shake have to happen.
    package var window = 1.0
    /// The minimum time between two swings, in seconds.
    package var shortestSwing = 0.045
    /// The time in seconds after a shake during which no other is recognised.
    package var pause = 1.0

    /// The time constant in seconds with which the rest acceleration adapts to a turned device.
    private static let settling = 0.7
    /// The longest gap in seconds between two values; after a longer one, detection restarts.
    private static let longestGap = 1.0

    private var rest: SIMD3<Double>?
    private var swings: [(time: Double, force: SIMD3<Double>)] = []
    private var lastTime = 0.0
    private var quietUntil = -Double.infinity

    package init() {}

    /// Handles one value; true if it completes a shake. Values that are not finite are ignored.
    package mutating func isShake(x: Double, y: Double, z: Double, at time: Double) -> Bool {
        guard x.isFinite, y.isFinite, z.isFinite else { return false }
        let value = SIMD3(x, y, z)
        guard let rest, time - lastTime < Self.longestGap else {
            // The acceleration at rest is only known after a while.
            self.rest = value
            swings = []
            quietUntil = time + 2 * Self.settling
            lastTime = time
            return false
        }
        guard time > lastTime else { return false }
        // The rest acceleration, which is gravity, turns slowly with the hand.
        let newRest = rest + (value - rest) * min(1, (time - lastTime) / Self.settling)
        lastTime = time
        self.rest = newRest
        let force = value - newRest
        guard force.length > threshold, time >= quietUntil else { return false }
        swings.removeAll { time - $0.time > window }
        if let last = swings.last {
            // Only a reversal counts; the same swing may last for several values.
            let back = -(last.force * force).sum() / last.force.length
            guard back > threshold, time - last.time >= shortestSwing else { return false }
        }
        swings.append((time, force))
        guard swings.count >= swingCount else { return false }
        swings = []
        quietUntil = time + pause
        return true
    }
}

extension SIMD3<Double> {
    fileprivate var length: Double { (self * self).sum().squareRoot() }
}
