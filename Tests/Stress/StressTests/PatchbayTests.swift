import Foundation
import ProgramSupport
import TestSupport
import Testing

/// docs/qjackctl-patchbay.xml, activated in the real qjackctl on a screen that nobody sees.
@Suite("The patchbay for qjackctl")
struct PatchbayTests {
    /// Settings that keep it from asking questions, and restrict it to this server.
    private static let settings = [
        "AlsaSeqEnabled", "DBusEnabled", "JackDBusEnabled", "StartJack", "StopJack", "QueryClose", "QueryShutdown", "QueryDisconnect",
        "SystemTray", "Singleton", "ServerConfig",
    ]

    /// Runs qjackctl with a patchbay while `body` runs.
    private func withPatchbay(_ file: String, _ run: PlayRun, _ body: () async throws -> Void) async throws {
        let configuration = try run.environment.variables["XDG_CONFIG_HOME"].orThrow("no folder for the configuration") + "/rncbc.org"
        try FileManager.default.createDirectory(atPath: configuration, withIntermediateDirectories: true)
        let text = "[Options]\n" + Self.settings.map { "\($0)=false\n" }.joined()
        try text.write(toFile: configuration + "/QjackCtl.conf", atomically: true, encoding: .utf8)
        let screen = try RunningProgram(
            try requireTool("Xvfb", package: "xvfb"), ["-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"])
        let number = try await screen.line { Int($0) != nil }.text
        let qjackctl = try RunningProgram(
            try requireTool("qjackctl", package: "qjackctl"), ["-n", run.server.name, "-a", file],
            environment: run.environment.adding(["DISPLAY": ":\(number)"]))
        try await body()
        await qjackctl.end()
        await screen.end()
    }

    @Test("it connects the program when it starts, reconnects what was disconnected, and the session learns it")
    func activated() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(TestPatch.tone, to: "tone.yaml")
            try await withPatchbay(PackageRoot.file("docs/qjackctl-patchbay.xml"), run) {
                let program = try run.start("tone.yaml", "--session", "mine.yaml")
                try await connected(server, program)
                // Regardless of which program disconnected it.
                try await server.disconnect("binaural:out_left", "system:playback_1")
                try await server.disconnect("binaural:out_right", "system:playback_2")
                try await connected(server, program)
                program.send(signal: SIGTERM)
                #expect(try await program.exit() == .code(0), "\(program.transcript)")
            }
            let session = try run.folder.read("mine.yaml")
            for line in ["{port: out_left, to: system:playback_1", "{port: out_right, to: system:playback_2"] {
                #expect(session.contains(line), "\(session)")
            }
        }
    }

    @Test("with an invalid pattern it connects and disconnects nothing: the program keeps playing, connected as before")
    func badPattern() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(TestPatch.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            try await program.state("playing")
            try await server.connect("binaural:out_left", "system:playback_2")
            let name = "other"
            let other = try RunningProgram(try requireTool("jack_thru", package: "jackd2"), [name], environment: run.environment.variables)
            try await server.waitForPort("\(name):output_1")
            // The same with an invalid pattern for the program, after a valid cable that shows when the patchbay is active.
            let patchbay = try String(contentsOfFile: PackageRoot.file("docs/qjackctl-patchbay.xml"), encoding: .utf8)
                .replacing("binaural(-[0-9]+)?", with: "binaural(-[0-9+")
                .replacing(
                    " </output-sockets>",
                    with: """
                         <socket exclusive="off" client="\(name)" type="jack-audio" name="Other">
                           <plug>output_1</plug>
                          </socket>
                         </output-sockets>
                        """
                )
                .replacing(" </cables>", with: "  <cable output=\"Other\" input=\"Playback\" type=\"jack-audio\"/>\n </cables>")
            try run.folder.write(patchbay, to: "spoilt.xml")
            try await withPatchbay(run.folder.file("spoilt.xml"), run) { () async throws in
                #expect(try await eventually { try await server.connections(of: "\(name):output_1") == ["system:playback_1"] })
                #expect(try await server.hasConnections(["system:playback_2"], of: "binaural:out_left"))
                #expect(try await server.hasConnections([], of: "binaural:out_right"))
                #expect(try await run.value(of: "now/state") == "playing")
            }
            await other.end()
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            let session = try run.folder.read("mine.yaml")
            #expect(session.contains("{port: out_left, to: system:playback_2"), "\(session)")
            #expect(!session.contains("playback_1"), "\(session)")
        }
    }

    private func connected(_ server: JACKServer, _ program: RunningProgram) async throws {
        let isConnected = try await eventually {
            let left = try await server.connections(of: "binaural:out_left")
            let right = try await server.connections(of: "binaural:out_right")
            return left == ["system:playback_1"] && right == ["system:playback_2"]
        }
        guard isConnected else { throw ProgramFailure("qjackctl connects nothing: \(program.transcript)") }
    }
}
