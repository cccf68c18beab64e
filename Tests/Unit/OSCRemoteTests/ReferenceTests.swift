import Foundation
import OSC
import OSCRemote
import Playback
import TestSupport
import Testing

@Suite("The reference in the docs")
struct ReferenceTests {
    @Test("docs/osc.md is generated from the table")
    func reference() throws {
        let path = PackageRoot.file("docs/osc.md")
        let expected = AddressTable.standard.markdown
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            try FileManager.default.createDirectory(atPath: PackageRoot.file("docs"), withIntermediateDirectories: true)
            try expected.write(toFile: path, atomically: true, encoding: .utf8)
            Issue.record("docs/osc.md was not there and has been written: look at it, and run the test again")
            return
        }
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
        for row in AddressTable.standard.rows {
            #expect(Self.isThere(row.path, lines), "docs/osc.md lacks \(row.path)")
        }
        #expect(text == expected, "docs/osc.md is not what the table makes: binaural osc-table > docs/osc.md")
    }

    /// Whether a path has a line of a table, or accompanies one that is marked there.
    private static func isThere(_ path: String, _ lines: [Substring]) -> Bool {
        if lines.contains(where: { $0.hasPrefix("| `\(path)` |") }) { return true }
        // The seventh part of a line is its marks.
        func isMarked(_ owner: String, _ mark: String) -> Bool {
            lines.contains { line in
                let cells = line.split(separator: "|")
                return line.hasPrefix("| `\(owner)` |") && cells.count > 6 && cells[6].contains(mark)
            }
        }
        if path.hasSuffix("/enabled") { return isMarked(String(path.dropLast("/enabled".count)), "enabled") }
        guard path.hasPrefix("touch/") else { return false }
        let control = String(path.dropFirst("touch/".count))
        return isMarked(control.hasSuffix("/norm") ? String(control.dropLast("/norm".count)) : control, "touch")
    }

    @Test("It explains each code, the server's own messages, the topics, and which addresses accept ramps")
    func sections() {
        let text = AddressTable.standard.markdown
        for status in CommandStatus.allCases { #expect(text.contains("| \(status.rawValue) | \(status) | \(status.meaning) |")) }
        for answer in Answer.all { #expect(text.contains("- `\(answer.path)` `,\(answer.typeTags)` \(answer.meaning)")) }
        for group in Topic.Group.allCases { #expect(text.contains("- `\(group.form)`: ")) }
        #expect(text.contains("| `layer/N/beat/norm` | 0 to 40 Hz, linear. |"))
        #expect(text.contains("| `master/gain` | `,f` gain [*ramp*] |"))
        #expect(text.contains("256 messages of a peer"))
    }

    @Test("It names the responders that a reply can name, and the names behind indices")
    func names() throws {
        let text = AddressTable.standard.markdown
        let chain = ResponderChain()
        let responders: [any Responder] = [PlaybackResponder(), chain.layer(0), chain.patch, chain.item, chain.queue, chain.application]
        let known = responders.map { $0.name == "layer/1" ? "layer/N" : $0.name } + ["server"]
        let lines = text.components(separatedBy: "| responder |")[1].split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(lines.prefix(7).map { String($0.split(separator: "`")[1]) } == known)
        for row in AddressTable.standard.rows {
            guard case .choice(let names)? = row.inputs.first?.kind else { continue }
            for (index, name) in names.enumerated() { #expect(text.contains("\(index) \(name)"), "\(row.path)") }
        }
    }

    @Test("No sentence occurs more than four times in the table")
    func repetition() {
        let sentences = AddressTable.standard.markdown.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .flatMap { $0.split(separator: "|").last?.split(separator: ". ") ?? [] }.map { $0.trimmingCharacters(in: [" ", "."]) }
        let counts = Dictionary(sentences.map { ($0, 1) }, uniquingKeysWith: +)
        for (sentence, count) in counts where sentence.contains(" ") && !sentence.contains("in equal ") {
            #expect(count <= 4, "\(count) times: \(sentence)")
        }
    }

    @Test("Every message that the server sends is an address of the table or one of these answers, with the documented types")
    func answers() throws {
        let server = TestServer()
        server.send("replies", .int32(2))
        server.send("hello", .string("a phone"), .blob([UInt8](repeating: 0, count: 64)))
        for topic in ["layers", "session"] { server.send("subscribe", .string(topic)) }
        server.send("unsubscribe", .string("session"))
        for path in [
            "ping", "queue/list", "session/list", "patch/list", "peer/list", "chapter/list", "bookmark/list", "course/place/list",
            "course/point/list",
            "nowhere", "session/save",
        ] {
            server.send(path)
        }
        server.send("bookmark", .int32(1))
        server.send("bookmark/list")
        server.send("preset/save", .string("dawn"))
        server.send("preset/list")
        server.send("midi/map", .int32(7), .string("master/gain"))
        server.send("midi/list")
        server.send("queue/play", .int32(1))
        server.send("describe", .string("play"))
        server.send("describe", .string("repeat"))
        server.send("sync", .int32(1))
        for answer in server.receiver.waitingForSound { answer() }
        server.receive(
            .bundle(
                OSCBundle(messages: [
                    OSCMessage("/binaural/ramp/id", [.int32(3)]), OSCMessage("/binaural/layer/1/beat", [.float(4), .float(0.5)]),
                ])))
        server.advance(seconds: 10)
        server.send("subscribe", .string("jack"), .int32(0), .int32(1), from: TestServer.other)
        server.advance(seconds: 15)
        server.server.close(reason: "quit", at: server.now)
        let root = "/binaural/"
        let said = server.packetsToAll().flatMap { Self.messages(in: try? OSCPacket(decoding: $0)) }
        var missing = Set(Answer.all.map(\.path))
        for message in said {
            let path = String(message.address.dropFirst(root.count))
            if let answer = Answer.all.first(where: { $0.path == path }) {
                #expect(message.typeTags == answer.typeTags, "\(path)")
                missing.remove(path)
            } else {
                #expect(AddressTable.standard.row(at: path) != nil, "nothing is written of \(path)")
            }
        }
        #expect(missing.isEmpty)
    }

    private static func messages(in packet: OSCPacket?) -> [OSCMessage] {
        switch packet {
        case .message(let message): [message]
        case .bundle(let bundle): bundle.elements.flatMap { messages(in: $0) }
        case nil: []
        }
    }

    @Test("Session and file work reports its start and its end to the requesting peer, whatever the result")
    func progress() {
        let server = TestServer()
        for (path, arguments) in [
            ("session/save", []), ("session/load", [.string("night")]), ("queue/add", [.string("rain")]), ("patch/save", [.string("mine")]),
        ]
            as [(String, [OSCArgument])]
        {
            server.receive(.message(OSCMessage("/binaural/" + path, arguments)))
            let sent = server.messages().filter { $0.address == "progress" }
            #expect(sent == [0, 1].map { OSCMessage("progress", [.string("/binaural/" + path), .float($0)]) })
            #expect(server.messages(to: TestServer.other).isEmpty)
        }
        server.send("play")
        #expect(server.messages().isEmpty)
        server.send("replies", .int32(0))
        server.send("session/save")
        #expect(server.isQuiet)
    }
}
