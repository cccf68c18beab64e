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

        Preferences are settings for all sessions. They are in `$XDG_CONFIG_HOME/binaural/preferences.yaml` (`~/.config` if the variable is not set). Each
        session of a [session manager](jack.md#session-managers) has a file of its own, which starts as a copy of that one. An example:

        ```yaml
        crossfade: 4
        skipIntervals: [10, 60]
        shake: next
        oscListen: [0.0.0.0]
        oscAllow: [192.168.1.20/32=control]
        oscFeedback: ["192.168.1.20:9000=now,layers"]    # in quotes, since the comma would end the item
        ```

        | name | value | default | applies | meaning |
        |---|---|---|---|---|

        """

    private static let conclusion = """

        A preference that is missing from the file has its default. Options on the command line override the file for one run, and are never written to it.

        Over OSC, each preference is a property, `/binaural/preferences/NAME`: send it without an argument to read it, and with one to set it (for a list,
        one for each item, or an empty string for none).
        Subscribers of `session` get its changes. A preference that is a single number also has a twin, `…/norm`. Setting a preference that applies at
        the next start needs the role `admin`. A value that was set is saved at once. From the terminal: `binaural ctl preferences/crossfade 4`.

        A mistake in the file is reported with its line and column (`binaural check` shows it too). The preference then has its default, and the program
        does not write to the file until the mistake is corrected. Unknown names are kept. If you edit the file while the program runs, your changes apply
        at the next start, and are overwritten only where the same preference is set over OSC in the meantime. Comments are lost at the next write.

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
        case .text(let content): content.noun.replacing("|", with: "\\|")
        case .texts(let content, let limit): "list of up to \(limit), each \(content.noun.replacing("|", with: "\\|"))"
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
