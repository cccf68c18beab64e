import Foundation
import TestSupport
import Testing

/// Tests/Contract/MPRIS: the rules of MPRIS, for any media player.
@Suite(.serialized) struct MPRISConformanceTests {
    @Test("The script finds the rules of MPRIS that mpv is known to break, and no others")
    func control() async throws {
        _ = try requireTool("mpv", package: "mpv")
        guard access("/etc/mpv/scripts/mpris.so", R_OK) == 0 else {
            throw ProgramFailure("mpv has no MPRIS; this test needs it: apt-get install mpv-mpris")
        }
        let mpv = "mpv --no-video --ao=null --idle=yes --really-quiet {tracks}"
        let isolated = try IsolatedEnvironment()
        defer { withExtendedLifetime(isolated) {} }
        let run = try await judge(
            "org.mpris.MediaPlayer2.mpv",
            ["--start", mpv, "--second", mpv, "--expect", PackageRoot.file("Tests/Contract/MPRIS/mpv.broken")],
            isolated.variables)
        #expect(run.exit == .code(0), "\(unexpected(run))\(run.output)\n\(run.errors)")
    }

    @Test("The program keeps every rule of MPRIS")
    func program() async throws {
        try await JACKServer.run(ownClientName: true) { server in
            let isolated = try IsolatedEnvironment(adding: server.environment)
            defer { withExtendedLifetime(isolated) {} }
            for (number, carrier) in [200, 220, 240, 260].enumerated() {
                try isolated.folder.write(
                    "title: Tone \(number + 1)\nartist: Somebody\nduration: 60\nlayers:\n  - {tone: {carrier: \(carrier)}, gain: -40}\n",
                    to: "tone\(number + 1).yaml")
            }
            let files = (1...4).map { isolated.folder.file("tone\($0).yaml") }
            let play = "'\(try PackageRoot.program())' play --connect none --osc-port auto --client-name"
            let run = try await judge(
                "org.mpris.MediaPlayer2.binaural",
                [
                    "--start",
                    "\(play) \(server.clientName) \(files[..<3].joined(separator: " ")) --session \(isolated.folder.file("a.yaml"))",
                    "--second", "\(play) \(server.clientName)-2 \(files[0]) --session \(isolated.folder.file("b.yaml"))",
                    "--uri", "file://\(files[3])",
                ], isolated.variables)
            #expect(run.exit == .code(0), "\(run.output)\n\(run.errors)")
        }
    }

    /// The lines that report why, before the long list.
    private func unexpected(_ run: FinishedProgram) -> String {
        run.output.split(separator: "\n").filter { $0.hasPrefix("unexpected") }.map { "\($0)\n" }.joined()
    }

    /// Runs the script on a session bus of its own.
    private func judge(_ name: String, _ options: [String], _ environment: [String: String]) async throws -> FinishedProgram {
        let python = PackageRoot.file(".build/python/bin/python3")
        guard access(python, X_OK) == 0 else {
            throw ProgramFailure("there is no \(python); this test needs it: scripts/make-python-environment")
        }
        return try await RunningProgram.run(
            try requireTool("dbus-run-session", package: "dbus-daemon"),
            ["--", python, "-uB", PackageRoot.file("Tests/Contract/MPRIS/mpris.py"), name] + options, environment: environment,
            within: .seconds(500)
        )
    }
}
