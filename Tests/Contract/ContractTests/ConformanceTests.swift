import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Tests/Contract/Conformance: a case for every row and every rule of the OSC contract, from peers on genuine liblo.
@Suite struct ConformanceTests {
    @Test("Every row and every rule of the OSC contract has a case, and those hold that need no patience")
    func quick() async throws { try await holds("quick") }
}

// Suites of their own: each then has a process, and so a JACK server, of its own, in which one program at a time comes or goes. jackd may stop
// answering when clients open and close beside each other, and it did so once when all cases shared one.

@Suite struct NetworkConformanceTests {
    @Test("The cases of the OSC contract that take time hold: strangers, crowds of peers, names and ports")
    func network() async throws { try await holds("network") }
}

@Suite struct TimeConformanceTests {
    @Test("The cases of the OSC contract that take time hold: subscriptions, leases and limits")
    func time() async throws { try await holds("time") }
}

@Suite struct FileConformanceTests {
    @Test("The cases of the OSC contract that take time hold: sessions, files and lost packets")
    func files() async throws { try await holds("files") }
}

@Suite struct WebSocketConformanceTests {
    @Test("Answers, bundles, patterns, errors, touches, leases and feedback are the same over WebSockets")
    func webSocket() async throws { try await holds("websocket") }
}

/// The cases of a group of run.py hold on a JACK server of their own.
private func holds(_ group: String) async throws {
    let python = try PackageRoot.python()
    try await JACKServer.run(isPatient: true) { server in
        let isolated = try IsolatedEnvironment(adding: server.environment)
        let run = try RunningProgram(
            python, ["-uB", PackageRoot.file("Tests/Contract/Conformance/run.py"), try PackageRoot.program(), "--group", group],
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
