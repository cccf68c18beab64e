import Terminal
import Testing

@Suite("Keys")
struct KeyParserTests {
    static let cases: [(String, [Key])] = [
        (" ", [.toggle]), ("n", [.next]), ("p", [.previous]), ("q", [.leave]), ("+", [.louder]), ("=", [.louder]), ("-", [.softer]),
        ("\u{1B}[C", [.skipForward]), ("\u{1B}[D", [.skipBackward]), ("\u{1B}OC", [.skipForward]), ("\u{1B}OD", [.skipBackward]),
        ("\u{1B}[1;5C", [.skipForward]), ("\u{1B}[A\u{1B}[B\u{1B}[3~\u{1B}OP", [.up, .down]), ("\u{1B}\u{1B}[C", [.skipForward]),
        ("\u{1B}n", [.next]),
        ("m", [.mute]), ("S", [.solo]), ("u", [.undo]), ("r", [.redo]), ("bBcC", [.lowerBeat, .raiseBeat, .lowerCarrier, .raiseCarrier]),
        ("z", [.sleep]), ("gG", [.chapter, .chapter]), ("?", [.help]), ("019", [.digit(0), .digit(1), .digit(9)]),
        ("xyw\t\r\u{7F}", []), ("ü n", [.toggle, .next]), ("  nq", [.toggle, .toggle, .next, .leave]),
    ]

    @Test("bytes of a terminal become keys", arguments: cases)
    func keys(text: String, expected: [Key]) {
        var parser = KeyParser()
        #expect(parser.keys(in: Array(text.utf8)) == expected)
    }

    @Test("a key that arrives in pieces is the same key", arguments: cases)
    func pieces(text: String, expected: [Key]) {
        var parser = KeyParser()
        #expect(text.utf8.flatMap { parser.keys(in: [$0]) } == expected)
    }
}
