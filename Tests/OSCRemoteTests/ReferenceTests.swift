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
        for row in AddressTable.standard.rows { #expect(text.contains("| `\(row.path)` |"), "docs/osc.md lacks \(row.path)") }
        #expect(text == expected, "docs/osc.md is not what the table makes: binaural osc-table > docs/osc.md")
    }

    @Test("It explains each code, the server's own messages, the topics, and which addresses accept ramps")
    func sections() {
        let text = AddressTable.standard.markdown
        for status in CommandStatus.allCases { #expect(text.contains("| \(status.rawValue) | \(status) | \(status.meaning) |")) }
        for answer in Answer.all { #expect(text.contains("- `\(answer.path)` `,\(answer.typeTags)` \(answer.meaning)")) }
        for group in Topic.Group.allCases { #expect(text.contains("- `\(group.form)`: ")) }
        #expect(text.contains("`layer/N/beat/norm`, "))
        #expect(text.contains("256 messages of a peer"))
    }

    @Test("Every message that the server sends is an address of the table or one of these answers, with the documented types")
    func answers() throws {
        let rig = Rig()
        rig.send("replies", .int32(2))
        rig.send("hello", .string("a phone"), .blob([UInt8](repeating: 0, count: 64)))
        for topic in ["layers", "session"] { rig.send("subscribe", .string(topic)) }
        rig.send("unsubscribe", .string("session"))
        for path in ["ping", "queue/list", "session/list", "nowhere", "session/save"] { rig.send(path) }
        rig.send("preset/save", .string("dawn"))
        rig.send("preset/list")
        rig.send("midi/map", .int32(7), .string("master/gain"))
        rig.send("midi/list")
        rig.send("describe", .string("play"))
        rig.send("describe", .string("repeat"))
        rig.send("sync", .int32(1))
        for answer in rig.studio.waitingForSound { answer() }
        rig.receive(
            .bundle(
                Bundle(messages: [
                    Message("/binaural/ramp/id", [.int32(3)]), Message("/binaural/layer/1/beat", [.float(4), .float(0.5)]),
                ])))
        rig.advance(seconds: 10)
        rig.send("subscribe", .string("jack"), .int32(0), .int32(1), from: Rig.other)
        rig.advance(seconds: 15)
        rig.server.close(reason: "quit", at: rig.now)
        let root = "/binaural/"
        let said = rig.packetsToAll().flatMap { Self.messages(in: try? Packet(decoding: $0)) }
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

    private static func messages(in packet: Packet?) -> [Message] {
        switch packet {
        case .message(let message): [message]
        case .bundle(let bundle): bundle.elements.flatMap { messages(in: $0) }
        case nil: []
        }
    }

    @Test("Session and file work reports its start and its end to the requesting peer, whatever the result")
    func progress() {
        let rig = Rig()
        for (path, arguments) in [("session/save", []), ("session/load", [.string("night")]), ("queue/add", [.string("rain")])]
            as [(String, [Argument])]
        {
            rig.receive(.message(Message("/binaural/" + path, arguments)))
            let told = rig.messages().filter { $0.address == "progress" }
            #expect(told == [0, 1].map { Message("progress", [.string("/binaural/" + path), .float($0)]) })
            #expect(rig.messages(to: Rig.other).isEmpty)
        }
        rig.send("play")
        #expect(rig.messages().isEmpty)
        rig.send("replies", .int32(0))
        rig.send("session/save")
        #expect(rig.isQuiet)
    }
}
