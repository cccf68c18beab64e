import TestSupport

/// Judges a media player by the rules of MPRIS (Tests/Contract/MPRIS) on a session bus of its own.
///
/// - Parameter name: its name on the bus.
package func judgeMediaPlayer(_ name: String, _ options: [String], _ environment: [String: String]) async throws -> FinishedProgram {
    let python = try PackageRoot.python()
    return try await RunningProgram.run(
        try requireTool("dbus-run-session", package: "dbus-daemon"),
        ["--", python, "-uB", PackageRoot.file("Tests/Contract/MPRIS/mpris.py"), name] + options, environment: environment, worksLong: true)
}
