import Foundation
import OSC
import OSCRemote
import Patches
import Playback
import Testing

/// The mixer, queue, sessions, MIDI, presets and preferences.
extension RowTests {
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
                OSCMessage("queue/item", [.int32(1), .string("deep"), .string("Deep")]),
                OSCMessage("queue/item", [.int32(2), .string("reference-tone"), .string("A4")]),
                OSCMessage("queue/item", [.int32(3), .string("gone"), .string("gone (cannot be played)")]),
                OSCMessage("queue/end", [.int32(3)]),
            ]),
        Case("queue/select", [.int32(2)], performs: .selectItem(1)), Case("queue/select/enabled", is: .int32(1)),
        Case(
            "session/list", [],
            answers: [
                OSCMessage("session/item", [.int32(1), .string("welcome")]), OSCMessage("session/item", [.int32(2), .string("night")]),
                OSCMessage("session/end", [.int32(2)]),
            ]),
        Case("session/name", is: .string("night"), after: { $0.receiver.session.name = "night" }),
        Case(
            "chapter/list", [],
            answers: [
                OSCMessage("chapter/item", [.int32(1), .float(0), .string("Settle")]),
                OSCMessage("chapter/item", [.int32(2), .float(100), .string("Drop")]),
                OSCMessage("chapter/item", [.int32(3), .float(300), .string("Stay")]), OSCMessage("chapter/end", [.int32(3)]),
            ]),
        Case("chapter/list", [], answers: [OSCMessage("chapter/end", [.int32(0)])], after: { $0.send("queue/select", .int32(2)) }),
        Case(
            "bookmark/list", [],
            answers: [
                OSCMessage("bookmark/item", [.int32(1), .float(12.5)]), OSCMessage("bookmark/item", [.int32(2), .float(60)]),
                OSCMessage("bookmark/end", [.int32(2)]),
            ],
            after: { server in
                for position in [60, 12.5] as [Float] {
                    server.send("position", .float(position))
                    server.send("bookmark", .int32(1))
                }
            }),
        Case("bookmark/list", [], answers: [OSCMessage("bookmark/end", [.int32(0)])]),
        Case("session/load", [.string("night")], performs: .application(.loadSession("night"))),
        Case("session/save", performs: .application(.saveSession(nil))),
        Case("session/save", [.string("mine")], performs: .application(.saveSession("mine"))),
        Case("session/dirty", is: .int32(1), after: { $0.receiver.session.isDirty = true }), Case("transport/tempo", is: .float(0)),
        Case("transport/tempo", is: .float(132), after: { server in server.change { $0.player.follow(tempo: 132) } }),
        Case("jack/state", is: .string("running")),
        Case("jack/reconnect", performs: .application(.reconnectJACK)),
        Case(
            "jack/connect", [.string("out_left"), .string("system:playback_1")],
            performs: .application(.connectPort("out_left", to: "system:playback_1"))),
        Case(
            "jack/disconnect", [.string("out_left"), .string("system:playback_1")],
            performs: .application(.disconnectPort("out_left", from: "system:playback_1"))),
        Case("jack/forget", performs: .application(.forgetPort(nil))),
        Case("jack/forget", [.string("other:input_1")], performs: .application(.forgetPort("other:input_1"))),
        Case(
            "jack/connections", is: .string("binaural:out_left"), .string("system:playback_1"),
            after: { $0.receiver.jack.connections = [.init(source: "binaural:out_left", destination: "system:playback_1")] }),
        Case("lifecycle", is: .string("didSave"), after: { $0.receiver.lifecycle = "didSave" }),
        Case("log", is: .string("saved"), after: { $0.receiver.notice = "saved" }), Case("quit", performs: .application(.quit)),
    ]

    static let midi: [Case] = [
        Case(
            "midi/list", [],
            answers: [
                OSCMessage("midi/item", [.int32(1), .string("layer/1/beat"), .int32(21), .int32(2)]),
                OSCMessage("midi/item", [.int32(2), .string("play"), .int32(64), .int32(0)]), OSCMessage("midi/end", [.int32(2)]),
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
                OSCMessage("preset/item", [.int32(1), .string("dawn"), .string("deep")]),
                OSCMessage("preset/item", [.int32(2), .string("dusk"), .string("deep")]), OSCMessage("preset/end", [.int32(2)]),
            ],
            after: {
                $0.send("preset/save", .string("dawn"))
                $0.send("preset/save", .string("dusk"))
            }),
        Case("preset/save", [.string("dawn")], performs: .savePreset("dawn")),
        Case("preset/load", [.string("dawn")], performs: .loadPreset("dawn")),
        Case("preset/load", [.int32(1)], performs: .loadPreset("dawn"), after: { $0.send("preset/save", .string("dawn")) }),
        Case("preset/remove", [.float(1)], performs: .removePreset("dawn"), after: { $0.send("preset/save", .string("dawn")) }),
        Case(
            "patch/list", [],
            answers: [
                OSCMessage("patch/item", [.int32(1), .string("drone"), .string("Drone"), .float(0), .string("user's folder")]),
                OSCMessage(
                    "patch/item", [.int32(2), .string("rain"), .string("Rain on a roof"), .float(600), .string("came with the program")]),
                OSCMessage("patch/end", [.int32(2), .int32(2)]),
            ]),
        Case(
            "patch/list", [.string("rain")],
            answers: [
                OSCMessage(
                    "patch/item", [.int32(1), .string("rain"), .string("Rain on a roof"), .float(600), .string("came with the program")]),
                OSCMessage("patch/end", [.int32(1), .int32(1)]),
            ]),
        Case(
            "patch/list", [.string("rain")],
            answers: [
                OSCMessage(
                    "error",
                    [
                        .string("/binaural/patch/list"), .int32(409),
                        .string("Other searches are being made, or memory is short: try again in a moment."),
                    ])
            ], after: { $0.receiver.isSearching = true }),
        Case("patch/save", [.string("mine")], performs: .savePatch("mine", overwrites: false)),
        Case("patch/save", [.string("mine"), .int32(1)], performs: .savePatch("mine", overwrites: true)),
        Case("queue/play", [.string("rain")], performs: .openItem("rain")),
        Case("queue/play", [.int32(2)], performs: .playItem(1)),
        Case("queue/play", [.string("/a b.yaml")], performs: .openFile("/a b.yaml")),
        Case("queue/add", [.string("rain")], performs: .addItem("rain")),
        Case("queue/relink", [.int32(1), .string("rain")], performs: .relinkItem(0, "rain")),
        Case("queue/add", [.string("rain"), .string("next")], performs: .addItem("rain", .next)),
        Case("queue/add", [.string("/a b.yaml"), .int32(1)], performs: .addFile("/a b.yaml", .next)),
    ]

    static let preferences: [Case] = [
        Case("preferences/skipIntervals", is: .float(15), .float(30), .float(60)),
        Case(
            "preferences/skipIntervals", [.int32(10), .float(20.5)],
            performs: .application(.setPreference("skipIntervals", .numbers([10, 20.5])))),
        Case("preferences/skipIntervals", [.float(0)], performs: .application(.setPreference("skipIntervals", .numbers([0.1])))),
        Case("preferences/sleepFade", is: .float(60)),
        Case("preferences/sleepFade", [.float(1e6)], performs: .application(.setPreference("sleepFade", .number(3600)))),
        Case("preferences/sleepFade/norm", is: .float(60 / 3600.0)),
        Case("preferences/sleepFade/norm", [.float(0.5)], performs: .application(.setPreference("sleepFade", .number(1800)))),
        Case("preferences/sleepEasing", is: .string("sineIn")),
        Case("preferences/sleepEasing", [.string("linear")], performs: .application(.setPreference("sleepEasing", .text("linear")))),
        Case("preferences/buttonWindow", is: .float(0.35)),
        Case("preferences/buttonWindow", [.float(0.3)], performs: .application(.setPreference("buttonWindow", .number(0.3)))),
        Case("preferences/buttonWindow/norm", is: .float(0.25 / 1.9)),
        Case("preferences/buttonWindow/norm", [.float(1)], performs: .application(.setPreference("buttonWindow", .number(2)))),
        Case("preferences/buttonHold", is: .float(0.5)),
        Case("preferences/buttonHold", [.float(0.75)], performs: .application(.setPreference("buttonHold", .number(0.75)))),
        Case("preferences/buttonHold/norm", is: .float(0.4 / 4.9)),
        Case("preferences/buttonHold/norm", [.int32(0)], performs: .application(.setPreference("buttonHold", .number(0.1)))),
        Case("preferences/shortFade", is: .float(0.02)),
        Case("preferences/shortFade", [.float(5)], performs: .application(.setPreference("shortFade", .number(1)))),
        Case("preferences/shortFade/norm", is: .float(0.015 / 0.995)),
        Case("preferences/shortFade/norm", [.float(1)], performs: .application(.setPreference("shortFade", .number(1)))),
        Case("preferences/crossfade", is: .float(4), after: { $0.send("preferences/crossfade", .int32(4)) }),
        Case("preferences/crossfade", [.float(2.5)], performs: .application(.setPreference("crossfade", .number(2.5)))),
        Case("preferences/crossfade/norm", is: .float(0)),
        Case("preferences/crossfade/norm", [.float(0.5)], performs: .application(.setPreference("crossfade", .number(15)))),
        Case("preferences/softStart", is: .float(1)),
        Case("preferences/softStart", [.float(99)], performs: .application(.setPreference("softStart", .number(10)))),
        Case("preferences/softStart/norm", is: .float(0.1)),
        Case("preferences/softStart/norm", [.float(0)], performs: .application(.setPreference("softStart", .number(0)))),
        Case("preferences/maximumLevel", is: .float(0)),
        Case("preferences/maximumLevel", [.float(6)], performs: .application(.setPreference("maximumLevel", .number(0)))),
        Case("preferences/maximumLevel/norm", is: .float(1)),
        Case("preferences/maximumLevel/norm", [.float(0.5)], performs: .application(.setPreference("maximumLevel", .number(-30)))),
        Case("preferences/shake", is: .string("undo")),
        Case("preferences/shake", [.string("next")], performs: .application(.setPreference("shake", .text("next")))),
        Case("preferences/shake", [.int32(0)], performs: .application(.setPreference("shake", .text("none")))),
        Case("preferences/oscPort", is: .int32(7830)),
        Case("preferences/oscPort", [.int32(9000)], performs: .application(.setPreference("oscPort", .number(9000)))),
        Case("preferences/oscAddress", is: .string("127.0.0.1")),
        Case("preferences/oscAddress", [.string("0.0.0.0")], performs: .application(.setPreference("oscAddress", .text("0.0.0.0")))),
        Case("preferences/startSession", is: .string("")),
        Case("preferences/startSession", [.string("night")], performs: .application(.setPreference("startSession", .text("night")))),
        Case("preferences/connect", is: .string("auto")),
        Case("preferences/connect", [.string("system:.*")], performs: .application(.setPreference("connect", .text("system:.*")))),
        Case("preferences/oscListen", is: .string("")),
        Case(
            "preferences/oscListen", [.string("0.0.0.0"), .string("unix:/run/x")],
            performs: .application(.setPreference("oscListen", .texts(["0.0.0.0", "unix:/run/x"])))),
        Case("preferences/oscAllow", is: .string("")),
        Case("preferences/oscAllow", [.string("::1/64=view")], performs: .application(.setPreference("oscAllow", .texts(["::1/64=view"])))),
        Case("preferences/oscFeedback", is: .string("")),
        Case(
            "preferences/oscFeedback", [.string("[::1]:9000=now,tick/4")],
            performs: .application(.setPreference("oscFeedback", .texts(["[::1]:9000=now,tick/4"])))),
        Case("preferences/transport", is: .string("session")),
        Case("preferences/transport", [.string("follow")], performs: .application(.setPreference("transport", .text("follow")))),
        Case("preferences/zeroconf", is: .string("auto")),
        Case("preferences/zeroconf", [.int32(1)], performs: .application(.setPreference("zeroconf", .text("off")))),
        Case("preferences/outputs", is: .string("mix")),
        Case("preferences/outputs", [.int32(1)], performs: .application(.setPreference("outputs", .text("layers")))),
        Case("preferences/web", is: .string("off")),
        Case("preferences/web", [.string("7881")], performs: .application(.setPreference("web", .text("7881")))),
        Case("preferences/webListen", is: .string("")),
        Case("preferences/webListen", [.string("0.0.0.0")], performs: .application(.setPreference("webListen", .texts(["0.0.0.0"])))),
        Case("preferences/webHost", is: .string("")),
        Case(
            "preferences/webHost", [.string("studio.example.org")],
            performs: .application(.setPreference("webHost", .texts(["studio.example.org"])))),
        Case("preferences/webProxy", is: .int32(0)),
        Case("preferences/webProxy", [.int32(7881)], performs: .application(.setPreference("webProxy", .number(7881)))),
        Case("preferences/mpris", is: .string("auto")),
        Case("preferences/mpris", [.string("off")], performs: .application(.setPreference("mpris", .text("off")))),
        Case("preferences/inhibitSleep", is: .string("auto")),
        Case("preferences/inhibitSleep", [.int32(1)], performs: .application(.setPreference("inhibitSleep", .text("on")))),
    ]
}
