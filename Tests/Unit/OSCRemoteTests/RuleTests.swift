import OSC
import OSCRemote
import Patches
import Playback
import Testing

@Suite("Rules of the contract")
struct RuleTests {
    private func codes(_ rig: TestServer) -> [Int32] {
        rig.messages().compactMap { message in
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
        let rig = TestServer()
        rig.send("skip/by", argument)
        #expect(rig.receiver.performed == [.skip(by: -expected)])
    }

    @Test(
        "No argument, a number above 0 and T are a press; 0, negative numbers and F are its release",
        arguments: [
            ([], true), ([.float(1)], true), ([.int32(127)], true), ([.true], true), ([.float(0)], false), ([.int32(-1)], false),
            ([.false], false),
        ]
            as [([OSCArgument], Bool)])
    func presses(arguments: [OSCArgument], isPress: Bool) {
        let rig = TestServer()
        rig.receive(.message(OSCMessage("/binaural/play", arguments)))
        #expect(rig.receiver.performed == (isPress ? [.play] : []))
        #expect(rig.isQuiet)
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
            ("master/mute", [.infinitum]), ("subscribe", [.int32(3)]), ("describe", []),
        ] as [(String, [OSCArgument])])
    func badArguments(address: String, arguments: [OSCArgument]) {
        let rig = TestServer()
        rig.receive(.message(OSCMessage("/binaural/" + address, arguments)))
        #expect(codes(rig) == [400])
        #expect(rig.receiver.performed.isEmpty)
    }

    @Test("An existing session can be loaded and saved under any name; names with a dot or a hyphen in them are valid")
    func oddNames() {
        let rig = TestServer()
        rig.receiver.session.available = ["x.yaml", "-x"]
        for name in ["x.yaml", "-x"] {
            rig.send("session/load", .string(name))
            rig.send("session/save", .string(name))
        }
        for name in ["my.evening", "a-b", "1.5 h", "positions", "yaml"] { rig.send("session/save", .string(name)) }
        let saved: [Command] = ["my.evening", "a-b", "1.5 h", "positions", "yaml"].map { .saveSession($0) }
        #expect(rig.receiver.performed == [.loadSession("x.yaml"), .saveSession("x.yaml"), .loadSession("-x"), .saveSession("-x")] + saved)
    }

    @Test("Enumerations accept the name or its index, also as a float")
    func enumerations() {
        let rig = TestServer()
        rig.send("repeat", .float(1))
        rig.send("repeat", .symbol("all"))
        rig.send("layer/1/beat", .float(4), .float(1), .int32(1))
        #expect(
            rig.receiver.performed == [
                .changeRepeatMode(to: .one), .changeRepeatMode(to: .all),
                RowTests.set(0, .beat, 4, ramp: Ramp(seconds: 1, easing: .sineIn)),
            ])
    }

    @Test("Values are clamped to their range")
    func clamping() {
        let rig = TestServer()
        rig.send("layer/1/gain", .float(100))
        rig.send("layer/1/beat", .float(-1e30))
        rig.send("layer/1/gain/norm", .float(7))
        #expect(
            rig.receiver.performed == [RowTests.set(0, .gain, 0), RowTests.set(0, .beat, -100), RowTests.set(0, .gain, 0)])
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
        let rig = TestServer()
        rig.receive(.message(OSCMessage("/binaural/" + address, arguments)))
        #expect(codes(rig) == [code])
    }

    @Test("An empty queue answers 100, and its layers do not exist")
    func emptyQueue() {
        let rig = TestServer()
        rig.receiver.player.update {
            $0.items = []
            $0.currentIndex = nil
        }
        for address in ["play", "next", "layer/1/beat"] { rig.send(address) }
        rig.send("layer/1/mute", .int32(1))
        #expect(codes(rig) == [100, 100, 100, 100])
    }

    @Test("Addresses outside the root are unknown, except those that phones send")
    func root() {
        let rig = TestServer()
        for address in ["/play", "/binauralplay", "/binaural", "/binaural/", "/"] {
            rig.receive(.message(OSCMessage(address)))
            #expect(codes(rig) == [404], "\(address)")
        }
        rig.receive(.message(OSCMessage("/ping")))
        #expect(rig.messages() == [OSCMessage("pong", [.int32(0)])])
        rig.receive(.message(OSCMessage("/accxyz", [.float(0), .float(0), .float(1)])))
        #expect(rig.isQuiet)
    }

    @Test(
        "Answers are not answered; otherwise two servers would loop",
        arguments: ["reply", "error", "alive", "progress", "pong", "snapshot/end", "queue/end", "bye"])
    func answersToAnswers(address: String) {
        let rig = TestServer()
        rig.send(address, .string("x"))
        #expect(rig.isQuiet)
    }

    @Test("The answer of a read-only address is not answered by another server")
    func answersOfReadOnlyRows() {
        for testCase in RowTests.cases where testCase.arguments.isEmpty {
            guard let row = AddressTable.standard.row(at: testCase.path), row.access == .read else { continue }
            let rig = TestServer()
            testCase.prepare(rig)
            rig.drop()
            rig.send(testCase.path)
            let answers = rig.messages()
            #expect(answers.count == 1, "\(testCase.path)")
            for answer in answers { rig.receive(.message(OSCMessage("/binaural/" + answer.address, answer.arguments))) }
            #expect(rig.isQuiet, "\(testCase.path)")
        }
        let rig = TestServer()
        rig.send("describe", .string("play"))
        for answer in rig.messages() { rig.receive(.message(OSCMessage("/binaural/" + answer.address, answer.arguments))) }
        #expect(rig.isQuiet)
    }

    @Test("A peer gets only errors unless it asks for all replies or none, and replies name the responder")
    func replies() {
        let rig = TestServer()
        rig.send("play")
        #expect(rig.isQuiet)
        rig.send("replies", .int32(2))
        rig.drop()
        rig.send("layer/1/mute", .int32(1))
        rig.send("toggle")
        #expect(
            rig.messages() == [
                OSCMessage("reply", [.string("/binaural/layer/1/mute"), .int32(0), .string("layer/1")]),
                OSCMessage("reply", [.string("/binaural/toggle"), .int32(0), .string("application")]),
            ])
        rig.send("replies", .int32(0))
        rig.send("nowhere")
        #expect(rig.isQuiet)
    }

    @Test("sync is answered when everything before it has reached the sound, not earlier")
    func sync() {
        let rig = TestServer()
        rig.send("play")
        rig.send("sync", .int32(42))
        #expect(rig.isQuiet)
        for answer in rig.receiver.waitingForSound { answer() }
        #expect(rig.messages() == [OSCMessage("synced", [.int32(42)])])
    }

    // MARK: Patterns

    @Test("A pattern sets every layer that has the parameter and skips the others")
    func patternSets() {
        let rig = TestServer()
        rig.send("layer/*/beat", .float(6))
        #expect(rig.receiver.performed == [0, 4, 6, 7, 9, 10].map { RowTests.set($0, .beat, 6) })
        #expect(Set(rig.receiver.momentsOfPerformed.map(\.frame)).count == 1)
        rig.send("layer/{1,3}/mute", .int32(1))
        #expect(rig.receiver.performed.suffix(2) == [.mute(layer: 0, true), .mute(layer: 2, true)])
        #expect(rig.isQuiet)
    }

    @Test("A pattern reads every property that it matches")
    func patternGets() {
        let rig = TestServer()
        rig.send("master/*")
        #expect(rig.messages().map(\.address) == ["master/gain", "master/mute"])
        rig.send("layer/[1-2]/{name,kind}")
        #expect(rig.messages().map(\.address) == ["layer/1/name", "layer/2/name", "layer/1/kind", "layer/2/kind"])
        rig.send("{meter,position}")
        #expect(Set(rig.messages().map(\.address)) == ["meter", "position"])
    }

    @Test(
        "Patterns do not match commands, session, role and application addresses",
        arguments: ["pla?", "st*", "session/*", "qui[t]", "queue/*", "jack/*", "*/*/*/*/*", "?ayer/1/beat/x"])
    func patternReach(pattern: String) {
        let rig = TestServer()
        rig.send(pattern, .int32(1))
        #expect(rig.receiver.performed.isEmpty)
    }

    @Test("A pattern that matches more than 64 addresses has no effect")
    func patternLimit() {
        let rig = TestServer()
        rig.receiver.player.update { $0.items[0].patch?.layers = (1...65).map { Layer(name: "l\($0)", kind: .tone) } }
        rig.send("layer/*/mute", .int32(1))
        #expect(codes(rig) == [400])
        #expect(rig.receiver.performed.isEmpty)
        rig.send("layer/[!x]*/mute", .int32(1))
        #expect(codes(rig) == [400])
        rig.send("layer/[1-9]/mute", .int32(1))
        #expect(rig.receiver.performed.count == 9)
    }

    // MARK: Describe

    @Test("describe lists the children of any node, and for a layer only those that it has")
    func describe() {
        let rig = TestServer()
        func paths(_ path: String) -> [String] {
            rig.send("describe", .string(path))
            return rig.messages().compactMap { message in
                guard message.address == "describe", case .string(let path) = message.arguments[0] else { return nil }
                return path
            }
        }
        #expect(
            paths("layer/2").filter { !$0.contains("/norm") }
                == ["name", "kind", "gain", "pan", "correlation", "mute", "solo", "reset"].map { "layer/2/\($0)" })
        #expect(
            paths("layer") == ["layer/count", "layer/select"] + (1...11).map { "layer/\($0)" } + ["layer/selected"])
        #expect(paths("/binaural/layer/1/beat") == ["layer/1/beat", "layer/1/beat/norm"])
        #expect(paths("layer/2/beat").isEmpty)
        #expect(paths("").contains("master"))
        #expect(
            paths("queue") == [
                "queue/next", "queue/previous", "queue/list", "queue/select", "queue/add", "queue/remove", "queue/move", "queue/reset",
            ])
        #expect(paths("nowhere").isEmpty)
    }

    @Test(
        "The description of an argument says whether it is optional",
        arguments: [("play", "i"), ("seek/forward", "i"), ("button", "i"), ("ping", "i"), ("unsubscribe", "s"), ("subscribe", "s")])
    func describedTypes(path: String, types: String) {
        let rig = TestServer()
        rig.send("describe", .string(path))
        #expect(rig.messages().first?.arguments.prefix(2) == [.string(path), .string(types)])
        #expect(AddressTable.standard.rows.allSatisfy { !$0.typeTags.isEmpty })
    }

    @Test("A parameter is described with its unit and its range")
    func describedParameter() {
        let rig = TestServer()
        rig.send("describe", .string("layer/1/carrier"))
        #expect(
            rig.messages().first?.arguments == [
                .string("layer/1/carrier"), .string("f"), .string("rw"), .float(1), .float(20_000), .string("Hz"),
                .string("Base tone, midway between the ears."),
            ])
    }
}
