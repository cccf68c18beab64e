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
    @MainActor func begin(_ instance: Instance) {
        instance.add(SleepInhibitor(isPlanned: isPlanned, logger: instance.host.logger))
        guard hasMediaControls else { return }
        let identity = PlayerIdentity(
            name: DesktopFrontEnd.title(client), mayControl: role >= .control, mayQuit: role >= .admin)
        instance.add(DesktopFrontEnd(identity, instance.receiver(), instance.host))
    }
}
