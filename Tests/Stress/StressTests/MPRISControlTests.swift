import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The rules of MPRIS, of Tests/Contract/MPRIS, on another player than ours.
@Suite struct MPRISControlTests {
    @Test("The script finds the rules of MPRIS that mpv is known to break, and no others")
    func control() async throws {
        _ = try requireTool("mpv", package: "mpv")
        guard access("/etc/mpv/scripts/mpris.so", R_OK) == 0 else {
            throw ProgramFailure("mpv has no MPRIS; this test needs it: apt-get install mpv-mpris")
        }
        let mpv = "mpv --no-video --ao=null --idle=yes --really-quiet {tracks}"
        let isolated = try IsolatedEnvironment()
        defer { withExtendedLifetime(isolated) {} }
        let run = try await judgeMediaPlayer(
            "org.mpris.MediaPlayer2.mpv",
            // A change that mpv never makes is waited for in vain.
            ["--start", mpv, "--second", mpv, "--patience", "3", "--expect", PackageRoot.file("Tests/Contract/MPRIS/mpv.broken")],
            isolated.variables)
        #expect(run.exit == .code(0), "\(unexpected(run))\(run.output)\n\(run.errors)")
    }

    /// The lines that report why, before the long list.
    private func unexpected(_ run: FinishedProgram) -> String {
        run.output.split(separator: "\n").filter { $0.hasPrefix("unexpected") }.map { "\($0)\n" }.joined()
    }
}
