import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The cost of a kill, on a machine that is not busy.
@Suite struct KilledTests {
    @Test("a kill loses at most 2 s of the position")
    func position() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("deep-alpha")
            try await program.state("playing")
            try await run.ctl("position", "100")
            // Later than the seek is saved.
            var before = 0.0
            _ = try await eventually {
                before = try #require(Double(try await run.value(of: "now/elapsed")))
                return before >= 102.2
            }
            program.send(signal: SIGKILL)
            _ = try await program.exit()
            let second = try run.start()
            try await second.state("playing")
            let after = try #require(Double(try await run.value(of: "now/elapsed")))
            #expect(after > before - 2)
            second.send(signal: SIGTERM)
            #expect(try await second.exit() == .code(0))
        }
    }
}
