import Foundation
import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// At least one case for each row of the table: a message and its effect.
@Suite("Every row of the table")
struct RowTests {
    struct Case: Sendable {
        let path: String
        let arguments: [OSCArgument]
        let outcome: Outcome
        let prepare: @Sendable (TestServer) -> Void

        enum Outcome: Sendable {
            case answers([OSCMessage])
            case performs([Command])
        }

        /// A get: the row answers on its own address.
        init(_ path: String, is value: OSCArgument..., after prepare: @escaping @Sendable (TestServer) -> Void = { _ in }) {
            (self.path, arguments, self.prepare) = (path, [], prepare)
            outcome = .answers([OSCMessage(path, value)])
        }

        init(
            _ path: String, _ arguments: [OSCArgument], answers: [OSCMessage],
            after prepare: @escaping @Sendable (TestServer) -> Void = { _ in }
        ) {
            (self.path, self.arguments, self.prepare) = (path, arguments, prepare)
            outcome = .answers(answers)
        }

        init(
            _ path: String, _ arguments: [OSCArgument] = [], performs: Command...,
            after prepare: @escaping @Sendable (TestServer) -> Void = { _ in }
        ) {
            (self.path, self.arguments, self.prepare) = (path, arguments, prepare)
            outcome = .performs(performs)
        }
    }

    static let conversation: [Case] = [
        Case("ping", [.int32(7)], answers: [OSCMessage("pong", [.int32(7), .int64(TestServer.bootID)])]),
        Case("info", is: .string("binaural"), .string("9.8.7"), .int32(1), .int32(0), .int32(7830), .int64(TestServer.bootID)),
        Case(
            "status", is: .string("running"), .int32(48_000), .int32(256), .float(12.5), .float(30), .int32(3), .int32(1),
            after: {
                $0.receiver.jack.load = 12.5
                $0.receiver.jack.peakLoad = 30
                $0.receiver.jack.xruns = 3
                $0.receiver.jack.guardActions = 1
            }),
        Case(
            "guards", is: .int32(5), .int32(2), .int32(1),
            after: { ($0.receiver.jack.cutSamples, $0.receiver.jack.badSamples, $0.receiver.jack.mutedLayers) = (5, 2, 1) }),
        Case(
            "peer/list", [],
            answers: [
                OSCMessage("peer/item", [.int32(1), .string("desk"), .string("admin"), .string("udp"), .float(7), .int32(1)]),
                OSCMessage("peer/item", [.int32(2), .string(""), .string("admin"), .string("udp"), .float(2), .int32(0)]),
                OSCMessage("peer/end", [.int32(2)]),
            ],
            after: {
                $0.send("hello", .string("desk"), .blob([]))
                $0.advance(seconds: 5)
                $0.send("ping", from: TestServer.other)
                $0.advance(seconds: 2)
            }),
        // Answered only once it is in the sound: SyncTests waits for that.
        Case("sync", [.int32(5)], answers: []),
        Case(
            "clock", [.timeTag(TimeTag(rawValue: 99))],
            answers: [OSCMessage("clock", [.timeTag(TimeTag(rawValue: 99)), .timeTag(TestServer.start), .timeTag(TestServer.start)])]),
        // CookieTests check the cookie's value.
        Case("hello", [.string("phone"), .blob([])], answers: []),
        Case("replies", is: .int32(1)),
        Case("replies", [.int32(2)], answers: [OSCMessage("reply", [.string("/binaural/replies"), .int32(0), .string("server")])]),
        Case(
            "subscribe", [.string("jack")],
            answers: [
                OSCMessage("subscribed", [.string("jack"), .int32(1), .int32(30), .int32(50_000)]),
                OSCMessage("jack/state", [.string("running")]), OSCMessage("transport/tempo", [.float(0)]),
                OSCMessage("jack/connections", [.string("")]), OSCMessage("snapshot/end", [.string("jack")]),
            ]),
        Case(
            "ramp/id", [.int32(1)],
            answers: [
                OSCMessage(
                    "error",
                    [
                        .string("/binaural/ramp/id"), .int32(400),
                        .string("ramp/id is only valid in a bundle, together with the messages that start the ramps."),
                    ])
            ]),
        Case(
            "bundles", is: .int32(1), .int32(1), .int32(1),
            after: { server in
                for delay in [-1.0, 10, 100] {
                    server.receive(
                        .bundle(OSCBundle(timeTag: server.now.timeTag.advanced(bySeconds: delay), messages: [OSCMessage("/binaural/play")]))
                    )
                }
            }),
        Case("unsubscribe", [.string("jack")], answers: [OSCMessage("unsubscribed", [.string("jack")])]),
        Case(
            "describe", [.string("repeat")],
            answers: [
                OSCMessage(
                    "describe",
                    [
                        .string("repeat"), .string("s"), .string("rw"), .float(0), .float(2), .string(""),
                        .string("What repeats: off, one or all."),
                    ]),
                OSCMessage(
                    "describe",
                    [
                        .string("repeat/enabled"), .string("i"), .string("r"), .float(0), .float(1), .string(""),
                        .string("Whether repeat is possible now."),
                    ]),
                OSCMessage("describe/value", [.string("repeat"), .int32(0), .string("off")]),
                OSCMessage("describe/value", [.string("repeat"), .int32(1), .string("one")]),
                OSCMessage("describe/value", [.string("repeat"), .int32(2), .string("all")]),
                OSCMessage("describe/end", [.string("repeat"), .int32(2)]),
            ]),
    ]

    static let transport: [Case] = [
        Case("play", performs: .play), Case("pause", performs: .pause), Case("toggle", performs: .toggle), Case("stop", performs: .stop),
        Case("next", performs: .next), Case("previous", performs: .previous), Case("queue/next", performs: .nextItem),
        Case("queue/previous", performs: .previousItem), Case("panic", performs: .panic),
        Case("skip/intervals", is: .float(15), .float(30), .float(60)), Case("skip/forward", performs: .skipForward(by: 15)),
        Case("skip/backward", performs: .skipBackward(by: 15)), Case("skip/by", [.float(-2.5)], performs: .skip(by: -2.5)),
        Case("position", is: .float(30), after: { $0.send("position", .float(30)) }),
        Case("position", [.double(12.25)], performs: .changePosition(to: 12.25)),
        Case("position/norm", is: .float(0.5), after: { $0.send("position", .float(300)) }),
        Case("position/norm", [.float(0.25)], performs: .changeNormalizedPosition(to: 0.25)), Case("repeat", is: .string("off")),
        Case("repeat", [.string("one")], performs: .changeRepeatMode(to: .one)),
        Case("repeat", [.int32(2)], performs: .changeRepeatMode(to: .all)), Case("play/enabled", is: .int32(1)),
        Case("pause/enabled", is: .int32(0)), Case("toggle/enabled", is: .int32(1)), Case("stop/enabled", is: .int32(1)),
        Case("next/enabled", is: .int32(1)), Case("previous/enabled", is: .int32(1)), Case("queue/next/enabled", is: .int32(1)),
        Case("queue/previous/enabled", is: .int32(1)), Case("panic/enabled", is: .int32(1)), Case("skip/forward/enabled", is: .int32(1)),
        Case("skip/backward/enabled", is: .int32(1)), Case("skip/by/enabled", is: .int32(1)), Case("position/enabled", is: .int32(1)),
        Case("chapter/select", [.int32(2)], performs: .changePosition(to: 100)),
        Case("chapter/select", [.string("drop")], performs: .changePosition(to: 100)),
        Case("position/norm/enabled", is: .int32(0), after: { $0.send("queue/select", .int32(2)) }), Case("repeat/enabled", is: .int32(1)),
        Case("transport/mode", is: .string("lead"), after: { $0.send("transport/mode", .string("lead")) }),
        Case("transport/mode", [.int32(1)], performs: .changeTransportMode(to: .follow)),
    ]

    static let listener: [Case] = [
        Case("seek/forward", performs: .seek(.forward, begins: true)),
        Case("seek/forward", [.int32(0)], performs: .seek(.forward, begins: false)),
        Case("seek/backward", [.float(1)], performs: .seek(.backward, begins: true)),
        Case("rate", is: .float(2), after: { $0.send("rate", .float(2)) }), Case("rate", [.float(99)], performs: .changeRate(to: 10)),
        Case("rate/norm", is: .float(0.5)), Case("rate/norm", is: .float(1), after: { $0.send("rate", .float(10)) }),
        Case("rate/norm", [.float(0.5)], performs: .changeRate(to: 1)), Case("rate/norm", [.float(0)], performs: .changeRate(to: 0.1)),
        Case("rating/norm", is: .float(0.8), after: { $0.send("rating", .int32(4)) }),
        Case("rating/norm", [.float(0.5)], performs: .rate(2.5)),
        Case("rate/range", is: .float(0.1), .float(10)),
        Case(
            "shuffle", is: .string("items"),
            after: { $0.receiver.player.update { $0.shuffledOrder = PlayingOrder(count: 3, first: 0, seed: 1) } }),
        Case("rating", is: .float(4), after: { $0.send("rating", .int32(4)) }), Case("rating", [.float(3.5)], performs: .rate(3.5)),
        Case("like", is: .int32(1), after: { $0.send("like", .int32(1)) }), Case("like", [.float(0)], performs: .like(false)),
        Case("dislike", is: .int32(0)), Case("dislike", [.true], performs: .dislike(true)),
        Case("bookmark", is: .int32(1), after: { $0.send("bookmark", .int32(1)) }),
        Case("bookmark", [.int32(1)], performs: .bookmark(true)),
        Case("undo", performs: .undo, after: { $0.send("layer/1/beat", .int32(4)) }),
        Case(
            "redo", performs: .redo,
            after: {
                $0.send("layer/1/beat", .int32(4))
                $0.send("undo")
            }),
        Case("undo/depth", is: .int32(1), .int32(0), after: { $0.send("layer/1/beat", .int32(4)) }),
        Case("shuffle", [.int32(0)], performs: .changeShuffleMode(to: .off, seed: 0)),
        Case("button", [.int32(1)], performs: .button(isDown: true)),
        Case("button", [.false], performs: .button(isDown: false)),
        Case("button", performs: .button(isDown: true), .button(isDown: false)),
        Case("button/enabled", is: .int32(1)), Case("shake/enabled", is: .int32(0)),
        Case("shake/enabled", is: .int32(1), after: { $0.receiver.preferences.shake = .next }),
        Case("shake", performs: .shake, .next, after: { $0.receiver.preferences.shake = .next }),
        Case("accxyz", [.float(0), .float(0), .float(1)], answers: []),
        Case("queue/remove", [.int32(2)], performs: .removeItem(1)),
        Case("queue/restore", performs: .restoreItem),
        Case("queue/move", [.int32(1), .int32(2)], performs: .moveItem(from: 0, to: 1)),
        Case("queue/reset", [.int32(1)], performs: .resetItem(0)),
        Case("seek/forward/enabled", is: .int32(1)), Case("seek/backward/enabled", is: .int32(1)), Case("rate/enabled", is: .int32(1)),
        Case("shuffle/enabled", is: .int32(1)), Case("rating/enabled", is: .int32(1)), Case("like/enabled", is: .int32(1)),
        Case("dislike/enabled", is: .int32(1)), Case("bookmark/enabled", is: .int32(1)), Case("undo/enabled", is: .int32(0)),
        Case("redo/enabled", is: .int32(0)),
    ]

    static let nowPlaying: [Case] = [
        Case("now/state", is: .string("playing"), after: { $0.send("play") }),
        Case("now/elapsed", is: .float(30), after: { $0.send("position", .float(30)) }),
        Case("now/frame", is: .int64(1_440_000), after: { $0.send("position", .float(30)) }),
        Case("now/rate", is: .float(1), after: { $0.send("play") }), Case("now/rate", is: .float(0)),
        Case("now/rate/default", is: .float(1)), Case("now/rate/default", is: .float(2), after: { $0.send("rate", .float(2)) }),
        Case("now/duration", is: .float(600)), Case("now/duration", is: .float(0), after: { $0.send("queue/select", .int32(2)) }),
        Case("now/queue", is: .int32(1), .int32(3)),
        Case("now/chapter", is: .int32(2), .int32(3), .string("Drop"), after: { $0.send("position", .float(150)) }),
        Case("now/id", is: .string("deep")), Case("now/title", is: .string("Deep")), Case("now/artist", is: .string("Somebody")),
        Case("now/sleep", is: .float(0)), Case("now/sleep", is: .float(90), after: { $0.send("sleep", .float(90)) }),
        Case("now/start", is: .float(-1)),
        Case("now/start", is: .float(60), after: { $0.receiver.start = $0.receiver.clockSeconds + 60 }),
        Case("now/rating", is: .float(4), after: { $0.receiver.player.update { $0.items[0].rating = 4 } }),
        Case("now/liked", is: .int32(1), after: { $0.receiver.player.update { $0.items[0].liked = true } }),
        Case("now/album", is: .string("")), Case("now/composer", is: .string("")), Case("now/genre", is: .string("")),
        Case("now/artwork", is: .string("")), Case("now/comment", is: .string("")), Case("now/track", is: .int32(0), .int32(0)),
        Case("now/disc", is: .int32(0), .int32(0)), Case("now/tick", is: .float(90), after: { $0.send("position", .float(90)) }),
        Case("now/norm", is: .float(0.25), after: { $0.send("position", .float(150)) }),
        Case("now/text", is: .string("2:30 / 10:00"), after: { $0.send("position", .float(150.9)) }),
        Case(
            "meter", is: .float(-6), .float(-7), .float(-9), .float(-120),
            after: {
                $0.receiver.meter.peakLeft = -6
                $0.receiver.meter.peakRight = -7
                $0.receiver.meter.rmsLeft = -9
            }),
    ]

    static let cases =
        conversation + transport + listener + nowPlaying + layers + effects + course + touch + rest + presets + midi + preferences

    @Test("It does what it says", arguments: cases.indices)
    func performs(index: Int) {
        let testCase = Self.cases[index]
        let server = TestServer()
        testCase.prepare(server)
        server.change { $0.nowPlaying.update(from: $0.player.state, at: $0.moment) }
        server.drop()
        server.receiver.performed = []
        server.receive(.message(OSCMessage("/binaural/" + testCase.path, testCase.arguments)))
        switch testCase.outcome {
        case .answers(let messages):
            let answers = server.messages()
            #expect(answers.map(\.address) == messages.map(\.address))
            for (answer, message) in zip(answers, messages) {
                #expect(
                    answer.arguments.isClose(to: message.arguments), "\(testCase.path): \(answer.arguments) is not \(message.arguments)")
            }
            #expect(server.receiver.performed.isEmpty)
        case .performs(let commands):
            #expect(server.receiver.performed.count == commands.count)
            for (done, command) in zip(server.receiver.performed, commands) {
                #expect(done.isClose(to: command), "\(testCase.path): \(done) is not \(command)")
            }
        }
    }

    @Test("It has a case for each way in which it can be used")
    func coverage() {
        for row in AddressTable.standard.rows {
            let cases = Self.cases.filter { $0.path.asRowPath == row.path }
            let performs = cases.contains {
                if case .performs = $0.outcome { true } else { !$0.arguments.isEmpty || row.path.hasSuffix("/list") }
            }
            let reads = cases.contains { if case .answers = $0.outcome { $0.arguments.isEmpty } else { false } }
            if row.access != .read { #expect(performs, "no case gives or sets \(row.path)") }
            if row.access != .write { #expect(reads, "no case reads \(row.path)") }
        }
    }

    @Test("It answers with the types it says, and only those that the contract allows")
    func outgoingTypes() {
        for testCase in Self.cases where testCase.arguments.isEmpty {
            let server = TestServer()
            testCase.prepare(server)
            server.change { $0.nowPlaying.update(from: $0.player.state, at: $0.moment) }
            server.drop()
            server.receive(.message(OSCMessage("/binaural/" + testCase.path)))
            guard let row = AddressTable.standard.rows.first(where: { $0.path == testCase.path.asRowPath }), row.access != .write else {
                continue
            }
            for answer in server.messages() where answer.address == testCase.path {
                let isRepeated = row.outputs.hasSuffix("…")
                #expect(isRepeated ? answer.typeTags.allSatisfy { row.outputs.hasPrefix(String($0)) } : answer.typeTags == row.outputs)
                #expect(answer.typeTags.allSatisfy { "ifsthb".contains($0) })
            }
        }
    }

    @Test("It is described in at most 96 bytes, and every path appears once")
    func summaries() {
        let rows = AddressTable.standard.rows
        for row in rows { #expect((1...96).contains(row.summary.utf8.count), "\(row.path): \(row.summary.utf8.count) bytes") }
        #expect(Set(rows.map(\.path)).count == rows.count)
    }
}

extension String {
    fileprivate var asRowPath: String {
        var parts = split(separator: "/").map(String.init)
        guard let part = parts.firstIndex(of: "layer"), part <= 1, parts.count > part + 2 else { return self }
        parts[part + 1] = "N"
        return parts.joined(separator: "/")
    }
}

extension [OSCArgument] {
    /// Floats went through single precision and a curve: a millionth is room enough for both.
    func isClose(to other: [OSCArgument]) -> Bool {
        count == other.count
            && zip(self, other).allSatisfy { one, two in
                if case .float(let a) = one, case .float(let b) = two { abs(a - b) <= 1e-6 * Swift.max(1, abs(b)) } else { one == two }
            }
    }
}

extension Command {
    func isClose(to other: Command) -> Bool {
        // The seed is random each time.
        if case .changeShuffleMode(let mine, _) = self, case .changeShuffleMode(let theirs, _) = other { return mine == theirs }
        if case .changeRate(let mine) = self, case .changeRate(let theirs) = other { return abs(mine - theirs) <= 1e-6 * theirs }
        guard case .set(let mine, let ramp) = self, case .set(let theirs, let otherRamp) = other else { return self == other }
        return mine.layer == theirs.layer && mine.parameter == theirs.parameter && ramp == otherRamp
            && abs(mine.value - theirs.value) <= 1e-6 * max(1, abs(theirs.value))
    }
}
