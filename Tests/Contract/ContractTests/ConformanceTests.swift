import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Tests/Contract/Conformance: a case for every row and every rule of the OSC contract, from peers on genuine liblo.
@Suite struct ConformanceTests {
    @Test("Every row and every rule of the OSC contract holds over UDP, and each has a case")
    func contract() async throws { try await run([]) }

    @Test("Answers, bundles, patterns, errors, touches, leases and feedback are the same over WebSockets")
    func webSocket() async throws { try await run(["--websocket"]) }

    private func run(_ arguments: [String]) async throws {
        let python = try PackageRoot.python()
        try await JACKServer.run(isPatient: true) { server in
            let isolated = try IsolatedEnvironment(adding: server.environment)
            let run = try RunningProgram(
                python, ["-uB", PackageRoot.file("Tests/Contract/Conformance/run.py"), try PackageRoot.program()] + arguments,
                environment: isolated.adding([
                    "CONFORMANCE_NAME": server.clientName,
                    "CONFORMANCE_FLOOD_SECONDS": isStress ? "60" : "3",
                    "CONFORMANCE_LOSS_RUNS": isStress ? "1000" : "40",
                ]))
            let exit = try await run.exit(worksLong: true)
            for line in run.outputLines where ["figure", "SKIPPED", "near miss"].contains(where: line.hasPrefix) { print(line) }
            let failures = run.outputLines.filter { $0.hasPrefix("FAIL ") }
            for failure in failures { Issue.record(Comment(rawValue: failure)) }
            #expect(exit == .code(failures.isEmpty ? 0 : 1), "\(run.transcript)")
            print(try #require(run.outputLines.last { $0.contains(" cases, ") }, "\(run.transcript)"))
        }
    }
}
