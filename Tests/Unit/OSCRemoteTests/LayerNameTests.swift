import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// Layers by their names: `layer/bed/gain` beside `layer/1/gain`.
@Suite("Layers by name")
struct LayerNameTests {
    private let server = TestServer()

    /// A server whose current item has layers of these names.
    private func server(_ names: String...) -> TestServer {
        let server = TestServer()
        let patch = Patch(layers: names.map { Layer(name: $0, kind: .tone, values: [.gain: -20]) })
        server.rearrange { $0.items[0] = QueueItem(reference: "named", patch: patch) }
        return server
    }

    private func code(_ server: TestServer, _ address: String, _ arguments: OSCArgument...) -> (code: Int32, sentence: String) {
        server.drop()
        server.receive(.message(OSCMessage("/binaural/replies", [.int32(2)])))
        server.drop()
        server.receive(.message(OSCMessage("/binaural/" + address, arguments)))
        for message in server.messages() where ["error", "reply"].contains(message.address) {
            if case .int32(let code) = message.arguments[1] { return (code, message.arguments[2].text) }
        }
        return (-1, "")
    }

    static let rows = AddressTable.standard.rows.filter(\.isOfLayer).map(\.path)

    @Test("Every address of a layer is the same by name and by number", arguments: rows)
    func everyRow(path: String) {
        for (index, layer) in Patch.deep.layers.enumerated() {
            let (byNumber, byName) = (TestServer(), TestServer())
            byNumber.send(path.replacing("/N/", with: "/\(index + 1)/"))
            byName.send(path.replacing("/N/", with: "/\(layer.name)/"))
            #expect(byNumber.receiver.performed == byName.receiver.performed)
            let answered = byName.messages()
            #expect(
                byNumber.messages().map(\.arguments).map { $0.map(\.described) } == answered.map(\.arguments).map { $0.map(\.described) },
                "\(path)")
        }
    }

    @Test("A question by name is answered on the address that was asked; a command too")
    func sameAddress() {
        server.send("replies", .int32(2))
        server.drop()
        server.send("layer/bed/gain", .float(-30))
        #expect(server.receiver.performed == [.set(Setting(layer: 0, parameter: .gain, value: -30), ramp: nil)])
        #expect(server.messages().map { $0.arguments.first } == [.string("/binaural/layer/bed/gain")])
        server.send("layer/bed/gain")
        #expect(server.messages() == [OSCMessage("layer/bed/gain", [.float(-30)])])
        server.send("touch/layer/bed/gain", .int32(1))
        server.send("touch/layer/1/gain")
        #expect(server.messages().last == OSCMessage("touch/layer/1/gain", [.int32(1)]))
    }

    @Test("Subscribers are sent the numeric address, whatever name the change or the subscription came by; the sender gets no echo")
    func feedback() {
        server.send("subscribe", .string("layers"))
        server.send("subscribe", .string("/binaural/layer/bed/gain"), from: TestServer.other)
        #expect(server.messages(to: TestServer.other).contains(OSCMessage("layer/1/gain", [.float(-20)])))
        server.drop()
        server.send("layer/bed/gain", .float(-30))
        server.advance(seconds: 0.1)
        let answered = server.messages().map(\.address)
        #expect(answered.contains("layer/1/gain/norm"))
        #expect(!answered.contains("layer/1/gain"))
        #expect(!answered.contains { $0.contains("bed") })
        server.advance(seconds: 1)
        #expect(server.messages().map(\.address) == ["layer/1/gain"])
        #expect(server.messages(to: TestServer.other) == [OSCMessage("layer/1/gain", [.float(-30)])])
    }

    @Test("A subscription to a layer by name follows the name to another item")
    func follows() {
        let server = server("bed", "rain")
        server.send("subscribe", .string("/binaural/layer/rain/gain"))
        server.drop()
        server.rearrange {
            $0.items[0] = QueueItem(
                reference: "other",
                patch: Patch(layers: ["rain", "bed"].map { Layer(name: $0, kind: .tone, values: [.gain: -7]) }))
        }
        server.advance(seconds: 1)
        #expect(server.messages().contains(OSCMessage("layer/1/gain", [.float(-7)])))
    }

    @Test("Patterns match numbers and names, each layer once, and are answered by number")
    func patterns() {
        func answered(_ pattern: String, _ server: TestServer) -> [String] {
            server.drop()
            server.send(pattern)
            return server.messages().map(\.address)
        }
        #expect(answered("layer/{bed,rain}/gain", server) == ["layer/1/gain", "layer/2/gain"])
        #expect(answered("layer/{bed,1}/gain", server) == ["layer/1/gain"])
        #expect(answered("layer/b*/gain", server) == ["layer/1/gain", "layer/6/gain", "layer/10/gain"])
        #expect(answered("layer/bed/[gp]a*", server) == ["layer/1/gain", "layer/1/pan"])
        #expect(answered("layer/*/kind", server).count == 11)
        #expect(answered("layer/[12]/gain", server) == ["layer/1/gain", "layer/2/gain"])
        // Names that are never names are not matched either.
        let odd = self.server("2", "selected", "x")
        #expect(answered("layer/[2]/gain", odd) == ["layer/2/gain"])
        #expect(answered("layer/sel*/gain", odd) == ["error"])
    }

    @Test("A number is always an index, and selected the selected layer, even if layers are named so")
    func reserved() {
        let server = server("2", "selected", "1e0", "007")
        for (part, layer) in [("2", 2), ("selected", 1), ("1e0", 3), ("1", 1)] {
            server.send("layer/\(part)/gain", .float(-40))
            #expect(server.receiver.performed.last == .set(Setting(layer: layer - 1, parameter: .gain, value: -40), ramp: nil), "\(part)")
        }
        server.receiver.performed = []
        for part in ["007", "0", "99999999999999999999", "00"] {
            let answer = code(server, "layer/\(part)/gain", .float(-1))
            #expect(answer.code == 404, "\(part): \(answer)")
            #expect(answer.sentence.contains("1, 2 and so on"), "\(part): \(answer)")
        }
        #expect(server.receiver.performed.isEmpty)
    }

    @Test("A name that two layers have is refused with their numbers, and sets neither")
    func ambiguous() {
        let server = server("bed", "rain", "bed")
        let answer = code(server, "layer/bed/gain", .float(-1))
        #expect(answer.code == 400)
        #expect(answer.sentence == "2 layers are named 'bed'. Use their numbers: layer/1, layer/3.")
        #expect(server.receiver.performed.isEmpty)
        #expect(code(server, "layer/bed").code == 400)
    }

    @Test("Names are compared letter by letter; a misspelt one is refused with the nearest")
    func misspelt() {
        #expect(code(server, "layer/Bed/gain").sentence == "There is no layer 'Bed': did you mean bed?")
        #expect(code(server, "layer/bde/gain", .float(-1)) == (404, "There is no layer 'bde': did you mean bed?"))
        #expect(code(server, "layer/violins/gain") == (404, "There is no layer 'violins': layer/*/name lists the names."))
        let empty = TestServer()
        empty.rearrange { ($0.items, $0.currentIndex) = ([], nil) }
        #expect(code(empty, "layer/bed/gain").code == 100)
    }

    @Test(
        "A name that no layer has is not an address, and changes nothing",
        arguments: [
            "layer//gain", "layer/a b/gain", "layer/bäd/gain", "layer/-/gain", "layer/bed//gain", "layer/bed/gain/", "layer/bed%00/gain",
            "layer/" + String(repeating: "x", count: 65) + "/gain", "layer/bed/layer/bed/gain", "touch/bed/gain", "bed/gain",
            "layer/layer/layer",
        ])
    func noName(address: String) {
        // A space or a letter beyond ASCII makes the packet malformed.
        let isMalformed = address.utf8.contains { $0 == 0x20 || $0 >= 0x80 }
        #expect(code(server, address, .float(-1)).code == (isMalformed ? 400 : 404))
        #expect(server.receiver.performed.isEmpty)
    }

    @Test("describe takes a name, and describes the layer's addresses under it")
    func described() {
        server.send("describe", .string("layer/rain"))
        let answered = server.messages().filter { $0.address == "describe" }.map { $0.arguments[0].text }
        server.send("describe", .string("layer/2"))
        #expect(
            answered
                == server.messages().filter { $0.address == "describe" }.map {
                    $0.arguments[0].text.replacing("layer/2", with: "layer/rain")
                }
        )
        #expect(answered.contains("layer/rain/gain"))
        server.send("describe", .string("layer/nobody"))
        #expect(server.messages().map(\.address) == ["describe/end"])
    }

    @Test("A MIDI controller of a name moves the layer of that name, and is refused while there is none")
    func controller() {
        server.send("midi/map", .int32(7), .string("layer/rain/gain"))
        #expect(server.receiver.player.state.controllers.map(\.address) == ["layer/rain/gain"])
        var results: [CommandStatus] = []
        func turn() {
            server.server.move("layer/rain/gain", to: ControllerPosition(127, before: nil), by: "midi", at: server.now) {
                results.append($0.status)
            }
        }
        turn()
        #expect(server.receiver.performed.last == .set(Setting(layer: 1, parameter: .gain, value: 0), ramp: nil))
        server.rearrange { $0.currentIndex = 1 }
        turn()
        #expect(results == [.success, .unknownAddress])
        #expect(AddressTable.standard.fault(ofController: "layer/0/gain") != nil)
    }
}

extension OSCArgument {
    /// The argument as text, without the addresses in errors, which differ by the name.
    fileprivate var described: String {
        if case .string(let text) = self, text.hasPrefix("/binaural/") { return "" }
        return "\(self)"
    }
}
