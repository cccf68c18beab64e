import OSC
import Patches

extension AddressTable {
    /// The reference page in the docs, generated from the rows.
    package var markdown: String {
        Self.introduction + rules + sections.map { "\n## \($0.title)\n\n" + Self.table($0.rows) }.joined() + querySection
    }

    /// The rows grouped for readers.
    var sections: [(title: String, rows: [Row])] {
        [
            ("Conversation", Row.conversation + Row.timing), ("Transport", Row.transport), ("Listening", Row.listener),
            ("Now playing", Row.nowPlaying + Row.clock),
            ("Layers", Row.layers), ("Touch", Row.touch), ("Mixer", Row.mixer), ("Queue, session, studio", Row.library + Row.presets),
            ("MIDI", Row.midi), ("Preferences", Row.preferences),
        ]
    }

    private static let introduction = """
        # OSC reference

        Generated from the table in `Sources/OSCRemote/Table` by `binaural osc-table > docs/osc.md`; a test compares the two.

        All addresses start with `\(root)`. The server listens on UDP port \(RemoteConfiguration.defaultPort) of 127.0.0.1 by default;
        `--osc-listen unix:PATH` adds a Unix datagram socket, which answers to the path that a peer has bound. `N` is a layer's number,
        from 1, or `selected`. Send a property's address without arguments to read it and with arguments to set it; the answer has the same address.
        Numbers may be sent as `i`, `h`, `f`, `d`, `T` or `F`. A *press* is no argument, a number above 0 or `T`; 0 releases the button
        and does nothing. Arguments in brackets are optional. Surplus arguments are an error (400), so a text with spaces
        has to be one string. Values are clamped to their range, and the applied value is echoed. A number that stands for a name (the index
        of a choice, an item, a layer, a port, a token) has to be whole, as `2` or `2.0`; a fraction is an error (400).
        A ramp is 0 to 86400 seconds, anything else is an error (400); 0 is the default of 20 ms for levels and 50 ms for frequencies and the
        balance. An easing is a name such as `sineInOut`, or its index.
        *Topic* is the subscription that reports changes of the address; *patterns* marks the addresses that `?`, `*`, `[]` and `{}` match.
        **A pattern without arguments only reads**: it never presses the commands that it matches. With arguments it sets and presses all that
        it matches.

        """

    private static func table(_ rows: [Row]) -> String {
        let head = "| address | in | out | unit, range | topic | role | patterns | meaning |\n|---|---|---|---|---|---|---|---|\n"
        return head
            + rows.map { row in
                let fields = [
                    "`\(row.path)`", row.inputs.map(describe).joined(separator: " "), row.outputs.isEmpty ? "" : "`,\(row.outputs)`",
                    row.quantity.map(describe) ?? "", row.group?.rawValue ?? "",
                    row.access == .read ? Role.view.rawValue : row.role.rawValue,
                    row.isPatternTarget ? "yes" : "", row.summary,
                ]
                return "| " + fields.joined(separator: " | ") + " |\n"
            }.joined()
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

    private static func describe(_ quantity: Quantity) -> String {
        let range = "\(NumberText.string(from: quantity.range.lowerBound))..\(NumberText.string(from: quantity.range.upperBound))"
        return quantity.unit.isEmpty ? range : "\(quantity.unit), \(range)"
    }
}
