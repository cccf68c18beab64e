/// Recognises a shake in a stream of accelerations (`accxyz`, in g) at 10 to 100 values a second.
///
/// A shake is at least ``turnCount`` swings of more than ``threshold`` g against rest, each the other way along the axis of the
/// first, within ``window`` seconds. Walking swings once or twice a second and by less.
package struct ShakeDetector: Sendable {
    /// g beyond the resting acceleration.
    package var threshold = 1.3
    package var turnCount = 4
    /// Seconds.
    package var window = 1.0
    /// After a shake, so many seconds of rest.
    package var pause = 1.0

    private var rest: (x: Double, y: Double, z: Double)?
    private var swings: [(time: Double, x: Double, y: Double, z: Double)] = []
    private var lastTime = 0.0
    private var quietUntil = -Double.infinity

    package init() {}

    /// Takes one value in; true when it completes a shake. What is not finite is passed over.
    package mutating func isShake(x: Double, y: Double, z: Double, at time: Double) -> Bool {
        guard x.isFinite, y.isFinite, z.isFinite else { return false }
        guard let rest, time > lastTime else {
            self.rest = rest ?? (x, y, z)
            lastTime = time
            return false
        }
        // Gravity turns slowly with the hand: it is what remains after half a second.
        let weight = min(1, (time - lastTime) / 0.5)
        lastTime = time
        self.rest = (rest.x + (x - rest.x) * weight, rest.y + (y - rest.y) * weight, rest.z + (z - rest.z) * weight)
        let (dx, dy, dz) = (x - rest.x, y - rest.y, z - rest.z)
        guard dx * dx + dy * dy + dz * dz > threshold * threshold, time >= quietUntil else { return false }
        swings.removeAll { time - $0.time > window }
        // Only a turn counts; a swing that goes on is the same one.
        if let last = swings.last, last.x * dx + last.y * dy + last.z * dz > 0 { return false }
        swings.append((time, dx, dy, dz))
        guard swings.count >= turnCount else { return false }
        swings = []
        quietUntil = time + pause
        return true
    }
}
