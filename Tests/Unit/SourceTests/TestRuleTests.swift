import Foundation
import TestSupport
import Testing

/// `scripts/check-tests`: what makes tests fail by chance does not come back.
@Suite("Rules of the tests")
struct TestRuleTests {
    private let package: TemporaryFolder

    init() throws { package = try TemporaryFolder() }

    private func check() async throws -> FinishedProgram {
        try await RunningProgram.run(requireTool("python3", package: "python3"), [PackageRoot.file("scripts/check-tests"), package.path])
    }

    /// Lines in two parts, since the script reads this file too.
    static let planted: [(first: String, second: String, file: String, advice: String)] = [
        ("await bell.strikes(within: ", ".seconds(5))", "Unit/BellTests.swift", "a limit of its own"),
        ("bell.ring(within", ": 2)", "Unit/BellTests.swift", "a limit of its own"),
        ("let end = ContinuousClock.now", " + .seconds(5)", "Program/ClockTests.swift", "a limit of its own"),
        ("bell.wait(timeout", "=30)", "Contract/bell.py", "a limit of its own"),
        ("try await undist", "urbed { bell }", "Program/BellTests.swift", "a test that repeats itself"),
        ("let hour = Int.random", "(in: 0..<24)", "Unit/ClockTests.swift", "without a seed"),
        ("hour = random.choice", "(hours)", "Program/clock.py", "without a seed"),
    ]

    @Test("A limit of its own, a repetition and random numbers without a seed are found, with their place", arguments: planted)
    func found(first: String, second: String, file: String, advice: String) async throws {
        try package.write("// A line before.\n\(first)\(second)\n", to: "Tests/\(file)")
        let run = try await check()
        #expect(run.exit == .code(1))
        #expect(run.errors.contains("Tests/\(file):2: ") && run.errors.contains(advice), "\(run.errors)")
    }

    @Test("In Stress a measurement may be repeated; seeds and the one patience pass")
    func allowed() async throws {
        try package.write("try await undist" + "urbed { bell }\n", to: "Tests/Stress/BellTests.swift")
        try package.write("let hour = Int.random" + "(in: 0..<24, using: &dice)\nbell.waits(within: limit)\n", to: "Tests/Unit/A.swift")
        try package.write("hour = dice.choice(hours)\nbell.wait(timeout=PATIENCE)\n", to: "Tests/Contract/b.py")
        let run = try await check()
        #expect(run.exit == .code(0), "\(run.errors)")
    }
}
