import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// A message without arguments reads a property and presses a command; through a pattern it only reads.
@Suite("Patterns without arguments")
struct PatternQuestionTests {
    /// Every pattern target of the table: of layers for one by number, and for the selected one.
    private static let paths = AddressTable.standard.rows.filter(\.isPatternTarget).flatMap { row in
        row.isOfLayer ? ["1", "11", "selected"].map { row.path.replacing("/N/", with: "/\($0)/") } : [row.path]
    }

    /// The path with one of its parts, or all of them, written as a pattern in each of the forms.
    private static func patterns(_ path: String) -> [String] {
        let parts = ["binaural"] + path.split(separator: "/").map(String.init)
        let forms: [(String) -> String] = [
            { _ in "*" }, { "\($0.prefix(1))*" }, { String(repeating: "?", count: $0.count) }, { "[\($0.prefix(1))]\($0.dropFirst())" },
            { "[!_]\($0.dropFirst())" }, { "{\($0)}" }, { "{nothing,\($0)}" },
        ]
        let single = parts.indices.flatMap { part in
            forms.map { form in parts.indices.map { $0 == part ? form(parts[$0]) : parts[$0] } }
        }
        return (single + forms.map { parts.map($0) }).map { "/" + $0.joined(separator: "/") }
    }

    /// Plays with edits that can be undone and redone, so that each command that acts would change something.
    private func server() -> TestServer {
        let server = TestServer()
        server.send("play")
        for layer in ["1", "11"] {
            server.send("layer/\(layer)/gain", .float(-30))
            server.send("layer/\(layer)/gain", .float(-31), .float(5))
        }
        server.send("layer/select", .int32(2))
        server.send("layer/2/gain", .float(-32))
        server.send("undo")
        server.drop()
        server.receiver.performed = []
        return server
    }

    @Test("They change neither the player nor its history, whatever address they match", arguments: paths)
    func changeNothing(path: String) {
        let server = server()
        let before = server.receiver.player.state
        for pattern in Self.patterns(path) {
            server.receive(.message(OSCMessage(pattern)))
            server.receive(.bundle(OSCBundle(messages: [OSCMessage(pattern), OSCMessage(pattern)])))
            #expect(server.receiver.performed.isEmpty, "\(pattern) gave \(server.receiver.performed)")
            server.receiver.performed = []
        }
        server.receive(
            .bundle(OSCBundle(timeTag: server.now.timeTag.advanced(bySeconds: 0.01), messages: Self.patterns(path).map { OSCMessage($0) })))
        server.server.tick(at: Instant(seconds: server.now.seconds + 0.02, timeTag: server.now.timeTag.advanced(bySeconds: 0.02)))
        #expect(server.receiver.performed.isEmpty)
        #expect(server.receiver.player.state == before)
        #expect(server.receiver.player.state.history == before.history)
    }

    @Test("They read every matching value, and skip commands")
    func read() {
        let server = server()
        server.send("layer/1/*")
        let sent = server.messages()
        #expect(sent.contains { $0.address == "layer/1/gain" })
        #expect(sent.contains { $0.address == "layer/1/mute" })
        #expect(sent.allSatisfy { $0.address.hasPrefix("layer/1/") })
        #expect(server.receiver.performed.isEmpty)
    }

    @Test(
        "If they match only commands, the answer is 400 and says how to press them",
        arguments: ["layer/*/reset", "layer/1/r*t", "*/?/{reset}"])
    func onlyCommands(pattern: String) {
        let server = server()
        server.send(pattern)
        let sent = server.messages()
        #expect(sent.map { $0.arguments.dropFirst().first } == [.int32(400)])
        #expect(sent.first?.arguments.last?.text.contains("send 1 to press") == true)
        #expect(server.receiver.performed.isEmpty)
    }

    @Test("With an argument they press: 1 presses, 0 releases; and a plain address without arguments presses")
    func pressed() {
        let server = server()
        server.send("layer/{1,3}/reset", .int32(0))
        #expect(server.receiver.performed.isEmpty)
        server.send("layer/{1,3}/reset", .float(1))
        #expect(server.receiver.performed == [.reset(layer: 0), .reset(layer: 2)])
        server.send("layer/11/reset")
        #expect(server.receiver.performed.last == .reset(layer: 10))
    }

    @Test(
        "A MIDI controller cannot be mapped to a pattern, and an existing mapping to a pattern has no effect",
        arguments: ["layer/1/*", "layer/*/reset"])
    func controllers(pattern: String) {
        let server = server()
        for (address, arguments) in [("midi/learn", [.string(pattern)]), ("midi/map", [.int32(7), .string(pattern)])]
            as [(String, [OSCArgument])]
        {
            server.receive(.message(OSCMessage("/binaural/" + address, arguments)))
        }
        #expect(server.messages().map { $0.arguments[1] } == [.int32(404), .int32(404)])
        var results: [CommandResult] = []
        server.server.move(pattern, to: ControllerPosition(127, before: 0), by: "midi", at: server.now) { results.append($0) }
        #expect(results.map(\.status) == [.unknownAddress])
        #expect(server.receiver.performed.isEmpty)
    }

    @Test("A subscription to a pattern also reads, and reports nothing about commands")
    func subscribed() {
        let server = server()
        server.send("subscribe", .string("/binaural/layer/1/*"))
        server.advance(seconds: 1)
        #expect(server.messages().contains { $0.address == "layer/1/gain" })
        #expect(server.receiver.performed.isEmpty)
    }
}

extension OSCArgument {
    var text: String { if case .string(let text) = self { text } else { "" } }
}
