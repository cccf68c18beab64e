import TestSupport

/// Repeats a measurement until no cycle was dropped and no bundle was late. A comparison of sound with the clock means nothing otherwise,
/// and a busy machine causes both.
func undisturbed<Result: Sendable>(_ measure: @Sendable () async throws -> (Result, disturbances: Int)) async throws -> Result {
    for _ in 0..<12 {
        let (result, disturbances) = try await measure()
        if disturbances == 0 { return result }
        print("measured again: \(disturbances) cycles or bundles were late")
    }
    throw ProgramFailure("this machine drops cycles all the time: run the test where less else runs")
}
