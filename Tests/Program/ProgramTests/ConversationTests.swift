import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

@Suite("The worked example in docs/osc.md", .ownThread)
struct ConversationTests {
    @Test("The server answers the messages of the worked example as the page says")
    func conversation() async throws {
        try await JACKServer.run { server in
            let play = try PlayRun(server)
            defer { play.keep() }
            let program = try play.start("welcome", "--paused")
            let asker = try await Asker(program)
            var count = 0
            for line in try MarkdownBlock.all(in: "docs/osc.md").flatMap(\.lines) {
                if line.hasPrefix("→ ") {
                    asker.send(try Self.message(line))
                    count += 1
                } else if line.hasPrefix("← ") {
                    let expected = try Self.message(line.replacing(" 30 9000", with: " 30 \(asker.port)"))
                    let found = try asker.next { Self.isLike($0, expected) }
                    #expect(found == nil, "\(line): before it came \(found.map { "\($0)" } ?? "")")
                }
            }
            #expect(count >= 7)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0))
        }
    }

    @Test("the bytes are those of the messages before them")
    func bytes() throws {
        let lines = try MarkdownBlock.all(in: "docs/osc.md").flatMap(\.lines)
        let hexadecimal = lines.filter { $0.wholeMatch(of: /([0-9a-f]{2} ?)+/) != nil }
        let read = try lines.filter { $0.contains(" /binaural/layer/1/beat") }.prefix(2).map(Self.message)
        #expect(hexadecimal.count == 2)
        for (line, message) in zip(hexadecimal, read) {
            let bytes = OSCMessage("/binaural/" + message.address, message.arguments).encoded
            #expect(line == bytes.map { String(format: "%02x", $0) }.joined(separator: " "))
        }
    }

    /// A line such as `← /binaural/layer/1/beat ,f 6`, with the address below the root.
    private static func message(_ line: String) throws -> OSCMessage {
        let fields = line.dropFirst(2).matches(of: /"[^"]*"|[^ ]+/).map { String($0.output).replacing("\"", with: "") }
        let tags = fields.count > 1 ? Array(fields[1].dropFirst()) : []
        let arguments = try zip(tags, fields.dropFirst(2)).map { tag, text -> OSCArgument in
            switch tag {
            case "i": .int32(try Int32(text).orThrow(line))
            case "h": .int64(try Int64(text).orThrow(line))
            case "f": .float(try Float(text).orThrow(line))
            default: .string(text)
            }
        }
        return OSCMessage(String(fields[0].dropFirst("/binaural/".count)), arguments)
    }

    /// Equal, apart from the boot id and the sentence of an error.
    private static func isLike(_ message: OSCMessage, _ expected: OSCMessage) -> Bool {
        guard message.address == expected.address, message.typeTags == expected.typeTags else { return false }
        switch message.address {
        case "alive": return message.arguments.last == expected.arguments.last
        case "error": return message.arguments.dropLast() == expected.arguments.dropLast()
        default: return message == expected
        }
    }
}
