import Foundation
import TestSupport
import Testing

/// docs/qjackctl-patchbay.xml, activated in the real qjackctl on a screen that nobody sees.
@Suite("The patchbay for qjackctl")
struct PatchbayTests {
    /// What keeps it from asking questions, and away from everything but this server.
    private static let settings = [
        "AlsaSeqEnabled", "DBusEnabled", "JackDBusEnabled", "StartJack", "StopJack", "QueryClose", "QueryShutdown", "QueryDisconnect",
        "SystemTray", "Singleton", "ServerConfig",
    ]

    @Test("wires the program when it starts, connects again what was taken away, and the session learns it")
    func activated() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let configuration = try run.environment.variables["XDG_CONFIG_HOME"].orThrow("no folder for the configuration") + "/rncbc.org"
            try FileManager.default.createDirectory(atPath: configuration, withIntermediateDirectories: true)
            let text = "[Options]\n" + Self.settings.map { "\($0)=false\n" }.joined()
            try text.write(toFile: configuration + "/QjackCtl.conf", atomically: true, encoding: .utf8)
            let screen = try RunningProgram(
                try requireTool("Xvfb", package: "xvfb"), ["-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"])
            let number = try await screen.line { Int($0) != nil }.text
            let qjackctl = try RunningProgram(
                try requireTool("qjackctl", package: "qjackctl"),
                ["-n", server.name, "-a", PackageRoot.file("docs/qjackctl-patchbay.xml")],
                environment: run.environment.adding(["DISPLAY": ":\(number)"]))

            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            try await connected(server, program)
            // By whomever it was taken away.
            try await server.disconnect("binaural:out_left", "system:playback_1")
            try await server.disconnect("binaural:out_right", "system:playback_2")
            try await connected(server, program)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            let session = try run.folder.read("mine.yaml")
            for line in ["{port: out_left, to: system:playback_1}", "{port: out_right, to: system:playback_2}"] {
                #expect(session.contains(line), "\(session)")
            }
            await qjackctl.end()
            await screen.end()
        }
    }

    private func connected(_ server: JACKServer, _ program: RunningProgram) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            let left = try await server.connections(of: "binaural:out_left")
            let right = try await server.connections(of: "binaural:out_right")
            if left == ["system:playback_1"], right == ["system:playback_2"] { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw ProgramFailure("qjackctl connects nothing: \(program.transcript)")
    }
}
