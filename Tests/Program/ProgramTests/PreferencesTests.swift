import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Their effects on a running instance are in InstanceTests.
@Suite("Preferences, as a program")
struct PreferencesTests {
    private static let name = "config/binaural/preferences.yaml"

    @Test("sockets, feedback and ports are those of the preferences, and of the command line if it has them")
    func startOptions() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let socket = run.folder.file("socket")
            let surface = try StubInstance { _ in [] }
            defer { keepAlive(surface) }
            let text = """
                oscListen: ["127.0.0.2", "unix:\(socket)"]
                oscFeedback: ["\(surface.endpoint)=now", "192.0.2.1:9=nwo"]
                outputs: layers

                """
            try run.environment.folder.write(text, to: Self.name)
            let first = try run.start("deep-alpha", "--paused")
            _ = try await first.line(
                containing: "'192.0.2.1:9=nwo' of the preference oscFeedback is ignored. oscFeedback takes HOST:PORT=TOPICS")
            #expect(try await run.value(of: "now/state") == "paused")
            #expect(try await server.ports().contains("\(server.clientName):layer_1_left"))
            #expect(FileManager.default.fileExists(atPath: socket))
            #expect(surface.heard.value.contains { $0.address == "/binaural/now/title" })
            first.send(signal: SIGTERM)
            #expect(try await first.exit() == .code(0), "\(first.transcript)")

            let second = try run.start([
                "deep-alpha", "--paused", "--outputs", "mix", "--osc-listen", "127.0.0.1", "--osc-feedback", "none",
            ])
            #expect(try await run.value(of: "now/state") == "paused")
            #expect(try await !server.ports().contains("\(server.clientName):layer_1_left"))
            #expect(!FileManager.default.fileExists(atPath: socket))
            second.send(signal: SIGTERM)
            #expect(try await second.exit() == .code(0), "\(second.transcript)")
        }
    }

    @Test("check shows mistakes in preferences")
    func check() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        try environment.folder.write("crosfade: 3\n", to: Self.name)
        let run = try await binaural("check", environment.folder.file(Self.name))
        #expect(run.exit == .code(65), "\(run.summary)")
        #expect(run.errors.contains(":1:1: unknown key `crosfade`"), "\(run.summary)")
    }
}
