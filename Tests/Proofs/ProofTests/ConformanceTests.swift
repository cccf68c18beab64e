import Foundation
import TestSupport
import Testing

/// Tests/Contract/Conformance: a case for every row and every rule of the OSC contract, from peers on genuine liblo.
@Suite struct ConformanceTests {
    @Test("Every row and every rule of the OSC contract holds over UDP, and each has a case")
    func contract() async throws { try await run([]) }

    @Test("The contract holds over WebSockets as well, except for what concerns ports")
    func webSocket() async throws { try await run(["--websocket"]) }

    private func run(_ arguments: [String]) async throws {
        let python = PackageRoot.file(".build/python/bin/python3")
        guard access(python, X_OK) == 0 else {
            throw ProgramFailure("there is no \(python); this test needs it: scripts/make-python-environment")
        }
        try await JACKServer.run(ownClientName: true) { server in
            let isolated = try IsolatedEnvironment(adding: server.environment)
            let run = try RunningProgram(
                python, ["-uB", PackageRoot.file("Tests/Contract/Conformance/run.py"), try PackageRoot.program()] + arguments,
                environment: isolated.adding([
                    // Pictures are drawn with low priority, which takes longer than the suite's usual 30 s on a busy machine.
                    "CONFORMANCE_NAME": server.clientName, "CONFORMANCE_PATIENCE": "120",
                    "CONFORMANCE_FLOOD_SECONDS": isStress ? "60" : "3",
                    "CONFORMANCE_LOSS_RUNS": isStress ? "1000" : "40",
                ]))
            let exit = try await run.exit(within: .seconds(600))
            for line in run.outputLines where line.hasPrefix("figure") || line.hasPrefix("SKIPPED") { print(line) }
            let failures = run.outputLines.filter { $0.hasPrefix("FAIL ") }
            for failure in failures { Issue.record(Comment(rawValue: failure)) }
            #expect(exit == .code(failures.isEmpty ? 0 : 1), "\(run.transcript)")
            print(try #require(run.outputLines.last { $0.contains(" cases, ") }, "\(run.transcript)"))
        }
    }
}

/// `make stress`: the long versions.
let isStress = ProcessInfo.processInfo.environment["BINAURAL_STRESS"] != nil
