import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// Addresses such as `now` and `layer/1`, which others begin with.
@Suite("Inner nodes")
struct InnerNodeTests {
    private let server = TestServer()

    private func asked(_ address: String, _ server: TestServer) -> [OSCMessage] {
        server.drop()
        server.receive(.message(OSCMessage("/binaural/" + address)))
        return server.messages()
    }

    @Test("now answers everything that plays, as its addresses answer it")
    func now() {
        server.send("play")
        let answered = asked("now", server)
        #expect(answered.map(\.address) == AddressTable.standard.rows.map(\.path).filter { $0.hasPrefix("now/") })
        for message in answered { #expect(asked(message.address, server).first?.address == message.address) }
    }

    @Test("A layer answers its values by number, name or as the selected one, without the twins", arguments: ["1", "bed", "selected"])
    func layer(part: String) {
        let answered = asked("layer/\(part)", server)
        #expect(answered.allSatisfy { $0.address.hasPrefix("layer/\(part)/") })
        #expect(answered.contains(OSCMessage("layer/\(part)/gain", [.float(-20)])))
        #expect(answered.contains { $0.address.hasSuffix("/name") && $0.arguments == [.string("bed")] })
        #expect(!answered.contains { $0.address.hasSuffix("/norm") || $0.address == "error" })
        #expect(answered.contains { $0.address.hasSuffix("/beat") }, "a binaural layer")
        #expect(!answered.contains { $0.address.hasSuffix("/decay") }, "a binaural layer")
        #expect(asked("layer/\(part)/", server) == answered, "completion offers it with a slash")
    }

    @Test("layer answers the number of layers, the selected one, and each layer's name and kind")
    func layers() {
        let answered = asked("layer", server)
        #expect(answered.prefix(2).map(\.address) == ["layer/count", "layer/select"])
        #expect(answered.dropFirst(2).map(\.address) == (1...11).flatMap { ["layer/\($0)/name", "layer/\($0)/kind"] })
    }

    @Test("No answer has more than 64 messages, however many layers there are")
    func bounded() {
        let patch = Patch(layers: (1...1024).map { Layer(name: "n\($0)", kind: .tone) })
        server.rearrange { $0.items[0] = QueueItem(reference: "many", patch: patch) }
        #expect(asked("layer", server).count == 64)
        for address in ["touch", "touch/layer"] {
            let answered = asked(address, server)
            #expect(answered.count == 1, "\(address) answered \(answered)")
            #expect(answered.first?.arguments[1] == .int32(400), "\(address) answered \(answered)")
        }
        #expect(asked("layer/1024", server).count > 5)
    }

    /// Every node of the table.
    static let nodes = Set(
        AddressTable.standard.rows.flatMap { row in
            let parts = row.path.replacing("/N/", with: "/1/").split(separator: "/")
            return parts.indices.map { parts[..<$0].joined(separator: "/") }
        }
    ).subtracting([""]).subtracting(AddressTable.standard.rows.map { $0.path.replacing("/N/", with: "/1/") })

    @Test("They change nothing, whatever is below them", arguments: nodes.sorted())
    func changeNothing(node: String) {
        server.send("play")
        server.send("layer/1/gain", .float(-30))
        server.receiver.performed = []
        let before = server.receiver.player.state
        let answered = asked(node, server)
        #expect(!answered.isEmpty)
        #expect(answered.count <= 64)
        server.receive(.bundle(OSCBundle(messages: [OSCMessage("/binaural/\(node)"), OSCMessage("/binaural/\(node)/")])))
        server.receive(.message(OSCMessage("/binaural/\(node)", [.int32(1)])))
        server.receive(.message(OSCMessage("/binaural/\(node)/", [.float(0)])))
        #expect(server.receiver.performed.isEmpty)
        #expect(server.receiver.player.state == before)
    }

    @Test("With an argument, without readable values, or for a layer that does not exist, the answer is 404 and says so")
    func refused() {
        func error(_ address: String, _ arguments: OSCArgument...) -> [OSCArgument] {
            server.drop()
            server.receive(.message(OSCMessage("/binaural/" + address, arguments)))
            return Array(server.messages().last?.arguments.dropFirst() ?? [])
        }
        #expect(error("layer/1", .int32(1)).first == .int32(404))
        #expect(error("now", .string("x")).last?.text.contains("only be read") == true)
        #expect(error("preset") == [.int32(404), .string("There are only commands below this address: /binaural/describe lists them.")])
        #expect(error("layer/12") == [.int32(404), .string("There is no such layer: the current item has 11.")])
        #expect(error("layer/bde").last?.text == "There is no layer 'bde': did you mean bed?")
        #expect(error("nowhere").first == .int32(404))
        #expect(error("").first == .int32(404))
    }
}

/// A hint at the address that was meant.
@Suite("Misspelt addresses")
struct MisspeltAddressTests {
    static let cases: [(String, String?)] = [
        ("layer/1/gian", "layer/1/gain"), ("layer/bed/bet", "layer/bed/beat"), ("layr/1/gain", "layer/1/gain"), ("plya", "play"),
        ("master/gian", "master/gain"), ("Master/Gain", "master/gain"), ("now/titel", "now/title"), ("title", "now/title"),
        ("gain", "master/gain"), ("volume", "master/gain"), ("mute", "master/mute"),
        ("preferences/crosfade", "preferences/crossfade"), ("touch/layer/2/gian", "touch/layer/2/gain"),
        ("nothing/like/this", nil), ("", nil), ("/", nil), ("///////", nil), (String(repeating: "play", count: 16), nil),
    ]

    @Test("A misspelt address is answered with 404 and the nearest address, if there is one", arguments: cases)
    func suggestion(address: String, meant: String?) {
        let server = TestServer()
        server.receive(.message(OSCMessage("/binaural/" + address, [.float(0.5)])))
        let answered = server.messages().last?.arguments
        #expect(answered?[1] == .int32(404), "\(address)")
        guard let meant else {
            #expect(answered?[2].text.contains("did you mean") == false, "\(String(describing: answered))")
            return
        }
        #expect(answered?[2] == .string("There is no such address: did you mean \(meant)?"))
        #expect(server.receiver.performed.isEmpty)
    }

    @Test("A flood of misspelt addresses is answered no more often than other errors")
    func flood() {
        let server = TestServer()
        for number in 0..<20_000 { server.send("layer/1/gian\(number % 9)") }
        #expect(server.messages().count <= 20)
    }
}
