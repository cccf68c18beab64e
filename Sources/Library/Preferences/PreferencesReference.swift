import PatchFiles
import Patches
import Playback

extension PreferenceDescription {
    /// The reference page in the docs, generated from the declarations.
    package static var markdown: String {
        introduction + all.map { "| \($0.columns.joined(separator: " | ")) |\n" }.joined() + conclusion
    }

    private static let introduction = """
        # Preferences

        Generated from `Sources/Playback/Preferences/PreferenceDeclarations.swift` by `binaural preferences-table > docs/preferences.md`; a test
        compares the two.

        Settings for all sessions, in `$XDG_CONFIG_HOME/binaural/preferences.yaml` (`~/.config` if it is not set); each session of a
        [session manager](studio.md#session-managers) has its own file, which starts as a copy of that one:

        ```yaml
        crossfade: 4
        skipIntervals: [10, 60]
        shake: next
        ```

        | name | value | default | applies | meaning |
        |---|---|---|---|---|

        """

    private static let conclusion = """

        A preference that is missing has its default. Options on the command line override the file for that run, and are never written to it.

        Over OSC each is a property, `/binaural/preferences/NAME`: send it without an argument to read it, with one to set it; subscribers
        of `session` get its changes, and a single number has a twin `…/norm`. Setting one that applies at the next start needs the role
        admin. A value that was set is saved at once. From the terminal: `binaural ctl preferences/crossfade 4`.

        A mistake in the file is reported with its line and column (`binaural check` shows it too). The preference then has its default, and
        the program does not write the file until the mistake is corrected. Names that this version does not know are kept. If you edit the file
        while the program runs, your changes apply at the next start, and only preferences set over OSC meanwhile overwrite them. Comments
        are lost at the next write.

        """

    private var columns: [String] {
        ["`\(name)`", values, Self.text(defaultValue), takesEffect == .atOnce ? "at once" : "at the next start", summary]
    }

    private var values: String {
        switch kind {
        case .number(let range, let unit): Self.range(range, unit)
        case .wholeNumber(let range): "whole number, \(range.lowerBound) to \(range.upperBound)"
        case .numbers(let range, let unit, let limit): "list of 1 to \(limit), each \(Self.range(range, unit))"
        case .choice(let names): names.map { "`\($0)`" }.joined(separator: ", ")
        case .text(let content): content.noun
        }
    }

    private static func range(_ range: ClosedRange<Double>, _ unit: Unit) -> String {
        "\(NumberText.string(from: range.lowerBound)) to \(NumberText.string(from: range.upperBound)) \(unit.rawValue)"
    }

    private static func text(_ value: StoredPreference) -> String {
        let text = YAMLTree.mapping([.init("v", value.tree)]).yaml
        return "`" + text.dropFirst(3).dropLast() + "`"
    }
}
