import Foundation
import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// At least one case for each row of the table: what is sent, and what comes of it.
@Suite("Every row of the table")
struct RowTests {
    struct Case: Sendable {
        let path: String
        let arguments: [Argument]
        let outcome: Outcome
        let prepare: @Sendable (Rig) -> Void

        enum Outcome: Sendable {
            case answers([Message])
            case performs([Command])
        }

        /// A get: the row answers on its own address.
        init(_ path: String, is value: Argument..., after prepare: @escaping @Sendable (Rig) -> Void = { _ in }) {
            (self.path, arguments, self.prepare) = (path, [], prepare)
            outcome = .answers([Message(path, value)])
        }

        init(_ path: String, _ arguments: [Argument], answers: [Message], after prepare: @escaping @Sendable (Rig) -> Void = { _ in }) {
            (self.path, self.arguments, self.prepare) = (path, arguments, prepare)
            outcome = .answers(answers)
        }

        init(
            _ path: String, _ arguments: [Argument] = [], performs: Command..., after prepare: @escaping @Sendable (Rig) -> Void = { _ in }
        ) {
            (self.path, self.arguments, self.prepare) = (path, arguments, prepare)
            outcome = .performs(performs)
        }
    }

    static let conversation: [Case] = [
        Case("ping", [.int32(7)], answers: [Message("pong", [.int32(7)])]),
        Case("info", is: .string("binaural"), .string("9.8.7"), .int32(1), .int32(0), .int32(7830), .int64(Rig.bootID)),
        Case(
            "status", is: .string("running"), .int32(48_000), .int32(256), .float(12.5), .float(30), .int32(3), .int32(1),
            after: {
                $0.studio.jack.load = 12.5
                $0.studio.jack.peakLoad = 30
                $0.studio.jack.xruns = 3
                $0.studio.jack.guardActions = 1
            }),
        // Answered only once it is in the sound: SyncTests waits for that.
        Case("sync", [.int32(5)], answers: []),
        Case(
            "clock", [.timeTag(TimeTag(rawValue: 99))],
            answers: [Message("clock", [.timeTag(TimeTag(rawValue: 99)), .timeTag(Rig.start), .timeTag(Rig.start)])]),
        // What the cookie is, CookieTests know.
        Case("hello", [.string("phone"), .blob([])], answers: []),
        Case("replies", is: .int32(1)),
        Case("replies", [.int32(2)], answers: [Message("reply", [.string("/binaural/replies"), .int32(0), .string("server")])]),
        Case(
            "subscribe", [.string("jack")],
            answers: [
                Message("subscribed", [.string("jack"), .int32(1), .int32(30), .int32(50_000)]),
                Message("jack/state", [.string("running")]), Message("transport/tempo", [.float(0)]),
                Message("jack/connections", [.string("")]), Message("snapshot/end", [.string("jack")]),
            ]),
        Case(
            "ramp/id", [.int32(1)],
            answers: [
                Message(
                    "error",
                    [
                        .string("/binaural/ramp/id"), .int32(400),
                        .string("ramp/id is for a bundle, with the sets whose ramps it stands for."),
                    ])
            ]),
        Case(
            "bundles", is: .int32(1), .int32(1), .int32(1),
            after: { rig in
                for delay in [-1.0, 10, 100] {
                    rig.receive(.bundle(Bundle(timeTag: rig.now.timeTag.advanced(bySeconds: delay), messages: [Message("/binaural/play")])))
                }
            }),
        Case("unsubscribe", [.string("jack")], answers: [Message("unsubscribed", [.string("jack")])]),
        Case(
            "describe", [.string("repeat")],
            answers: [
                Message(
                    "describe",
                    [
                        .string("repeat"), .string("s"), .string("rw"), .float(0), .float(2), .string(""),
                        .string("What is played again: off, one or all."),
                    ]),
                Message(
                    "describe",
                    [
                        .string("repeat/enabled"), .string("i"), .string("r"), .float(0), .float(1), .string(""),
                        .string("Whether repeat makes sense now."),
                    ]),
                Message("describe/end", [.string("repeat"), .int32(2)]),
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
            after: { $0.studio.player.update { $0.shuffledOrder = PlayingOrder(count: 3, first: 0, seed: 1) } }),
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
        Case("shake/enabled", is: .int32(1), after: { $0.studio.preferences.shake = .next }),
        Case("shake", performs: .shake, .next, after: { $0.studio.preferences.shake = .next }),
        Case("accxyz", [.float(0), .float(0), .float(1)], answers: []),
        Case("queue/remove", [.int32(2)], performs: .removeItem(1)),
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
        Case("now/rating", is: .float(4), after: { $0.studio.player.update { $0.items[0].rating = 4 } }),
        Case("now/liked", is: .int32(1), after: { $0.studio.player.update { $0.items[0].liked = true } }),
        Case("now/album", is: .string("")), Case("now/composer", is: .string("")), Case("now/genre", is: .string("")),
        Case("now/artwork", is: .string("")), Case("now/comment", is: .string("")), Case("now/track", is: .int32(0), .int32(0)),
        Case("now/disc", is: .int32(0), .int32(0)), Case("now/tick", is: .float(90), after: { $0.send("position", .float(90)) }),
        Case("now/norm", is: .float(0.25), after: { $0.send("position", .float(150)) }),
        Case("now/text", is: .string("2:30 / 10:00"), after: { $0.send("position", .float(150.9)) }),
        Case(
            "meter", is: .float(-6), .float(-7), .float(-9), .float(-120),
            after: {
                $0.studio.meter.peakLeft = -6
                $0.studio.meter.peakRight = -7
                $0.studio.meter.rmsLeft = -9
            }),
    ]

    static func together(_ layer: Int, _ values: (Parameter, Double)...) -> Command {
        .setTogether(values.map { Setting(layer: layer, parameter: $0, value: $1) })
    }

    static func set(_ layer: Int, _ parameter: Parameter, _ value: Double, ramp: Ramp? = nil) -> Command {
        .set(Setting(layer: layer, parameter: parameter, value: value), ramp: ramp)
    }

    static let layers: [Case] = [
        Case("layer/count", is: .int32(11)), Case("layer/select", is: .int32(1)),
        Case("layer/select", [.int32(3)], performs: .selectLayer(2)),
        Case("layer/1/name", is: .string("bed")), Case("layer/2/kind", is: .string("noise")), Case("layer/1/carrier", is: .float(200)),
        Case("layer/1/carrier", [.float(220)], performs: set(0, .carrier, 220)), Case("layer/1/beat", is: .float(10)),
        Case(
            "layer/1/beat", [.float(4), .float(10), .string("sineInOut")],
            performs: set(0, .beat, 4, ramp: Ramp(seconds: 10, easing: .sineInOut))),
        Case("layer/1/beat", [.float(4), .float(0)], performs: set(0, .beat, 4)), Case("layer/3/pulseRate", is: .float(10)),
        Case("layer/3/pulseRate", [.int64(8)], performs: set(2, .pulseRate, 8)), Case("layer/3/duty", is: .float(0.5)),
        Case("layer/3/duty", [.float(0.25)], performs: set(2, .duty, 0.25)), Case("layer/4/phase", is: .float(0)),
        Case("layer/4/phase", [.float(-90)], performs: set(3, .phase, -90)), Case("layer/1/gain", is: .float(-20)),
        Case("layer/1/gain", [.float(-30), .float(2)], performs: set(0, .gain, -30, ramp: Ramp(seconds: 2))),
        Case("layer/5/pan", is: .float(0)), Case("layer/5/pan", [.int32(-1)], performs: set(4, .pan, -1)),
        Case("layer/1/width", is: .float(1)),
        Case("layer/1/width", [.false], performs: set(0, .width, 0)), Case("layer/2/correlation", is: .float(0)),
        Case("layer/2/correlation", [.true], performs: set(1, .correlation, 1)), Case("layer/1/carrier/norm", is: .float(0.5)),
        Case("layer/1/carrier/norm", [.float(1)], performs: set(0, .carrier, 2000)), Case("layer/1/beat/norm", is: .float(0.25)),
        Case("layer/1/beat/norm", [.float(0.5)], performs: set(0, .beat, 20)), Case("layer/3/pulseRate/norm", is: .float(0.25)),
        Case("layer/3/pulseRate/norm", [.float(0.5)], performs: set(2, .pulseRate, 20)), Case("layer/3/duty/norm", is: .float(0.5)),
        Case("layer/3/duty/norm", [.float(1)], performs: set(2, .duty, 0.95)), Case("layer/1/phase/norm", is: .float(0.5)),
        Case("layer/1/phase/norm", [.float(0.75)], performs: set(0, .phase, 90)), Case("layer/2/gain/norm", is: .float(34 / 60.0)),
        Case("layer/2/gain/norm", [.float(0)], performs: set(1, .gain, -120)),
        Case("layer/2/gain/norm", [.float(0.5), .float(3)], performs: set(1, .gain, -30, ramp: Ramp(seconds: 3))),
        Case("layer/2/pan/norm", is: .float(0.5)), Case("layer/2/pan/norm", [.float(0)], performs: set(1, .pan, -1)),
        Case("layer/1/width/norm", is: .float(1)), Case("layer/1/width/norm", [.float(0.5)], performs: set(0, .width, 0.5)),
        Case("layer/2/correlation/norm", is: .float(0)),
        Case("layer/2/correlation/norm", [.float(0.5)], performs: set(1, .correlation, 0.5)),
        Case("layer/3/edge", is: .float(0.02)), Case("layer/9/edge", [.float(0.05)], performs: set(8, .edge, 0.05)),
        Case("layer/3/edge/norm", [.float(0)], performs: set(2, .edge, 0.001)),
        Case("layer/3/edge/norm", is: .float(1), after: { $0.send("layer/3/edge", .float(7)) }),
        Case("layer/8/depth", is: .float(90)), Case("layer/8/depth", [.int32(180)], performs: set(7, .depth, 180)),
        Case("layer/8/depth/norm", is: .float(0.25)), Case("layer/8/depth/norm", [.float(1)], performs: set(7, .depth, 360)),
        Case("layer/6/decay", is: .float(4)), Case("layer/6/decay", [.float(100)], performs: set(5, .decay, 60)),
        Case("layer/6/decay/norm", is: .float(0.5)), Case("layer/6/decay/norm", [.float(1)], performs: set(5, .decay, 32)),
        Case("layer/7/delay", is: .float(300)), Case("layer/7/delay", [.int32(500)], performs: set(6, .delay, 500)),
        Case("layer/7/delay/norm", is: .float(0.3)), Case("layer/7/delay/norm", [.float(0.25)], performs: set(6, .delay, 250)),
        Case("layer/11/attack", is: .float(0.02)), Case("layer/11/attack", [.float(0)], performs: set(10, .attack, 0.005)),
        Case("layer/11/attack/norm", is: .float(Float(log2(4.0) / log2(2000)))),
        Case("layer/11/attack/norm", [.float(1)], performs: set(10, .attack, 10)),
        Case("layer/11/release", is: .float(0.5)), Case("layer/11/release", [.float(100)], performs: set(10, .release, 30)),
        Case("layer/11/release/norm", is: .float(Float(log2(25.0) / log2(1500)))),
        Case("layer/11/release/norm", [.float(0)], performs: set(10, .release, 0.02)),
        Case("layer/4/note", is: .int32(69), after: { $0.send("layer/4/carrier", .float(440)) }),
        Case("layer/4/note", [.int32(57)], performs: set(3, .carrier, 220)),
        Case("layer/4/note", [.string("A3")], performs: set(3, .carrier, 216), after: { $0.send("tuning/a4", .float(432)) }),
        Case("layer/1/wave", is: .string("sine")), Case("layer/1/wave", [.int32(2)], performs: .changeWave(layer: 0, .square)),
        Case("layer/1/mute", is: .int32(0)), Case("layer/1/mute", [.int32(1)], performs: .mute(layer: 0, true)),
        Case("layer/1/solo", is: .int32(0)),
        Case("layer/2/solo", [.true], performs: .solo(layer: 1, true)), Case("layer/1/xy", is: .float(0.25), .float(40 / 60.0)),
        Case("layer/1/xy", [.float(0.5), .float(1)], performs: together(0, (.beat, 20), (.gain, 0))),
        Case("layer/1/reset", performs: .reset(layer: 0)),
        Case("layer/selected/reset", performs: .reset(layer: 1), after: { $0.send("layer/select", .int32(2)) }),
        Case("layer/selected/name", is: .string("rain"), after: { $0.send("layer/select", .int32(2)) }),
    ]

    static let rest: [Case] = [
        Case("master/gain", is: .float(0)), Case("master/gain", [.float(-6)], performs: .setMasterGain(-6, ramp: nil)),
        Case("master/gain/norm", is: .float(1)),
        Case("master/gain/norm", [.float(0.5), .float(1)], performs: .setMasterGain(-30, ramp: Ramp(seconds: 1))),
        Case("master/mute", is: .int32(0)), Case("master/mute", [.int32(1)], performs: .muteMaster(true)),
        Case("master/fade", [.float(30)], performs: .fadeOut(seconds: 30)), Case("tuning/a4", is: .float(440)),
        Case("sleep", is: .float(0), .float(60), .string("sineIn")),
        Case("sleep", [.float(2700)], performs: .sleep(in: 2700, fade: 60, .sineIn)),
        Case("sleep", [.int32(90), .float(30), .string("linear")], performs: .sleep(in: 90, fade: 30, .linear)),
        Case("sleep", [.float(1e6), .float(0)], performs: .sleep(in: 86_400, fade: 0, .sineIn)),
        Case(
            "sleep", is: .float(90), .float(30), .string("quadIn"),
            after: { $0.send("sleep", .float(90), .float(30), .string("quadIn")) }),
        Case("sleep/norm", is: .float(0)), Case("sleep/norm", [.float(0)], performs: .sleep(in: 0, fade: 60, .sineIn)),
        Case("sleep/norm", [.float(0.5)], performs: .sleep(in: NormCurve.exponential(60...86_400).value(atNorm: 0.5), fade: 60, .sineIn)),
        Case("sleep/norm", is: .float(1), after: { $0.send("sleep", .float(86_400)) }),
        Case("sleep/enabled", is: .int32(1)),
        Case("tuning/a4", [.int32(432)], performs: .tune(a4: 432)), Case("tuning/a4/norm", is: .float(240 / 700.0)),
        Case("tuning/a4/norm", [.float(0.5)], performs: .tune(a4: 550)),
        Case(
            "queue/list", [],
            answers: [
                Message("queue/item", [.int32(1), .string("deep"), .string("Deep")]),
                Message("queue/item", [.int32(2), .string("reference-tone"), .string("A4")]),
                Message("queue/item", [.int32(3), .string("gone"), .string("gone")]), Message("queue/end", [.int32(3)]),
            ]),
        Case("queue/select", [.int32(2)], performs: .selectItem(1)), Case("queue/select/enabled", is: .int32(1)),
        Case(
            "session/list", [],
            answers: [
                Message("session/item", [.int32(1), .string("welcome")]), Message("session/item", [.int32(2), .string("night")]),
                Message("session/end", [.int32(2)]),
            ]),
        Case("session/load", [.string("night")], performs: .loadSession("night")),
        Case("session/save", performs: .saveSession(nil)), Case("session/save", [.string("mine")], performs: .saveSession("mine")),
        Case("session/dirty", is: .int32(1), after: { $0.studio.session.isDirty = true }), Case("transport/tempo", is: .float(0)),
        Case("transport/tempo", is: .float(132), after: { rig in rig.change { $0.player.follow(tempo: 132) } }),
        Case("jack/state", is: .string("running")),
        Case("jack/reconnect", performs: .reconnectJACK),
        Case(
            "jack/connect", [.string("out_left"), .string("system:playback_1")],
            performs: .connectPort("out_left", to: "system:playback_1")),
        Case(
            "jack/disconnect", [.string("out_left"), .string("system:playback_1")],
            performs: .disconnectPort("out_left", from: "system:playback_1")),
        Case(
            "jack/connections", is: .string("binaural:out_left"), .string("system:playback_1"),
            after: { $0.studio.jack.connections = [.init(source: "binaural:out_left", destination: "system:playback_1")] }),
        Case("lifecycle", is: .string("didSave"), after: { $0.studio.lifecycle = "didSave" }),
        Case("log", is: .string("saved"), after: { $0.studio.notice = "saved" }), Case("quit", performs: .quit),
    ]

    static let midi: [Case] = [
        Case(
            "midi/list", [],
            answers: [
                Message("midi/item", [.int32(1), .string("layer/1/beat"), .int32(21), .int32(2)]),
                Message("midi/item", [.int32(2), .string("play"), .int32(64), .int32(0)]), Message("midi/end", [.int32(2)]),
            ],
            after: {
                $0.send("midi/map", .int32(21), .string("/binaural/layer/1/beat"), .int32(2))
                $0.send("midi/map", .int32(7), .string("play"))
                $0.send("midi/map", .int32(64), .string("play"), .int32(0))
            }),
        Case(
            "midi/count", is: .int32(1),
            after: {
                $0.send("midi/map", .int32(7), .string("layer/1/xy"))
                $0.send("midi/map", .int32(7), .string("stop"))
            }),
        Case("midi/learn", is: .string("")),
        Case("midi/learn", is: .string("layer/1/beat"), after: { $0.send("midi/learn", .string("layer/1/beat")) }),
        Case("midi/learn", [.string("master/gain")], performs: .learnController("master/gain")),
        Case("midi/learn", [.string("")], performs: .learnController(nil)),
        Case(
            "midi/map", [.int32(21), .string("layer/2/pan")],
            performs: .mapController(ControllerMapping(controller: 21, address: "layer/2/pan"))),
        Case(
            "midi/forget", [.string("stop")], performs: .forgetController("stop"),
            after: { $0.send("midi/map", .int32(7), .string("stop")) }),
        Case("midi/forget", [.int32(1)], performs: .forgetController("stop"), after: { $0.send("midi/map", .int32(7), .string("stop")) }),
    ]

    static let presets: [Case] = [
        Case(
            "preset/list", [],
            answers: [
                Message("preset/item", [.int32(1), .string("dawn"), .string("deep")]),
                Message("preset/item", [.int32(2), .string("dusk"), .string("deep")]), Message("preset/end", [.int32(2)]),
            ],
            after: {
                $0.send("preset/save", .string("dawn"))
                $0.send("preset/save", .string("dusk"))
            }),
        Case("preset/save", [.string("dawn")], performs: .savePreset("dawn")),
        Case("preset/load", [.string("dawn")], performs: .loadPreset("dawn")),
        Case("preset/load", [.int32(1)], performs: .loadPreset("dawn"), after: { $0.send("preset/save", .string("dawn")) }),
        Case("preset/remove", [.float(1)], performs: .removePreset("dawn"), after: { $0.send("preset/save", .string("dawn")) }),
        Case("queue/add", [.string("rain")], performs: .addItem("rain")),
    ]

    static let preferences: [Case] = [
        Case("preferences/skipIntervals", is: .float(15), .float(30), .float(60)),
        Case("preferences/skipIntervals", [.int32(10), .float(20.5)], performs: .setPreference("skipIntervals", .numbers([10, 20.5]))),
        Case("preferences/skipIntervals", [.float(0)], performs: .setPreference("skipIntervals", .numbers([0.1]))),
        Case("preferences/sleepFade", is: .float(60)),
        Case("preferences/sleepFade", [.float(1e6)], performs: .setPreference("sleepFade", .number(3600))),
        Case("preferences/sleepFade/norm", is: .float(60 / 3600.0)),
        Case("preferences/sleepFade/norm", [.float(0.5)], performs: .setPreference("sleepFade", .number(1800))),
        Case("preferences/sleepEasing", is: .string("sineIn")),
        Case("preferences/sleepEasing", [.string("linear")], performs: .setPreference("sleepEasing", .text("linear"))),
        Case("preferences/buttonWindow", is: .float(0.35)),
        Case("preferences/buttonWindow", [.float(0.3)], performs: .setPreference("buttonWindow", .number(0.3))),
        Case("preferences/buttonWindow/norm", is: .float(0.25 / 1.9)),
        Case("preferences/buttonWindow/norm", [.float(1)], performs: .setPreference("buttonWindow", .number(2))),
        Case("preferences/buttonHold", is: .float(0.5)),
        Case("preferences/buttonHold", [.float(0.75)], performs: .setPreference("buttonHold", .number(0.75))),
        Case("preferences/buttonHold/norm", is: .float(0.4 / 4.9)),
        Case("preferences/buttonHold/norm", [.int32(0)], performs: .setPreference("buttonHold", .number(0.1))),
        Case("preferences/shortFade", is: .float(0.02)),
        Case("preferences/shortFade", [.float(5)], performs: .setPreference("shortFade", .number(1))),
        Case("preferences/shortFade/norm", is: .float(0.015 / 0.995)),
        Case("preferences/shortFade/norm", [.float(1)], performs: .setPreference("shortFade", .number(1))),
        Case("preferences/crossfade", is: .float(4), after: { $0.send("preferences/crossfade", .int32(4)) }),
        Case("preferences/crossfade", [.float(2.5)], performs: .setPreference("crossfade", .number(2.5))),
        Case("preferences/crossfade/norm", is: .float(0)),
        Case("preferences/crossfade/norm", [.float(0.5)], performs: .setPreference("crossfade", .number(15))),
        Case("preferences/shake", is: .string("undo")),
        Case("preferences/shake", [.string("next")], performs: .setPreference("shake", .text("next"))),
        Case("preferences/shake", [.int32(0)], performs: .setPreference("shake", .text("none"))),
        Case("preferences/oscPort", is: .int32(7830)),
        Case("preferences/oscPort", [.int32(9000)], performs: .setPreference("oscPort", .number(9000))),
        Case("preferences/oscAddress", is: .string("127.0.0.1")),
        Case("preferences/oscAddress", [.string("0.0.0.0")], performs: .setPreference("oscAddress", .text("0.0.0.0"))),
        Case("preferences/startSession", is: .string("")),
        Case("preferences/startSession", [.string("night")], performs: .setPreference("startSession", .text("night"))),
        Case("preferences/connect", is: .string("auto")),
        Case("preferences/connect", [.string("system:.*")], performs: .setPreference("connect", .text("system:.*"))),
    ]

    static func faders(_ layer: Int, _ parameters: Parameter...) -> [Fader] { parameters.map { .parameter($0, layer: layer) } }

    /// Each parameter of each layer that has it, by its own name and by its norm's.
    static let touch: [Case] =
        touchOfAll + touchTogether + touchOfLayers + [
            Case("touch/mode", is: .string("latch")),
            Case("touch/mode", [.string("return")], performs: .changeTouchMode(to: .return)),
            Case("touch/mode", [.int32(0)], performs: .changeTouchMode(to: .latch)),
        ]

    private static let touchOfAll: [Case] = ["master/gain", "master/gain/norm", "tuning/a4", "tuning/a4/norm"].flatMap { path -> [Case] in
        let fader: Fader = path.hasPrefix("master") ? .masterGain : .a4
        return [Case("touch/\(path)", is: .int32(0)), Case("touch/\(path)", [.int32(1)], performs: .touch(fader, true))]
    }

    private static let touchTogether: [Case] = [
        Case("touch/layer/1/xy", is: .int32(1), after: { $0.send("touch/layer/1/gain", .int32(1)) }),
        Case("touch/layer/1/xy", [.int32(1)], performs: .touchTogether(faders(0, .beat, .gain), true)),
        Case("touch/layer/1/xy", [.int32(0)], performs: .touchTogether(faders(0, .beat, .gain), false)),
        Case("touch/layer/4/note", is: .int32(1), after: { $0.send("touch/layer/4/carrier", .int32(1)) }),
        Case("touch/layer/4/note", [.int32(1)], performs: .touch(.parameter(.carrier, layer: 3), true)),
    ]

    private static let touchOfLayers: [Case] = [
        (0, Parameter.carrier), (0, .beat), (2, .pulseRate), (2, .duty), (2, .edge), (5, .decay), (6, .delay), (7, .depth), (10, .attack),
        (10, .release), (3, .phase),
        (1, .gain), (4, .pan), (0, .width), (1, .correlation),
    ]
    .flatMap { layer, parameter -> [Case] in
        ["", "/norm"].flatMap { suffix -> [Case] in
            let path = "touch/layer/\(layer + 1)/\(parameter.rawValue)\(suffix)"
            let fader = Fader.parameter(parameter, layer: layer)
            return [
                Case(path, is: .int32(1), after: { $0.receive(.message(Message("/binaural/\(path)", [.true]))) }),
                Case(path, [.float(0)], performs: .touch(fader, false)), Case(path, [.int32(1)], performs: .touch(fader, true)),
            ]
        }
    }

    static let cases = conversation + transport + listener + nowPlaying + layers + touch + rest + presets + midi + preferences

    @Test("Does what it says", arguments: cases.indices)
    func performs(index: Int) {
        let testCase = Self.cases[index]
        let rig = Rig()
        testCase.prepare(rig)
        rig.change { $0.nowPlaying.update(from: $0.player.state, at: $0.moment) }
        rig.drop()
        rig.studio.performed = []
        rig.receive(.message(Message("/binaural/" + testCase.path, testCase.arguments)))
        switch testCase.outcome {
        case .answers(let messages):
            let answers = rig.messages()
            #expect(answers.map(\.address) == messages.map(\.address))
            for (answer, message) in zip(answers, messages) {
                #expect(
                    answer.arguments.isClose(to: message.arguments), "\(testCase.path): \(answer.arguments) is not \(message.arguments)")
            }
            #expect(rig.studio.performed.isEmpty)
        case .performs(let commands):
            #expect(rig.studio.performed.count == commands.count)
            for (done, command) in zip(rig.studio.performed, commands) {
                #expect(done.isClose(to: command), "\(testCase.path): \(done) is not \(command)")
            }
        }
    }

    @Test("Has a case for each way in which it can be used")
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

    @Test("Answers with the types it says, and only those that the contract allows")
    func outgoingTypes() {
        for testCase in Self.cases where testCase.arguments.isEmpty {
            let rig = Rig()
            testCase.prepare(rig)
            rig.change { $0.nowPlaying.update(from: $0.player.state, at: $0.moment) }
            rig.drop()
            rig.receive(.message(Message("/binaural/" + testCase.path)))
            guard let row = AddressTable.standard.rows.first(where: { $0.path == testCase.path.asRowPath }), row.access != .write else {
                continue
            }
            for answer in rig.messages() where answer.address == testCase.path {
                let isRepeated = row.outputs.hasSuffix("…")
                #expect(isRepeated ? answer.typeTags.allSatisfy { row.outputs.hasPrefix(String($0)) } : answer.typeTags == row.outputs)
                #expect(answer.typeTags.allSatisfy { "ifsthb".contains($0) })
            }
        }
    }

    @Test("Is described in at most 96 bytes, and every path once")
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

extension [Argument] {
    /// Floats went through single precision and a curve: a millionth is room enough for both.
    func isClose(to other: [Argument]) -> Bool {
        count == other.count
            && zip(self, other).allSatisfy { one, two in
                if case .float(let a) = one, case .float(let b) = two { abs(a - b) <= 1e-6 * Swift.max(1, abs(b)) } else { one == two }
            }
    }
}

extension Command {
    func isClose(to other: Command) -> Bool {
        // The seed is drawn anew each time.
        if case .changeShuffleMode(let mine, _) = self, case .changeShuffleMode(let theirs, _) = other { return mine == theirs }
        if case .changeRate(let mine) = self, case .changeRate(let theirs) = other { return abs(mine - theirs) <= 1e-6 * theirs }
        guard case .set(let mine, let ramp) = self, case .set(let theirs, let otherRamp) = other else { return self == other }
        return mine.layer == theirs.layer && mine.parameter == theirs.parameter && ramp == otherRamp
            && abs(mine.value - theirs.value) <= 1e-6 * max(1, abs(theirs.value))
    }
}
