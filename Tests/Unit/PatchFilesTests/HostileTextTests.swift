import PatchFiles
import Patches
import TestSupport
import Testing

/// The faults of bytes that must not be a patch; empty when they are one.
private func faults(_ bytes: [UInt8]) -> [TextFault] {
    do throws(Diagnostics) {
        _ = try Patch.parse(bytes: bytes, file: "a.yaml")
        return []
    } catch {
        return error.all.compactMap { $0.fault as? TextFault }
    }
}

private func faults(_ text: String) -> [TextFault] { faults(Array(text.utf8)) }

private let sample = """
    title: Deep alpha — ünïcode
    duration: 30:00
    fade: {in: 5, out: {over: 10, ease: sineOut}}
    layers:
      - name: bed
        binaural: {note: A3, beat: 10}
        gain: -20
      - name: rain
        noise: {color: "pink", correlation: 0}
    chapters:
      - {at: 0:00, title: 'Settle'}
      - at: 5:00
        over: 10:00
        set: {bed.beat: 4, rain.gain: -26}

    """

@Suite("Hostile text") struct HostileTextTests {
    @Test("a file above 1 MiB is refused by its size")
    func size() {
        let bytes = [UInt8](repeating: 0x20, count: 1 << 20 + 1)
        #expect(faults(bytes) == [.tooLarge(limit: 1 << 20)])
        #expect(faults(Array(bytes.dropLast())) != faults(bytes))
    }

    @Test(
        "bytes that are not UTF-8 are reported with their place",
        arguments: [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF0, 0x9F]] as [[UInt8]])
    func notUTF8(bad: [UInt8]) throws {
        let bytes = Array("title: ä\nartist: x".utf8) + bad + Array("\n".utf8)
        let error = try #require(throws: Diagnostics.self) { try Patch.parse(bytes: bytes, file: "a.yaml") }
        try #require(error.all.count == 1)
        #expect(error.all[0].place == .init(line: 2, column: 10))
        #expect(error.all[0].fault as? TextFault == .notUTF8(byte: 19))
    }

    @Test(
        "nesting as deep as the file is long neither crashes nor hangs",
        arguments: ["[", "{a: ", "- ", "? ", "{", "[{", "!!x ", "&a ", "|\n "])
    func nesting(opening: String) {
        #expect(!faults(String(repeating: opening, count: (1 << 20) / opening.utf8.count)).isEmpty)
        #expect(!faults("title: " + String(repeating: opening, count: 20_000)).isEmpty)
    }

    @Test("a text on one line is read in proportion to its length, also with faults and a no-break space", arguments: [false, true])
    func longLine(isFaulty: Bool) throws {
        let item = "[" + String(repeating: "a", count: 40) + "], "
        // Each fault is in front of the one that is found before it.
        let chapter = "{over: x, at: y, no: 1}, "
        let texts = [1000, 4000].map { count in
            isFaulty
                ? "{layers: [{tone: {}}], chapters: [" + String(repeating: chapter, count: count) + "]} # \u{A0}"
                : "[" + String(repeating: item, count: 5 * count) + "]"
        }
        func time(_ text: String) throws -> Duration {
            let begin = processorTime()
            #expect(!faults(text).isEmpty)
            return processorTime() - begin
        }
        // The best of a few rounds: a single one may include an interrupt.
        let rounds = try (0..<3).map { _ in try texts.map(time) }
        let times = [0, 1].map { index in rounds.map { $0[index] }.min()! }
        #expect(times[1] < times[0] * 8, "\(times)")
    }

    @Test("aliases that would multiply are refused before they are expanded")
    func aliases() {
        var text = "a: &a0 [x]\n"
        for n in 1..<30 { text += "b\(n): &a\(n) [*a\(n - 1), *a\(n - 1), *a\(n - 1)]\n" }
        #expect(faults(text + "? *a29\n: x\n") == [.sharedNode])
        #expect(faults(text) == [.sharedNode])
    }

    @Test("text with ampersands and asterisks is not an alias")
    func notAliases() {
        #expect(
            faults("title: rock & roll * 2, a*b &c\nlayers: [{tone: {}}] # *a *a *a *a *a *a *a *a *a *a *a *a *a *a *a *a *a &b") == [])
    }

    @Test("No-break spaces in text are text, and the minus of typeset text is a minus")
    func typesetText() throws {
        let text = "title: Nuit\u{A0}calme\u{202F}!\nlayers: [{tone: {gain: \u{2212}6}}]\n"
        let patch = try Patch.parse(text, file: "a.yaml")
        #expect(patch.details.title == "Nuit\u{A0}calme\u{202F}!")
        #expect(patch.layers[0].values[.gain] == -6)
    }

    @Test("an invalid escape is a fault", arguments: ["\\uD800", "\\U00110000", "\\xZZ", "\\q"])
    func escapes(escape: String) {
        #expect(!faults("title: \"\(escape)\"\nlayers: [{tone: {}}]").isEmpty)
    }

    @Test("a thousand duplicate keys end in a message")
    func manyDuplicates() {
        let text = (0..<1000).map { "k\($0 % 100): 1\n" }.joined()
        #expect(faults(text).contains { if case .duplicateKey = $0 { true } else { false } })
    }

    @Test("messages stop at a limit and say how many more there are")
    func limit() throws {
        let text = (0..<200).map { "k\($0): 1\n" }.joined()
        let error = try #require(throws: Diagnostics.self) { try Patch.parse(text, file: "a.yaml") }
        #expect(error.all.count == Diagnostics.limit)
        #expect(error.omitted == 201 - Diagnostics.limit)
        #expect(error.description.hasSuffix("\n… and 151 more."))
    }

    @Test("a patch truncated anywhere is refused or complete, and never a crash")
    func cutShort() {
        let bytes = Array(sample.utf8)
        #expect(faults(bytes) == [])
        for count in 0..<bytes.count { _ = faults(Array(bytes[..<count])) }
        // Before its layers are complete it is not a valid patch.
        let layers = sample.utf8.count - sample[sample.range(of: "gain: -20")!.lowerBound...].utf8.count
        for count in 0..<(layers - 20) { #expect(!faults(Array(bytes[..<count])).isEmpty, "\(count)") }
    }

    @Test("a patch with damaged bytes is refused or read, and never a crash")
    func damaged() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<3000 {
            var bytes = Array(sample.utf8)
            for _ in 0..<(1 + Int(random.next() % 4)) {
                let at = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: at)
                default: bytes.insert(Array("&*[]{}:-?!|>%@`\"'#,\n\t \u{0}".utf8)[Int(random.next() % 22)], at: at)
                }
            }
            for fault in faults(bytes) { #expect(!fault.words.found.isEmpty) }
        }
    }
}
