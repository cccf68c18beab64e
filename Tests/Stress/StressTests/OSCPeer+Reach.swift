import ProgramSupport
import TestSupport
import Testing

extension OSCPeer {
    /// Waits until this many seconds of the patch have been played, however long that takes, as long as the position advances.
    func reach(_ seconds: Double) async throws {
        var reached = 0.0
        while reached < seconds {
            let next = min(reached + 1, seconds)
            let goesOn = try await eventually {
                reached = try await value("now/elapsed").numbers[0] ?? 0
                return reached >= next
            }
            try #require(goesOn, "the position stays at \(reached) s, and does not reach \(seconds) s")
        }
    }
}
