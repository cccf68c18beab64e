import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// Layers by their names: `layer/bed/gain` beside `layer/1/gain`.
@Suite("Layers by name")
struct LayerNameTests {
    private let rig = TestServer()

    /// A rig whose current item has layers of these names.
    private func rig(_ names: String...) -> TestServer {
        let rig = TestServer()
        let patch = Patch(layers: names.map { Layer(name: $0, kind: .tone, values: [.gain: -20]) })
        rig.rearrange { $0.items[0] = QueueItem(reference: "named", patch: patch) }
        return rig
    }

    private func code(_ rig: TestServer, _ address: String, _ arguments: OSCArgument...) -> (code: Int32, sentence: String) {
        rig.drop()
        rig.receive(.message(OSCMessage("/binaural/replies", [.int32(2)])))
        rig.drop()
        rig.receive(.message(OSCMessage("/binaural/" + address, arguments)))
        for message in rig.messages() where ["error", "reply"].contains(message.address) {
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
            let told = byName.messages()
            #expect(
                byNumber.messages().map(\.arguments).map { $0.map(\.described) } == told.map(\.arguments).map { $0.map(\.described) },
                "\(path)")
        }
    }

    @Test("A question by name is answered on the address that was asked; a command too")
    func sameAddress() {
        rig.send("replies", .int32(2))
        rig.drop()
        rig.send("layer/bed/gain", .float(-30))
        #expect(rig.receiver.performed == [.set(Setting(layer: 0, parameter: .gain, value: -30), ramp: nil)])
        #expect(rig.messages().map { $0.arguments.first } == [.string("/binaural/layer/bed/gain")])
        rig.send("layer/bed/gain")
        #expect(rig.messages() == [OSCMessage("layer/bed/gain", [.float(-30)])])
        rig.send("touch/layer/bed/gain", .int32(1))
        rig.send("touch/layer/1/gain")
        #expect(rig.messages().last == OSCMessage("touch/layer/1/gain", [.int32(1)]))
    }

    @Test("Subscribers are sent the numeric address, whatever name the change or the subscription came by; the sender gets no echo")
    func feedback() {
        rig.send("subscribe", .string("layers"))
        rig.send("subscribe", .string("/binaural/layer/bed/gain"), from: TestServer.other)
        #expect(rig.messages(to: TestServer.other).contains(OSCMessage("layer/1/gain", [.float(-20)])))
        rig.drop()
        rig.send("layer/bed/gain", .float(-30))
        rig.advance(seconds: 0.1)
        let told = rig.messages().map(\.address)
        #expect(told.contains("layer/1/gain/norm"))
        #expect(!told.contains("layer/1/gain"))
        #expect(!told.contains { $0.contains("bed") })
        rig.advance(seconds: 1)
        #expect(rig.messages().map(\.address) == ["layer/1/gain"])
        #expect(rig.messages(to: TestServer.other) == [OSCMessage("layer/1/gain", [.float(-30)])])
    }

    @Test("A subscription to a layer by name follows the name to another item")
    func follows() {
        let rig = rig("bed", "rain")
        rig.send("subscribe", .string("/binaural/layer/rain/gain"))
        rig.drop()
        rig.rearrange {
            $0.items[0] = QueueItem(
                reference: "other",
                patch: Patch(layers: ["rain", "bed"].map { Layer(name: $0, kind: .tone, values: [.gain: -7]) }))
        }
        rig.advance(seconds: 1)
        #expect(rig.messages().contains(OSCMessage("layer/1/gain", [.float(-7)])))
    }

    @Test("Patterns match numbers and names, each layer once, and are answered by number")
    func patterns() {
        func told(_ pattern: String, _ rig: TestServer) -> [String] {
            rig.drop()
            rig.send(pattern)
            return rig.messages().map(\.address)
        }
        #expect(told("layer/{bed,rain}/gain", rig) == ["layer/1/gain", "layer/2/gain"])
        #expect(told("layer/{bed,1}/gain", rig) == ["layer/1/gain"])
        #expect(told("layer/b*/gain", rig) == ["layer/1/gain", "layer/6/gain", "layer/10/gain"])
        #expect(told("layer/bed/[gp]a*", rig) == ["layer/1/gain", "layer/1/pan"])
        #expect(told("layer/*/kind", rig).count == 11)
        #expect(told("layer/[12]/gain", rig) == ["layer/1/gain", "layer/2/gain"])
        // Names that are never names are not matched either.
        let odd = self.rig("2", "selected", "x")
        #expect(told("layer/[2]/gain", odd) == ["layer/2/gain"])
        #expect(told("layer/sel*/gain", odd) == ["error"])
    }

    @Test("A number is always an index, and selected the selected layer, even if layers are named so")
    func reserved() {
        let rig = rig("2", "selected", "1e0", "007")
        for (part, layer) in [("2", 2), ("selected", 1), ("1e0", 3), ("1", 1)] {
            rig.send("layer/\(part)/gain", .float(-40))
            #expect(rig.receiver.performed.last == .set(Setting(layer: layer - 1, parameter: .gain, value: -40), ramp: nil), "\(part)")
        }
        rig.receiver.performed = []
        for part in ["007", "0", "99999999999999999999", "00"] {
            let answer = code(rig, "layer/\(part)/gain", .float(-1))
            #expect(answer.code == 404, "\(part): \(answer)")
            #expect(answer.sentence.contains("1, 2 and so on"), "\(part): \(answer)")
        }
        #expect(rig.receiver.performed.isEmpty)
    }

    @Test("A name that two layers have is refused with their numbers, and sets neither")
    func ambiguous() {
        let rig = rig("bed", "rain", "bed")
        let answer = code(rig, "layer/bed/gain", .float(-1))
        #expect(answer.code == 400)
        #expect(answer.sentence == "2 layers are named 'bed'. Use their numbers: layer/1, layer/3.")
        #expect(rig.receiver.performed.isEmpty)
        #expect(code(rig, "layer/bed").code == 400)
    }

    @Test("Names are compared letter by letter; a misspelt one is refused with the nearest")
    func misspelt() {
        #expect(code(rig, "layer/Bed/gain").sentence == "There is no layer 'Bed': did you mean bed?")
        #expect(code(rig, "layer/bde/gain", .float(-1)) == (404, "There is no layer 'bde': did you mean bed?"))
        #expect(code(rig, "layer/violins/gain") == (404, "There is no layer 'violins': layer/*/name lists the names."))
        let empty = TestServer()
        empty.rearrange { ($0.items, $0.currentIndex) = ([], nil) }
        #expect(code(empty, "layer/bed/gain").code == 100)
    }

    @Test(
        "What is no layer's name is no address, and changes nothing",
        arguments: [
            "layer//gain", "layer/a b/gain", "layer/bäd/gain", "layer/-/gain", "layer/bed//gain", "layer/bed/gain/", "layer/bed%00/gain",
            "layer/" + String(repeating: "x", count: 65) + "/gain", "layer/bed/layer/bed/gain", "touch/bed/gain", "bed/gain",
            "layer/layer/layer",
        ])
    func noName(address: String) {
        // A space or a letter beyond ASCII makes the packet malformed.
        let isMalformed = address.utf8.contains { $0 == 0x20 || $0 >= 0x80 }
        #expect(code(rig, address, .float(-1)).code == (isMalformed ? 400 : 404))
        #expect(rig.receiver.performed.isEmpty)
    }

    @Test("describe takes a name, and describes the layer's addresses under it")
    func described() {
        rig.send("describe", .string("layer/rain"))
        let told = rig.messages().filter { $0.address == "describe" }.map { $0.arguments[0].text }
        rig.send("describe", .string("layer/2"))
        #expect(
            told == rig.messages().filter { $0.address == "describe" }.map { $0.arguments[0].text.replacing("layer/2", with: "layer/rain") }
        )
        #expect(told.contains("layer/rain/gain"))
        rig.send("describe", .string("layer/nobody"))
        #expect(rig.messages().map(\.address) == ["describe/end"])
    }

    @Test("A MIDI controller of a name moves the layer of that name, and is refused while there is none")
    func controller() {
        rig.send("midi/map", .int32(7), .string("layer/rain/gain"))
        #expect(rig.receiver.player.state.controllers.map(\.address) == ["layer/rain/gain"])
        var results: [CommandStatus] = []
        func turn() {
            rig.server.turn("layer/rain/gain", to: ControllerPosition(127, before: nil), by: "midi", at: rig.now) {
                results.append($0.status)
            }
        }
        turn()
        #expect(rig.receiver.performed.last == .set(Setting(layer: 1, parameter: .gain, value: 0), ramp: nil))
        rig.rearrange { $0.currentIndex = 1 }
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
