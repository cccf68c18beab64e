import Foundation
import TestSupport
import Testing

/// The fixtures themselves: programs and JACK servers.
@Suite struct JACKServerTests {
    @Test("A program's lines, input, signals and end can be awaited")
    func programIsDriven() async throws {
        let script =
            "trap 'echo caught; exit 3' TERM; echo ready; echo oops >&2; read line; echo \"got $line\"; while :; do read -r x || sleep 0.01; done"
        let program = try RunningProgram("sh", ["-c", script])
        let ready = try await program.line(containing: "ready")
        program.write("hello\n")
        #expect(try await program.line(containing: "got", from: ready.index).text == "got hello")
        program.send(signal: SIGTERM)
        #expect(try await program.exit() == .code(3))
        #expect(program.outputLines == ["ready", "got hello", "caught"])
        #expect(program.errorLines == ["oops"])
    }

    @Test("A line that never comes fails with the actual output, at the latest at the end of the program")
    func missingLineFails() async throws {
        let program = try RunningProgram("sh", ["-c", "echo something else"])
        let failure = await #expect(throws: ProgramFailure.self) { try await program.line(containing: "wanted") }
        let description = try #require(failure).description
        #expect(description.contains("did not come before the end"))
        #expect(description.contains("something else"))
    }

    @Test("A program runs in its folder with only its own environment")
    func environmentIsIsolated() async throws {
        let isolated = try IsolatedEnvironment(adding: ["EXTRA": "yes"])
        let finished = try await RunningProgram.run(
            "sh", ["-c", "pwd; echo $EXTRA; echo $XDG_STATE_HOME; cat; exit 7"], environment: isolated.variables,
            folder: isolated.folder.path, input: "input")
        #expect(finished.exit == .code(7))
        #expect(finished.outputLines == [isolated.folder.path, "yes", isolated.folder.file("state"), "input"])
    }

    @Test("A JACK server starts, is killed, comes back under its name, and is stopped")
    func serverRuns() async throws {
        let name = try await JACKServer.run(sampleRate: 44_100, bufferSize: 128) { server in
            #expect(try await server.ports().contains("system:playback_1"))
            try await server.kill()
            #expect(try await server.ports().isEmpty)
            try await server.start()
            try await server.connect("system:capture_1", "system:playback_2")
            #expect(try await server.hasConnections(["system:playback_2"], of: "system:capture_1"))
            let wave = try await server.capture(["system:capture_1"], seconds: 1)
            #expect(wave.sampleRate == 44_100)
            #expect(wave.frameCount == 44_100)
            return server.name
        }
        #expect(!FileManager.default.fileExists(atPath: "/dev/shm/jack_\(name)_\(getuid())_0"))
    }
}
