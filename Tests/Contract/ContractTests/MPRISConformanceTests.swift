import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Tests/Contract/MPRIS: the rules of MPRIS, for any media player.
@Suite struct MPRISConformanceTests {
    @Test("The program keeps every rule of MPRIS")
    func program() async throws {
        try await JACKServer.run(isPatient: true) { server in
            let isolated = try IsolatedEnvironment(adding: server.environment)
            defer { withExtendedLifetime(isolated) {} }
            for (number, carrier) in [200, 220, 240, 260].enumerated() {
                try isolated.folder.write(
                    "title: Tone \(number + 1)\nartist: Somebody\nduration: 60\nlayers:\n  - {tone: {carrier: \(carrier)}, gain: -40}\n",
                    to: "tone\(number + 1).yaml")
            }
            let files = (1...4).map { isolated.folder.file("tone\($0).yaml") }
            let play = "'\(try PackageRoot.program())' play --connect none --osc-port auto --client-name"
            let run = try await judgeMediaPlayer(
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
}
