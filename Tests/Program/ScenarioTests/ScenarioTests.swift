import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Scripts in Tests/Program/Scenarios, which contain their own assertions.
@Suite("Scenarios")
struct ScenarioTests {
    @Test("a session manager opens, saves and switches sessions; JACK comes later, and no file is outside their folders")
    func sessionManager() async throws {
        try await JACKServer.run { server in try await runScenario("Program/Scenarios/session_manager.py", on: server) }
    }

    @Test("sessions that cannot be opened or saved are answered with the protocol's codes, and the playing one stays open")
    func sessionFaults() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Program/Scenarios/session_faults.py", on: server) }
    }

    @Test("layers have ports of their own, which add up to the mix, and whose connections are remembered")
    func layers() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Program/Scenarios/layers.py", on: server) }
    }

    @Test("timebase masters with invalid numbers change no bit of the sound, and invalid ports nothing of the connections")
    func badInput() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Program/Scenarios/wild_masters.py", on: server) }
    }

    @Test("systemd is notified when the program is ready, alive, and stopping")
    func service() async throws {
        try await JACKServer.run { server in try await runScenario("Program/Scenarios/service.py", on: server) }
    }

    @Test("a controller is learnt on the command line, and moves the same address after a restart")
    func midiLearn() async throws {
        try await JACKServer.run { server in try await runScenario("Program/Scenarios/midi_learn.py", on: server) }
    }

    @Test("OSCQuery clients read the tree, listen to values, and break nothing")
    func oscQuery() async throws {
        try await JACKServer.run { server in try await runScenario("Program/Scenarios/osc_query.py", on: server) }
    }

    @Test("ended in the middle of a flood of packets, the program exits with 0")
    func quitting() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Program/Scenarios/quitting.py", on: server) }
    }

    @Test("the systemd unit in docs/ is valid")
    func unit() async throws {
        let isolated = try IsolatedEnvironment()
        defer { keepAlive(isolated) }
        let text = try String(contentsOfFile: PackageRoot.file("docs/binaural.service"), encoding: .utf8)
        let program = try PackageRoot.program()
        try isolated.folder.write(text.replacing("/usr/local/bin/binaural", with: program), to: "binaural.service")
        let run = try await RunningProgram.run(
            try requireTool("systemd-analyze", package: "systemd"), ["--user", "verify", isolated.folder.file("binaural.service")],
            environment: isolated.variables)
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(!run.errors.contains("binaural.service"), "\(run.summary)")
    }

    @Test("JACK's tools show names, group, order, icon and latency; what a user has set stays")
    func metadata() async throws {
        guard ProcessInfo.processInfo.environment["BINAURAL_OWN_WORLD"] != nil else {
            try Test.cancel("JACK keeps one set of properties for all servers of a user, and this user may not make namespaces (unshare)")
        }
        let run = try RunningProgram(PackageRoot.file("Tests/Program/Scenarios/metadata"), [try PackageRoot.program()])
        #expect(try await run.exit(worksLong: true) == .code(0), "\(run.transcript)")
        for line in run.outputLines where line.hasPrefix("figure") { print(line) }
    }

    @Test("connections and disconnections around a switch belong to the session that is open at that moment")
    func sessionConnections() async throws {
        try await JACKServer.runWithoutStarting { server in try await runScenario("Program/Scenarios/session_connections.py", on: server) }
    }
}
