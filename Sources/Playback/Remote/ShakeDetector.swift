/// Recognises a shake in a stream of accelerations (`accxyz`, in g) at 10 to 100 values a second.
///
/// A shake is at least ``turnCount`` swings of more than ``threshold`` g against rest within ``window`` seconds, each back along the
/// line of the one before, and none faster than a hand can be. Who walks swings by less; who runs is pushed up by more, but falls back
/// with no more than the 1 g of gravity, also with swinging arms; what is put down rings too fast, and what is turned over swings once.
package struct ShakeDetector: Sendable {
    /// g beyond the resting acceleration.
    package var threshold = 1.7
    package var turnCount = 4
    /// Seconds.
    package var window = 1.0
    /// Seconds between swings, at least.
    package var shortestTurn = 0.045
    /// After a shake, so many seconds of rest.
    package var pause = 1.0

    /// Seconds in which a turn of the hand becomes the new rest.
    private static let settling = 0.7
    /// A stream that paused for so many seconds begins anew.
    private static let longestGap = 1.0

    private var rest: SIMD3<Double>?
    private var swings: [(time: Double, force: SIMD3<Double>)] = []
    private var lastTime = 0.0
    private var quietUntil = -Double.infinity

    package init() {}

    /// Takes one value in; true when it completes a shake. What is not finite is passed over.
    package mutating func isShake(x: Double, y: Double, z: Double, at time: Double) -> Bool {
        guard x.isFinite, y.isFinite, z.isFinite else { return false }
        let value = SIMD3(x, y, z)
        guard let rest, time - lastTime < Self.longestGap else {
            // What rest is, shows only after a while.
            self.rest = value
            swings = []
            quietUntil = time + 2 * Self.settling
            lastTime = time
            return false
        }
        guard time > lastTime else { return false }
        // Gravity turns slowly with the hand: it is what remains.
        let newRest = rest + (value - rest) * min(1, (time - lastTime) / Self.settling)
        lastTime = time
        self.rest = newRest
        let force = value - newRest
        guard force.length > threshold, time >= quietUntil else { return false }
        swings.removeAll { time - $0.time > window }
        if let last = swings.last {
            // Only a turn counts; a swing that goes on is the same one.
            let back = -(last.force * force).sum() / last.force.length
            guard back > threshold, time - last.time >= shortestTurn else { return false }
        }
        swings.append((time, force))
        guard swings.count >= turnCount else { return false }
        swings = []
        quietUntil = time + pause
        return true
    }
}

extension SIMD3<Double> {
    fileprivate var length: Double { (self * self).sum().squareRoot() }
}
