import Glibc
import ProgramSupport
import TestSupport
import Testing

/// The sound of quitting is in InstanceTests, and after SIGTERM in ToneTests.
@Suite("Signals that end the program")
struct EndingSignalTests {
    @Test("SIGTERM, SIGINT and SIGHUP save and exit with 0", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signal(_ number: Int32) async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            try await program.state("playing")
            program.send(signal: number)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            #expect(try run.folder.read("mine.yaml").contains("tone.yaml"))
        }
    }
}
