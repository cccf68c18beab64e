import Foundation
import Patches
import ProgramSupport
import TestSupport
import Testing

@Suite("Stereo folded to mono")
struct MonoFoldTests {
    @Test("a warning is given during playback when the ears are mixed into one port, and when one of them is not connected")
    func live() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("welcome")
            try await program.state("playing")
            for port in run.ports { try await server.connect(port, "system:playback_1") }
            _ = try await program.line(
                containing: "Both outputs are mixed into system:playback_1, but 2 layers such as `root` need both ears.")
            try await server.disconnect(run.ports[1], "system:playback_1")
            _ = try await program.line(containing: "Only \(run.ports[0]) is connected, but 2 layers such as `root` need both ears.")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("check warns of a layer for two ears that is panned to one, with the time; other layers may be panned freely")
    func check() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            layers:
              - {name: bed, binaural: {carrier: 200}, gain: -30}
              - {name: walk, bilateral: {pan: -1}, gain: -30}
              - {name: tone, tone: {carrier: 300, pan: 1}, gain: -40}
            chapters:
              - {at: 60, over: 30, set: {bed.pan: 1, walk.pan: 0}}

            """, to: "folded.yaml")
        let environment = try IsolatedEnvironment()
        let result = try await RunningProgram.run(try PackageRoot.program(), ["check", file], environment: environment.variables)
        #expect(result.exit == .code(0))
        #expect(result.errorLines.filter { $0.contains("panned to one") }.count == 2, "\(result.errors)")
        #expect(result.errors.contains("`bed`"))
        #expect(result.errors.contains("1:30"))
        #expect(result.errors.contains("`walk`"))
        #expect(!result.errors.contains("`tone`"))
    }
}
