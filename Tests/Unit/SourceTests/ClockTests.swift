import Foundation
import TestSupport
import Testing

/// The tests of an instance let time stand still, which holds only if nothing of it has a clock of its own.
@Suite("Clocks of an instance")
struct ClockTests {
    private static let clocks = [
        "MonotonicClock", "ContinuousClock", "Date()", "TimeOfDay.now", "DispatchTime.now", "asyncAfter", "makeTimerSource", "Task.sleep",
    ]
    /// Threads of their own, which the instance does not wait for, and what waits before there is one.
    private static let threads = ["Query/QueryHandler.swift", "Monitoring/MemoryPressure.swift", "Managed/SessionManagerLink.swift"]

    @Test("An instance reads the time, waits and sets timers only by the clock that it was given")
    func own() throws {
        let folder = PackageRoot.file("Sources/Application")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
        #expect(Self.threads.allSatisfy(files.contains))
        for file in files where !Self.threads.contains(file) {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            for clock in Self.clocks { #expect(!text.contains(clock), "\(file): \(clock)") }
        }
    }
}
