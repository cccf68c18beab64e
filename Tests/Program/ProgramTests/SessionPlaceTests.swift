import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("--session")
struct SessionPlaceTests {
    static let refusals: [(session: String, code: Int32, sentence: String)] = [
        ("gone/deeper/c.yaml", 73, "/gone/deeper for the session: create it, or choose another place with --session."),
        ("-x", 64, "--session"),
    ]

    @Test("an invalid place is refused with an exit status, and nothing is created", arguments: refusals)
    func refused(session: String, code: Int32, sentence: String) async throws {
        try await JACKServer.runWithoutStarting { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("--session", session)
            #expect(try await program.exit() == .code(code), "\(program.transcript)")
            #expect(program.errors.contains(sentence), "\(program.transcript)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: run.folder.path).isEmpty)
        }
    }
}
