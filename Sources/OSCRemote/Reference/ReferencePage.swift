import OSC
import Patches
import Playback

extension AddressTable {
    /// The reference page in the docs, generated from the rows.
    package var markdown: String { ReferencePage(rows: rows).markdown }

    /// All rows as JSON, for the scripts that generate the layouts in the docs and the corpus of the fuzzer.
    package var json: String { ReferencePage(rows: rows).json }
}

/// The OSC reference: the page in the docs, and the same rows as JSON.
struct ReferencePage {
    let rows: [Row]
    private let companions: Companions
    static let root = OSCAddress.root

    init(rows: [Row]) {
        self.rows = rows
        companions = Companions(rows: rows)
    }

    var markdown: String {
        let body =
            Self.messages + rules + companions.marks
            + sections.map { section in "\n## \(section.title)\n\n" + table(section.rows.filter { companions.kind(of: $0) == nil }) }
            .joined()
            + companions.twins + names + webSocketSection + querySection
        return Self.title + WorkedExample.text + Self.contents(of: body) + body
    }

    /// The rows grouped for readers.
    var sections: [(title: String, rows: [Row])] {
        [
            ("Conversation", ConversationRows.all + TimingRows.all), ("Playback", PlaybackRows.all), ("Listening", ListenerRows.all),
            ("Now playing", NowPlayingRows.all + NowPlayingRows.clock),
            ("Layers", LayerRows.all), ("Chapters and cues", CourseRows.all), ("Touch", TouchRows.all), ("Mixer", MixerRows.all),
            ("Queue", QueueRows.all), ("Sessions, presets", SessionRows.all + PresetRows.all), ("JACK", JACKRows.all),
            ("MIDI", MIDIRows.all), ("Preferences", PreferenceRows.all), ("Program", ProgramRows.all),
        ]
    }

    private static let title = """
        # OSC reference

        Generated from the table in `Sources/OSCRemote/Table` by `binaural osc-table > docs/osc.md`; a test compares the two.


        """

    private static let messages = """

        ## Messages

        - All addresses start with `\(root)`, which the tables leave out. `N` is the number of a layer, from 1, its [name](#\(anchor("Rules"))), or `selected`.
        - By default, the server listens on UDP port \(OSCServerConfiguration.defaultPort) of 127.0.0.1. `--osc-listen unix:PATH` adds a Unix datagram socket; answers go to the path
          that the peer has bound.
        - Send the address of a property without arguments to read it, and with arguments to set it. The answer has the same address.
        - The address of a group, such as `now`, `layer/1` or `preferences`, is read in the same way: each value in the group is answered
          at its own address.
        - Numbers can be sent as `i`, `h`, `f`, `d`, `T` or `F`. Values are clamped to their range, and the applied value is echoed.
        - To *press*, send no argument, a number above 0, or `T`. Sending 0 releases the button and does nothing.
        - A *ramp* is `[,f seconds] [,s easing]`, with 0 to 86400 seconds; other values are an error (400). 0 means the default
          of the [parameter](files.md#parameters), 20 or 50 ms. An easing is one of the [names](#\(anchor("Names"))), or its index.
        - Arguments in brackets are optional. Surplus arguments are an error (400), so a text with spaces must be sent as one string.
        - A number that identifies something (the index of a choice, an item, a layer, a port, a token) must be whole, as in `2` or `2.0`; a fraction is
          an error (400). For a choice, the tables list the names with their indices instead of a range.
        - *Topic* is the [subscription](#\(anchor("Topics"))) that reports changes of the address.

        """

    /// Links to all sections of a page.
    private static func contents(of body: String) -> String {
        let titles = body.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        return "\n## Contents\n\n" + titles.map { "- [\($0)](#\(anchor($0)))\n" }.joined()
    }

    /// The anchor of a heading, as GitHub makes it.
    static func anchor(_ title: String) -> String {
        title.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }.replacing(" ", with: "-")
    }

    private func table(_ rows: [Row]) -> String {
        let head = "| address | in | out | unit, range | topic | role | marks | meaning |\n|---|---|---|---|---|---|---|---|\n"
        return head
            + rows.map { row in
                let fields = [
                    "`\(row.path)`", Self.inputs(row), row.outputs.isEmpty ? "" : "`,\(row.outputs)`", Self.range(row),
                    row.group?.rawValue ?? "", row.access == .read ? Role.view.rawValue : row.role.rawValue,
                    marks(row).joined(separator: ", "), Self.summary(row),
                ]
                return "| " + fields.joined(separator: " | ") + " |\n"
            }.joined()
    }

    private func marks(_ row: Row) -> [String] {
        companions.kinds(around: row).map(\.rawValue) + (row.isPatternTarget ? ["patterns"] : [])
            + (PreferenceRows.startNote(of: row) == nil ? [] : ["restart"])
    }

    /// The sentence of a row; the mark *restart* replaces the note that its value applies at the next start.
    private static func summary(_ row: Row) -> String {
        guard let note = PreferenceRows.startNote(of: row), row.summary.hasSuffix(note) else { return row.summary }
        let sentence = row.summary.dropLast(note.count)
        return sentence.hasSuffix(".") ? String(sentence) : sentence + "."
    }

    /// The arguments in words; a ramp and its easing have one word together.
    private static func inputs(_ row: Row) -> String {
        let isRamped = row.inputs.contains(.ramp)
        // Repeated arguments are described once.
        if row.inputs.count > 2, row.inputs.dropFirst(2).allSatisfy({ $0 == row.inputs[1] }), row.inputs[1].isOptional {
            return "`,\(row.inputs[0].kind.typeTag)…`, 1 to \(row.inputs.count)"
        }
        let inputs = row.inputs.filter { !isRamped || ($0 != .ramp && $0 != .easing) }.map(describe)
        return (inputs + (isRamped ? ["[*ramp*]"] : [])).joined(separator: " ")
    }

    private static func describe(_ input: Input) -> String {
        if input == .press { return "*press*" }
        let text =
            switch input.kind {
            case .note: "`,i` or `,s` \(input.name)"
            case .entry: "`,s` or `,i` \(input.name)"
            default: "`,\(input.kind.typeTag)` \(input.name)"
            }
        return input.isOptional ? "[\(text)]" : text
    }

    /// The unit and range of a row's first number, or the names of its choice.
    private static func range(_ row: Row) -> String {
        if case .choice(let names)? = row.inputs.first?.kind {
            return names.count > shortList ? "[names](#\(anchor("Names")))" : list(names)
        }
        guard let quantity = row.quantity else { return "" }
        if row.inputs.first?.kind == .flag { return "0 or 1" }
        let range = "\(NumberText.string(from: quantity.range.lowerBound))..\(NumberText.string(from: quantity.range.upperBound))"
        return quantity.unit.isEmpty ? range : "\(quantity.unit), \(range)"
    }
}
