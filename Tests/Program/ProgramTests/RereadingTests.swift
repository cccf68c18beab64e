import Glibc
import ProgramSupport
import TestSupport
import Testing

/// The ways to save a file, and its mistakes, are in InstanceTests.
@Suite("A patch that is saved while the program plays it")
struct RereadingTests {
    @Test("is read again by itself")
    func savedAgain() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            try await program.state("playing")
            try run.folder.write(PlayTests.tone.replacing("200", with: "201"), to: "tone.yaml")
            _ = try await program.line(containing: "'tone.yaml' was read again.")
            #expect(try await run.value(of: "layer/1/carrier") == "201.0")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }
}
