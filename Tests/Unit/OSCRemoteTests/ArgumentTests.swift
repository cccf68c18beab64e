import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// An address accepts exactly its arguments: nothing that is sent is dropped or changed silently.
@Suite("Arguments of every row")
struct ArgumentTests {
    private static func address(_ row: Row, layer: String = "1") -> String { "/binaural/" + row.path.replacing("/N/", with: "/\(layer)/") }

    private func errors(_ server: TestServer, to peer: Endpoint = TestServer.local) -> [(code: Int32, text: String)] {
        server.messages(to: peer).filter { $0.address == "error" }.compactMap { message in
            guard case .int32(let code) = message.arguments[1] else { return nil }
            return (code, message.arguments[2].text)
        }
    }

    /// Valid arguments for the row, as many as it takes.
    private static func good(_ row: Row) -> [OSCArgument] {
        row.inputs.map { input in
            switch input.kind {
            case .press, .flag: .float(1)
            case .number(let quantity), .bounded(let quantity): .float(Float(quantity.range.lowerBound))
            case .integer, .index, .exact, .choice, .note: .float(1)
            case .text where input.name == "topic": .string("mixer")
            case .text where input.name == "address": .string("master/gain")
            case .text, .entry: .string("x")
            case .timeTag: .timeTag(TestServer.start)
            case .blob: .blob([1])
            }
        }
    }

    // MARK: Too many

    @Test("One argument more than a row takes is 400 without any effect, and so are twenty", arguments: AddressTable.standard.rows.indices)
    func tooMany(index: Int) {
        let row = AddressTable.standard.rows[index]
        for surplus in [[OSCArgument.float(1)], [.string("x")], [.nil], [.false], Array(repeating: .int32(0), count: 20)] {
            let arguments = Self.good(row) + surplus
            let server = TestServer()
            let before = server.receiver.player.state
            server.receive(.message(OSCMessage(Self.address(row), arguments)))
            let received = server.messages()
            // Arguments that are just those of an answer are another server's.
            if received.isEmpty {
                #expect(row.access == .read && arguments.count == row.outputs.count || row.outputs.hasSuffix("…"), "\(row.path)")
                continue
            }
            #expect(received.map(\.address) == ["error"], "\(row.path): \(received)")
            #expect(received.first?.arguments.dropFirst().first == .int32(400), "\(row.path): \(received)")
            #expect(server.receiver.performed.isEmpty, "\(row.path)")
            #expect(server.receiver.player.state == before, "\(row.path)")
        }
    }

    @Test("As many arguments as a row takes are accepted", arguments: AddressTable.standard.rows.indices)
    func enough(index: Int) {
        let row = AddressTable.standard.rows[index]
        guard row.access != .read else { return }
        let server = TestServer()
        server.receive(.message(OSCMessage(Self.address(row), Self.good(row))))
        #expect(!errors(server).contains { $0.text.contains("Too many") }, "\(row.path)")
    }

    @Test(
        "The error says which arguments are too many, and how to send the command",
        arguments: [
            (
                "preset/save", [.string("my"), .string("preset")],
                "Too many arguments: 2 instead of at most 1. Put a text with spaces in quotes."
            ),
            (
                "session/load", [.string("deep"), .string("sleep")],
                "Too many arguments: 2 instead of at most 1. Put a text with spaces in quotes."
            ),
            (
                "preset/load", [.string("a"), .string("b"), .string("c")],
                "Too many arguments: 3 instead of at most 1. Put a text with spaces in quotes."
            ),
            ("play", [.int32(1), .int32(0)], "Too many arguments: 2 instead of at most 1. Send 1 to press, 0 to release."),
            (
                "layer/1/beat", [.float(4), .float(1), .string("linear"), .float(0)],
                "Too many arguments: 4 instead of at most 3. Send beat, ramp, easing."
            ),
            ("now/title", [.int32(5)], "This can only be read: send the address without arguments."),
            ("layer/1/name", [.float(5)], "This can only be read: send the address without arguments."),
        ] as [(String, [OSCArgument], String)])
    func sentence(path: String, arguments: [OSCArgument], text: String) {
        let server = TestServer()
        server.receive(.message(OSCMessage("/binaural/" + path, arguments)))
        #expect(errors(server).map(\.text) == [text])
    }

    @Test("In a bundle, a message with too many arguments is refused and the others are applied; through a pattern each address refuses it")
    func elsewhere() {
        let server = TestServer()
        server.receive(
            .bundle(
                OSCBundle(messages: [
                    OSCMessage("/binaural/layer/1/mute", [.int32(1), .int32(1)]), OSCMessage("/binaural/layer/2/mute", [.int32(1)]),
                    OSCMessage("/binaural/layer/{3,4}/mute", [.int32(1), .int32(1)]),
                ])))
        #expect(server.receiver.performed == [.mute(layer: 1, true)])
        #expect(errors(server).map(\.code) == [400, 400, 400])
    }

    @Test("The role is checked first: a peer that lacks it does not learn about arguments")
    func denied() {
        let server = TestServer { $0.localRole = .view }
        server.send("play", .int32(1), .int32(1))
        #expect(errors(server).map(\.code) == [401])
    }

    @Test("A settable address accepts its own answer: two servers subscribed to each other refuse nothing")
    func echoes() {
        for row in AddressTable.standard.rows where row.access == .readWrite {
            for layer in row.isOfLayer ? (1...11).map(String.init) : ["1"] {
                let server = TestServer()
                server.receive(.message(OSCMessage(Self.address(row, layer: layer))))
                for answer in server.messages() where answer.address != "error" {
                    server.receive(.message(OSCMessage("/binaural/" + answer.address, answer.arguments)))
                    #expect(!errors(server).contains { $0.code == 400 && $0.text.contains("Too many") }, "\(row.path) \(answer)")
                }
            }
        }
    }

    // MARK: Whole numbers

    /// Every argument of every row that names one of several by number.
    private static let names: [(row: Int, input: Int)] = AddressTable.standard.rows.enumerated().flatMap { index, row in
        row.inputs.indices.filter { input in
            switch row.inputs[input].kind {
            case .index, .exact, .choice, .entry: true
            default: false
            }
        }.map { (index, $0) }
    }

    @Test("An index with a fraction is 400 without any effect", arguments: names)
    func fractions(row: Int, input: Int) {
        let row = AddressTable.standard.rows[row]
        for number in [OSCArgument.float(1.5), .float(0.001), .double(2.0000001), .float(-0.5), .float(.nan), .float(.infinity)] {
            let server = TestServer()
            var arguments = Array(Self.good(row).prefix(input + 1))
            arguments[input] = number
            arguments += Self.good(row).dropFirst(input + 1).prefix(row.inputs[(input + 1)...].filter { !$0.isOptional }.count)
            server.receive(.message(OSCMessage(Self.address(row), arguments)))
            let received = errors(server)
            #expect(received.map(\.code) == [400], "\(row.path) \(arguments)")
            #expect(received.first?.text.contains(row.inputs[input].name) == true, "\(received)")
            #expect(server.receiver.performed.isEmpty)
        }
    }

    @Test("A whole index is the same as an integer, a float and a double", arguments: names)
    func whole(row: Int, input: Int) {
        let row = AddressTable.standard.rows[row]
        var outcomes: [[OSCMessage]] = []
        var performed: [[Command]] = []
        for number in [OSCArgument.int32(1), .int64(1), .float(1), .double(1), .true] {
            let server = TestServer()
            var arguments = Self.good(row)
            arguments[input] = number
            server.receive(.message(OSCMessage(Self.address(row), arguments)))
            outcomes.append(server.messages())
            performed.append(server.receiver.performed)
        }
        for index in outcomes.indices {
            #expect(outcomes[index] == outcomes[0], "\(row.path)")
            #expect(performed[index].count == performed[0].count)
            #expect(zip(performed[index], performed[0]).allSatisfy { $0.isClose(to: $1) })
        }
        #expect(!outcomes[0].contains { $0.address == "error" && $0.arguments[2].text.contains("whole") }, "\(row.path) \(outcomes[0])")
    }

    @Test(
        "An index outside a choice or an impossible one is 400; a place in an empty list is 100",
        arguments: [
            ("repeat", [.float(3)], 400), ("layer/1/wave", [.int32(-1)], 400), ("layer/1/beat", [.float(4), .float(1), .float(31)], 400),
            ("layer/1/beat", [.float(4), .float(1), .float(1e30)], 400), ("sync", [.int64(1 << 32)], 400), ("ping", [.double(1e300)], 400),
            ("midi/map", [.int32(128), .string("rate")], 400), ("midi/map", [.int32(-1), .string("rate")], 400),
            ("midi/map", [.int32(7), .string("rate"), .int32(17)], 400), ("queue/select", [.float(99)], 100),
            ("queue/select", [.int32(-3)], 100), ("queue/select", [.double(1e300)], 100), ("preset/load", [.float(3)], 100),
        ] as [(String, [OSCArgument], Int32)])
    func outOfRange(path: String, arguments: [OSCArgument], code: Int32) {
        let server = TestServer()
        server.receive(.message(OSCMessage("/binaural/" + path, arguments)))
        #expect(errors(server).map(\.code) == [code])
    }

    @Test("Lease seconds are a quantity: they are rounded, and reported as applied")
    func lease() {
        let server = TestServer()
        server.send("subscribe", .string("mixer"), .int32(0), .float(29.6))
        #expect(server.messages().first?.arguments[2] == .int32(30))
    }

    // MARK: Ramps

    private static let ramped = AddressTable.standard.rows.filter { $0.inputs.contains { $0.name == "ramp" } }

    @Test("A ramp below 0 or above a day is 400 with its range, and nothing changes", arguments: ramped.map(\.path))
    func ramps(path: String) {
        let address = "/binaural/" + path.replacing("/N/", with: "/*/")
        for seconds in [-0.001, -1, 86_400.01, 86_401, 1e9, 1e30, -1e30] {
            let server = TestServer()
            server.addEffects()
            server.receive(.message(OSCMessage(address, [.float(0.5), .double(seconds)])))
            let received = errors(server)
            #expect(!received.isEmpty, "\(seconds): \(received)")
            #expect(received.allSatisfy { $0.code == 400 && $0.text == "ramp has to be 0 to 86400 s." }, "\(seconds): \(received)")
            #expect(server.receiver.performed.isEmpty)
        }
        for seconds in [0, 0.001, 86_400] {
            let server = TestServer()
            server.addEffects()
            server.receive(.message(OSCMessage(address, [.float(0.5), .float(Float(seconds))])))
            #expect(errors(server).isEmpty, "\(seconds)")
            #expect(!server.receiver.performed.isEmpty, "\(seconds)")
        }
    }
}
