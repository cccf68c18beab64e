import ArgumentParser
import Library
import Playback

/// Writes the reference of all preferences, for `docs/preferences.md`.
struct PreferencesTableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences-table", abstract: "Write the reference of all preferences, as Markdown.", shouldDisplay: false)

    func run() { print(PreferenceDescription.markdown, terminator: "") }
}
