import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Files from file managers and the like, through genuine busctl on a genuine bus.
@Suite("OpenUri")
struct OpenURITests {
    private static let object = ["org.mpris.MediaPlayer2.binaural", "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player"]

    private func openURI(_ address: String, _ bus: MessageBus) async throws -> FinishedProgram {
        try await bus.run(
            "busctl", ["--address=\(bus.address)", "--timeout=\(Patience.seconds)", "call"] + Self.object + ["OpenUri", "s", address],
            package: "systemd")
    }

    @Test("OpenUri plays a patch from another folder; a pipe or an address of the web is an error")
    func opening() async throws {
        try await JACKServer.run { server in
            let bus = try await MessageBus()
            let run = try PlayRun(server, adding: bus.environment)
            defer { run.keep() }
            let program = try run.start("deep-alpha")
            try await program.state("playing")
            try await bus.waitForName("org.mpris.MediaPlayer2.binaural")
            let fifo = run.folder.file("pipe.yaml")
            try #require(mkfifo(fifo, 0o600) == 0)
            for address in ["http://example.com/a.yaml", "file://\(fifo)"] {
                let answer = try await openURI(address, bus)
                #expect(answer.exit != .code(0), "\(address)")
            }
            let patch = try run.folder.write(
                "title: Mine\nlayers:\n  - name: a\n    tone: {carrier: 300}\n", to: "my folder/mine.yaml")
            let answer = try await openURI("file://" + patch.replacing(" ", with: "%20"), bus)
            #expect(answer.exit == .code(0), "\(answer.errors)")
            #expect(try await run.value(of: "now/title") == "Mine")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }
}
