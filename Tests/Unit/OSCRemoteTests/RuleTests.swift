import OSC
import OSCRemote
import Patches
import Playback
import Testing

@Suite("Rules of the contract")
struct RuleTests {
    private func codes(_ server: TestServer) -> [Int32] {
        server.messages().compactMap { message in
            guard ["error", "reply"].contains(message.address), case .int32(let code) = message.arguments[1] else { return nil }
            return code
        }
    }

    // MARK: Lenient in

    @Test(
        "Numbers may be sent as i, h, f, d, T or F",
        arguments: [
            (.int32(1), -1), (.int64(1), -1), (.float(1), -1), (.double(1), -1), (.true, -1), (.false, 0), (.float(0.25), -0.25),
        ] as [(OSCArgument, Double)])
    func interchangeable(argument: OSCArgument, expected: Double) {
        let server = TestServer()
        server.send("skip/by", argument)
        #expect(server.receiver.performed == [.skip(by: -expected)])
    }

    @Test(
        "No argument, a number above 0 and T are a press; 0, negative numbers and F are its release",
        arguments: [
            ([], true), ([.float(1)], true), ([.int32(127)], true), ([.true], true), ([.float(0)], false), ([.int32(-1)], false),
            ([.false], false),
        ]
            as [([OSCArgument], Bool)])
    func presses(arguments: [OSCArgument], isPress: Bool) {
        let server = TestServer()
        server.receive(.message(OSCMessage("/binaural/play", arguments)))
        #expect(server.receiver.performed == (isPress ? [.play] : []))
        #expect(server.isQuiet)
    }

    @Test(
        "Wrong kinds, NaN, infinity and missing arguments are 400 and change nothing",
        arguments: [
            ("play", [.string("now")]), ("play", [.nil]), ("play", [.float(.nan)]), ("skip/by", []), ("skip/by", [.float(.infinity)]),
            ("skip/by", [.blob([1])]), ("layer/1/beat", [.float(.nan)]), ("layer/1/beat", [.float(4), .double(-.infinity)]),
            ("layer/1/beat", [.float(4), .float(1), .string("sideways")]), ("layer/1/beat", [.float(4), .string("sineInOut")]),
            ("layer/1/beat", [.timeTag(.immediate)]), ("layer/1/xy", [.float(0.5)]), ("layer/1/note", [.string("H2")]),
            ("repeat", [.string("Off")]), ("repeat", [.int32(3)]), ("repeat", [.int32(-1)]), ("repeat", [.float(1e30)]),
            ("session/load", []), ("session/load", [.int32(1)]), ("session/load", [.string("../x")]), ("session/load", [.string("/etc/x")]),
            ("session/load", [.string("")]), ("session/load", [.string(".hidden")]), ("session/load", [.string("a\u{1}")]),
            ("session/load", [.string("x.yaml")]), ("session/save", [.string("../x")]), ("session/save", [.string("last-session")]),
            ("session/save", [.string("-x")]), ("session/save", [.string("--help")]), ("session/save", [.string("x.yaml")]),
            ("session/save", [.string("x.YML")]), ("session/save", [.string("x.sbg")]), ("session/save", [.string("x.position")]),
            ("session/save", [.string("x.yaml.1")]), ("session/save", [.string("x.yaml.lock")]), ("session/save", [.string("x.yaml.tmp")]),
            ("session/save", [.string("x.position.tmp")]), ("session/save", [.string("x.yaml.damaged-2")]),
            ("patch/save", []), ("patch/save", [.string("a/b")]), ("patch/save", [.string("-x")]), ("patch/save", [.string("x.yaml")]),
            ("patch/save", [.string("preferences")]), ("patch/save", [.string("x"), .string("y")]),
            ("master/mute", [.infinitum]), ("subscribe", [.int32(3)]),
        ] as [(String, [OSCArgument])])
    func badArguments(address: String, arguments: [OSCArgument]) {
        let server = TestServer()
        server.receive(.message(OSCMessage("/binaural/" + address, arguments)))
        #expect(codes(server) == [400])
        #expect(server.receiver.performed.isEmpty)
    }

    @Test("An existing session can be loaded and saved under any name; names with a dot or a hyphen in them are valid")
    func oddNames() {
        let server = TestServer()
        server.receiver.session.available = ["x.yaml", "-x"]
        for name in ["x.yaml", "-x"] {
            server.send("session/load", .string(name))
            server.send("session/save", .string(name))
        }
        for name in ["my.evening", "a-b", "1.5 h", "positions", "yaml"] { server.send("session/save", .string(name)) }
        let saved: [Command] = ["my.evening", "a-b", "1.5 h", "positions", "yaml"].map { .application(.saveSession($0)) }
        #expect(
            server.receiver.performed == [
                .application(.loadSession("x.yaml")), .application(.saveSession("x.yaml")), .application(.loadSession("-x")),
                .application(.saveSession("-x")),
            ] + saved)
    }

    @Test("Enumerations accept the name or its index, also as a float")
    func enumerations() {
        let server = TestServer()
        server.send("repeat", .float(1))
        server.send("repeat", .symbol("all"))
        server.send("layer/1/beat", .float(4), .float(1), .int32(1))
        #expect(
            server.receiver.performed == [
                .changeRepeatMode(to: .one), .changeRepeatMode(to: .all),
                RowTests.set(0, .beat, 4, ramp: Ramp(seconds: 1, easing: .sineIn)),
            ])
    }

    @Test("Values are clamped to their range")
    func clamping() {
        let server = TestServer()
        server.send("layer/1/gain", .float(100))
        server.send("layer/1/beat", .float(-1e30))
        server.send("layer/1/gain/norm", .float(7))
        #expect(
            server.receiver.performed == [RowTests.set(0, .gain, 0), RowTests.set(0, .beat, -100), RowTests.set(0, .gain, 0)])
    }

    // MARK: Codes

    @Test(
        "Codes",
        arguments: [
            ("nowhere", [], 404), ("layer/99/beat", [], 404), ("layer/99/beat", [.float(1)], 404), ("layer/0/beat", [], 404),
            ("layer/01/beat", [], 404),
            ("layer/x/beat", [], 404), ("layer/-1/beat", [], 404), ("layer/select", [.int32(99)], 404), ("layer/2/beat", [], 501),
            ("layer/2/beat", [.float(1)], 501), ("layer/2/xy", [.float(1), .float(1)], 501), ("layer/2/note", [.int32(3)], 501),
            ("layer/2/note", [], 501), ("layer/2/wave", [], 501), ("layer/2/wave", [.int32(0)], 501),
            ("pause", [], 405), ("queue/select", [.int32(3)], 100), ("queue/select", [.int32(0)], 100),
            ("queue/select", [.int32(900)], 100),
        ] as [(String, [OSCArgument], Int32)])
    func statusCodes(address: String, arguments: [OSCArgument], code: Int32) {
        let server = TestServer()
        server.receive(.message(OSCMessage("/binaural/" + address, arguments)))
        #expect(codes(server) == [code])
    }

    @Test("An empty queue answers 100, and its layers do not exist")
    func emptyQueue() {
        let server = TestServer()
        server.receiver.player.update {
            $0.items = []
            $0.currentIndex = nil
        }
        for address in ["play", "next", "layer/1/beat"] { server.send(address) }
        server.send("layer/1/mute", .int32(1))
        #expect(codes(server) == [100, 100, 100, 100])
    }

    @Test("Addresses outside the root are unknown, except those that phones send")
    func root() {
        let server = TestServer()
        for address in ["/play", "/binauralplay", "/binaural", "/binaural/", "/"] {
            server.receive(.message(OSCMessage(address)))
            #expect(codes(server) == [404], "\(address)")
        }
        server.receive(.message(OSCMessage("/ping")))
        #expect(server.messages() == [OSCMessage("pong", [.int32(0), .int64(TestServer.bootID)])])
        server.receive(.message(OSCMessage("/accxyz", [.float(0), .float(0), .float(1)])))
        #expect(server.isQuiet)
    }

    @Test(
        "Answers are not answered; otherwise two servers would loop",
        arguments: ["reply", "error", "alive", "progress", "pong", "snapshot/end", "queue/end", "bye"])
    func answersToAnswers(address: String) {
        let server = TestServer()
        server.send(address, .string("x"))
        #expect(server.isQuiet)
    }

    @Test("The answer of a read-only address is not answered by another server")
    func answersOfReadOnlyRows() {
        for testCase in RowTests.cases where testCase.arguments.isEmpty {
            guard let row = AddressTable.standard.row(at: testCase.path), row.access == .read else { continue }
            let server = TestServer()
            testCase.prepare(server)
            server.drop()
            server.send(testCase.path)
            let answers = server.messages()
            #expect(answers.count == 1, "\(testCase.path)")
            for answer in answers { server.receive(.message(OSCMessage("/binaural/" + answer.address, answer.arguments))) }
            #expect(server.isQuiet, "\(testCase.path)")
        }
        let server = TestServer()
        server.send("describe", .string("play"))
        for answer in server.messages() { server.receive(.message(OSCMessage("/binaural/" + answer.address, answer.arguments))) }
        #expect(server.isQuiet)
    }

    @Test("A peer gets only errors unless it asks for all replies or none, and replies name the responder")
    func replies() {
        let server = TestServer()
        server.send("play")
        #expect(server.isQuiet)
        server.send("replies", .int32(2))
        server.drop()
        server.send("layer/1/mute", .int32(1))
        server.send("toggle")
        #expect(
            server.messages() == [
                OSCMessage("reply", [.string("/binaural/layer/1/mute"), .int32(0), .string("layer/1")]),
                OSCMessage("reply", [.string("/binaural/toggle"), .int32(0), .string("application")]),
            ])
        server.send("replies", .int32(0))
        server.send("nowhere")
        #expect(server.isQuiet)
    }

    @Test("sync is answered when everything before it has reached the sound, not earlier")
    func sync() {
        let server = TestServer()
        server.send("play")
        server.send("sync", .int32(42))
        #expect(server.isQuiet)
        for answer in server.receiver.waitingForSound { answer() }
        #expect(server.messages() == [OSCMessage("synced", [.int32(42)])])
    }

    // MARK: Patterns

    @Test("A pattern sets every layer that has the parameter and skips the others")
    func patternSets() {
        let server = TestServer()
        server.send("layer/*/beat", .float(6))
        #expect(server.receiver.performed == [0, 4, 6, 7, 9, 10].map { RowTests.set($0, .beat, 6) })
        #expect(Set(server.receiver.momentsOfPerformed.map(\.frame)).count == 1)
        server.send("layer/{1,3}/mute", .int32(1))
        #expect(server.receiver.performed.suffix(2) == [.mute(layer: 0, true), .mute(layer: 2, true)])
        #expect(server.isQuiet)
    }

    @Test("A pattern reads every property that it matches")
    func patternGets() {
        let server = TestServer()
        server.send("master/*")
        #expect(server.messages().map(\.address) == ["master/gain", "master/mute"])
        server.send("layer/[1-2]/{name,kind}")
        #expect(server.messages().map(\.address) == ["layer/1/name", "layer/2/name", "layer/1/kind", "layer/2/kind"])
        server.send("{meter,position}")
        #expect(Set(server.messages().map(\.address)) == ["meter", "position"])
    }

    @Test(
        "Patterns do not match commands, session, role and application addresses",
        arguments: ["pla?", "st*", "session/*", "qui[t]", "queue/*", "jack/*", "*/*/*/*/*", "?ayer/1/beat/x"])
    func patternReach(pattern: String) {
        let server = TestServer()
        server.send(pattern, .int32(1))
        #expect(server.receiver.performed.isEmpty)
    }

    @Test("A pattern that matches more than 64 addresses has no effect")
    func patternLimit() {
        let server = TestServer()
        server.receiver.player.update { $0.items[0].patch?.layers = (1...65).map { Layer(name: "l\($0)", kind: .tone) } }
        server.send("layer/*/mute", .int32(1))
        #expect(codes(server) == [400])
        #expect(server.receiver.performed.isEmpty)
        server.send("layer/[!x]*/mute", .int32(1))
        #expect(codes(server) == [400])
        server.send("layer/[1-9]/mute", .int32(1))
        #expect(server.receiver.performed.count == 9)
    }

    // MARK: Describe

    @Test("describe lists the children of any node, and for a layer only those that it has")
    func describe() {
        let server = TestServer()
        func paths(_ path: String) -> [String] {
            server.send("describe", .string(path))
            return server.messages().compactMap { message in
                guard message.address == "describe", case .string(let path) = message.arguments[0] else { return nil }
                return path
            }
        }
        #expect(
            paths("layer/2").filter { !$0.contains("/norm") }
                == ["name", "kind", "gain", "pan", "correlation", "mute", "solo", "edited", "reset"].map { "layer/2/\($0)" })
        #expect(
            paths("layer") == ["layer/count", "layer/select"] + (1...11).map { "layer/\($0)" } + ["layer/selected"])
        #expect(paths("/binaural/layer/1/beat") == ["layer/1/beat", "layer/1/beat/norm"])
        #expect(paths("layer/2/beat").isEmpty)
        #expect(paths("").contains("master"))
        server.send("describe")
        #expect(server.messages().contains { $0.address == "describe" && $0.arguments.first == .string("master") })
        #expect(
            paths("queue") == [
                "queue/next", "queue/previous", "queue/list", "queue/select", "queue/play", "queue/add", "queue/remove", "queue/restore",
                "queue/move", "queue/relink", "queue/reset",
            ])
        #expect(paths("nowhere").isEmpty)
    }

    @Test(
        "The description of an argument says whether it is optional",
        arguments: [("play", "i"), ("seek/forward", "i"), ("button", "i"), ("ping", "i"), ("unsubscribe", "s"), ("subscribe", "s")])
    func describedTypes(path: String, types: String) {
        let server = TestServer()
        server.send("describe", .string(path))
        #expect(server.messages().first?.arguments.prefix(2) == [.string(path), .string(types)])
        #expect(AddressTable.standard.rows.allSatisfy { !$0.typeTags.isEmpty })
    }

    @Test("A parameter is described with its unit and its range")
    func describedParameter() {
        let server = TestServer()
        server.send("describe", .string("layer/1/carrier"))
        #expect(
            server.messages().first?.arguments == [
                .string("layer/1/carrier"), .string("f"), .string("rw"), .float(1), .float(20_000), .string("Hz"),
                .string("Frequency of the tone; if there are two tones, the frequency midway between them."),
            ])
    }
}
