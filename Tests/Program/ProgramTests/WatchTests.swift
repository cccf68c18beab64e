import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("watch")
struct WatchTests {
    /// Seconds as `watch` writes them: `0:07`.
    private static func seconds(_ line: String) throws -> Int {
        let match = try line.firstMatch(of: /([0-9]+):([0-9]{2}) \//).orThrow("no time in: \(line)")
        return (Int(match.1) ?? 0) * 60 + (Int(match.2) ?? 0)
    }

    @Test("changes of the player are shown, with the program's own position; a killed program is waited for")
    func follows() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write(PlayTests.tone, to: "tone.yaml")
            _ = try run.folder.write(PlayTests.tone.replacing("Tone", with: "Second"), to: "second.yaml")
            let environment = run.environment.adding(["LC_ALL": "C.UTF-8"])
            let watch = try RunningProgram(
                try PackageRoot.program(), ["watch", "--client", server.clientName], environment: environment, folder: run.folder.path)
            defer { keepAlive(watch) }
            _ = try await watch.line(containing: "waiting · No instance is running: there is no address")

            let first = try run.start("tone.yaml", "second.yaml")
            try await first.state("playing")
            var line = try await watch.line(from: 1) { $0.hasPrefix("playing · Tone · ") }
            #expect(line.text.hasSuffix(" · item 1/2, rate 1 · master 0.0 dB"))

            try await run.ctl("pause")
            line = try await watch.line(from: line.index) { $0.hasPrefix("paused · Tone · ") }
            #expect(try Self.seconds(line.text) == Int(try #require(Double(try await run.value(of: "now/elapsed")))))
            try await run.ctl("position", "451.5")
            line = try await watch.line(containing: "paused · Tone · 7:31 / 10:00", from: line.index)
            try await run.ctl("rate", "2")
            line = try await watch.line(containing: "item 1/2, rate 2", from: line.index)
            try await run.ctl("next")
            line = try await watch.line(containing: "Second · 0:00 / 10:00 · item 2/2", from: line.index)

            first.send(signal: SIGKILL)
            line = try await watch.line(containing: "waiting · No", from: line.index)
            // On another port, under the same name.
            let second = try run.start("second.yaml")
            try await second.state("playing")
            line = try await watch.line(from: line.index) { $0.hasPrefix("playing · Second · ") }

            second.send(signal: SIGTERM)
            #expect(try await second.exit() == .code(0))
            _ = try await watch.line(containing: "waiting · ", from: line.index)
            watch.send(signal: SIGINT)
            #expect(try await watch.exit() == .code(0), "\(watch.transcript)")
        }
    }
}
