import Foundation
import TestSupport
import Testing

/// Tests/Scenarios/restarts.py: a server that dies, stalls and comes back under a program that plays.
@Suite struct RestartTests {
    @Test("JACK is killed, terminated, stopped and restarted: noticed, state equal, sound and connections back, OSC answering throughout")
    func restarts() async throws {
        let python = PackageRoot.file(".build/python/bin/python3")
        guard access(python, X_OK) == 0 else {
            throw ProgramFailure("there is no \(python); this test needs it: scripts/make-python-environment")
        }
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in
            let isolated = try IsolatedEnvironment(adding: server.environment)
            let run = try RunningProgram(
                python,
                ["-uB", PackageRoot.file("Tests/Scenarios/restarts.py"), try PackageRoot.program(), isStress ? "200" : "20"],
                environment: isolated.adding(["CLIENT_NAME": server.clientName]))
            #expect(try await run.exit(within: .seconds(1_200)) == .code(0), "\(run.transcript)")
            #expect(run.outputLines.contains { $0.hasPrefix("restarts: ") }, "\(run.transcript)")
            for line in run.outputLines { print(line) }
        }
    }
}
