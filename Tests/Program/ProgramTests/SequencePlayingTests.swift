import ProgramSupport
import TestSupport
import Testing

/// How they play is in InstanceTests.
@Suite("Sequences of SBaGen, as arguments of play")
struct SequencePlayingTests {
    @Test("a sequence with a fault does not play, and the place of the fault is reported")
    func fault() async throws {
        try await JACKServer.runWithoutStarting { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("a: 200+10/20\nNOW b\n", to: "bad.sbg")
            let program = try run.start("bad.sbg")
            #expect(try await program.exit() == .code(65))
            #expect(program.errorLines.first == "bad.sbg:2:5: `b` is not defined above", "\(program.transcript)")
        }
    }
}
