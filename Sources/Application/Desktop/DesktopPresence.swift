import MPRIS
import OSCRemote

/// How an instance appears on the desktop.
struct DesktopPresence: Sendable {
    /// The name of the JACK client, which distinguishes instances.
    var client: String
    /// The role of programs on this machine.
    var role: Role
    /// Whether it appears as a media player.
    var hasMediaControls: Bool
    /// Whether playing starts at a time.
    var isPlanned: Bool

    /// Shows the player to the desktop, and keeps the machine awake while it plays.
    @MainActor func begin(_ control: Control) {
        control.frontEnds.add(SleepInhibitor(isPlanned: isPlanned, logger: control.logger))
        guard hasMediaControls else { return }
        let identity = PlayerIdentity(
            name: DesktopFrontEnd.title(client), mayControl: role >= .control, mayQuit: role >= .admin)
        control.frontEnds.add(DesktopFrontEnd(identity, control: control, logger: control.logger))
    }
}
