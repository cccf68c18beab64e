import OSC
import ProgramSupport
import TestSupport
import Testing

@Suite("ctl")
struct CtlTests {
    let environment: IsolatedEnvironment

    init() throws { environment = try IsolatedEnvironment() }

    private func ctl(_ arguments: String...) async throws -> FinishedProgram {
        let patience = arguments.contains("--wait") ? [] : ["--wait", Patience.seconds]
        return try await RunningProgram.run(
            try PackageRoot.program(), ["ctl"] + patience + arguments, environment: environment.variables)
    }

    static let messages: [([String], OSCMessage)] = [
        (["play"], OSCMessage("/binaural/play")),
        (["/binaural/play"], OSCMessage("/binaural/play")),
        (["/ping"], OSCMessage("/ping")),
        (["layer/1/gain", "-20"], OSCMessage("/binaural/layer/1/gain", [.int32(-20)])),
        (["layer/1/gain", "-20.5", "-.5", "1e1"], OSCMessage("/binaural/layer/1/gain", [.float(-20.5), .float(-0.5), .float(10)])),
        (["layer/1/beat", "4", "10.0", "sineInOut"], OSCMessage("/binaural/layer/1/beat", [.int32(4), .float(10), .string("sineInOut")])),
        (["layer/1/mute", "T"], OSCMessage("/binaural/layer/1/mute", [.true])),
        (["layer/1/mute", "false"], OSCMessage("/binaural/layer/1/mute", [.false])),
        (["session/load", "\"7\""], OSCMessage("/binaural/session/load", [.string("7")])),
        (["session/load", "'T'"], OSCMessage("/binaural/session/load", [.string("T")])),
        (["session/load", "--", "-x", "--wait"], OSCMessage("/binaural/session/load", [.string("-x"), .string("--wait")])),
        (["session/load", "deep sleep"], OSCMessage("/binaural/session/load", [.string("deep sleep")])),
        (["now/frame", "123456789012"], OSCMessage("/binaural/now/frame", [.int64(123_456_789_012)])),
        (["session/load", "nan"], OSCMessage("/binaural/session/load", [.string("nan")])),
    ]

    @Test("an address and words become one message", arguments: messages)
    func message(words: [String], expected: OSCMessage) async throws {
        let instance = try StubInstance.agreeing()
        defer { keepAlive(instance) }
        try instance.announce(as: "binaural", in: environment)
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["ctl", "--wait", Patience.seconds] + words, environment: environment.variables)
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(instance.heard.value.filter { !["/binaural/replies", "/binaural/sync"].contains($0.address) } == [expected])
    }

    @Test("an answer is printed as address and values, and as nothing else")
    func answer() async throws {
        let instance = try StubInstance.agreeing { message in
            guard message.address == "/binaural/now/title" else { return [] }
            return [
                OSCMessage(
                    message.address, [.string("Deep alpha"), .int32(3), .float(-20.5), .true, .string("x"), .string("7"), .string("")])
            ]
        }
        defer { keepAlive(instance) }
        try instance.announce(as: "binaural", in: environment)
        let run = try await ctl("now/title")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.outputLines == [#"/binaural/now/title "Deep alpha" 3 -20.5 T x "7" """#])
    }

    @Test("a success without an answer is reported by the reply")
    func reply() async throws {
        let instance = try StubInstance.agreeing()
        defer { keepAlive(instance) }
        try instance.announce(as: "binaural", in: environment)
        let run = try await ctl("play")
        #expect(run.outputLines == ["/binaural/reply /binaural/play 0 queue"])
    }

    @Test("an error is a sentence on standard error, and the exit status is 1")
    func refused() async throws {
        let instance = try StubInstance { message in
            if message.address == "/binaural/sync" { return [OSCMessage("/binaural/synced", message.arguments)] }
            guard message.address == "/binaural/pause" else { return [] }
            return [
                OSCMessage("/binaural/error", [.string(message.address), .int32(405), .string("Nothing is playing: send play first.")])
            ]
        }
        defer { keepAlive(instance) }
        try instance.announce(as: "binaural", in: environment)
        let run = try await ctl("pause")
        #expect(run.exit == .code(1))
        #expect(run.outputLines == [])
        #expect(run.errorLines == ["binaural: error: /binaural/pause: Nothing is playing: send play first. (code 405)"])
    }

    /// A message, and what people are shown of it.
    static let readable: [(OSCMessage, String)] = [
        (OSCMessage("/binaural/layer/1/beat", [.float(10)]), "layer/1/beat 10 Hz"),
        (OSCMessage("/binaural/layer/bed/gain", [.float(-23.999998)]), "layer/bed/gain -24 dB"),
        (OSCMessage("/binaural/position", [.float(90)]), "position 1:30"),
        (OSCMessage("/binaural/now/elapsed", [.float(3723.46)]), "now/elapsed 1:02:03.5"),
        (OSCMessage("/binaural/skip/intervals", [.float(15), .float(90)]), "skip/intervals 0:15 1:30"),
        (OSCMessage("/binaural/preferences/crossfade", [.float(0.35)]), "preferences/crossfade 0.35 s"),
        (OSCMessage("/binaural/layer/1/mute", [.int32(1)]), "layer/1/mute on"),
        (OSCMessage("/binaural/play/enabled", [.int32(0)]), "play/enabled off"),
        (OSCMessage("/binaural/repeat", [.string("off")]), "repeat off"), (OSCMessage("/binaural/now/frame", [.int64(7)]), "now/frame 7"),
        (OSCMessage("/binaural/now/title", [.string("Deep alpha")]), #"now/title "Deep alpha""#),
        (OSCMessage("/binaural/now/chapter", [.int32(2), .int32(3), .string("Drop")]), "now/chapter number 2, of 3, title Drop"),
        (OSCMessage("/binaural/sleep", [.float(1800), .float(60), .string("sineIn")]), "sleep in 30:00, fade 1:00, easing sineIn"),
        (
            OSCMessage(
                "/binaural/status", [.string("running"), .int32(48_000), .int32(256), .float(1.25), .float(3), .int32(2), .int32(0)]),
            "status JACK running, sample rate 48000 Hz, buffer 256 frames, load 1.3 %, peak load 3 %, xruns 2, guard actions 0"
        ),
        (OSCMessage("/binaural/status", [.string("of another version"), .float(.nan)]), #"status "of another version" nan"#),
        (OSCMessage("/binaural/some/new/address", [.float(1.5), .string("x")]), "some/new/address 1.5 x"),
        (OSCMessage("/binaural/layer/1/gain", [.float(.infinity)]), "layer/1/gain inf dB"),
    ]

    @Test("for people, values have units, times are 1:30, flags on and off, and several values their names; --raw prints the message")
    func units() async throws {
        let instance = try StubInstance.agreeing { message in
            message.address == "/binaural/every" ? Self.readable.map(\.0) : []
        }
        defer { keepAlive(instance) }
        try instance.announce(as: "binaural", in: environment)
        #expect(try await ctl("--units", "every").outputLines == Self.readable.map(\.1) + ["every: done"])
        let raw = try await ctl("every").outputLines
        #expect(raw.first == "/binaural/layer/1/beat 10.0", "programs get what they always got")
        #expect(try await ctl("--raw", "every").outputLines == raw)
        #expect(try await ctl("--no-units", "every").outputLines == raw)
        #expect(try await ctl("--raw", "--units", "every").exit == .code(64))
    }

    /// A command, the values that are read afterwards, and what people are shown.
    static let commands: [([String], [OSCMessage], String)] = [
        (["master/gain", "3"], [OSCMessage("/binaural/master/gain", [.float(0)])], "master/gain 0 dB (asked for +3)"),
        (["master/gain", "-6"], [OSCMessage("/binaural/master/gain", [.float(-6)])], "master/gain -6 dB"),
        (["layer/bed/beat", "4", "10"], [OSCMessage("/binaural/layer/bed/beat", [.float(4)])], "layer/bed/beat 4 Hz in 10 s"),
        (
            ["layer/1/beat", "500", "10"], [OSCMessage("/binaural/layer/1/beat", [.float(100)])],
            "layer/1/beat 100 Hz in 10 s (asked for 500)"
        ),
        (["layer/1/mute", "on"], [OSCMessage("/binaural/layer/1/mute", [.int32(1)])], "layer/1/mute on"),
        (
            ["sleep", "30:00"], [OSCMessage("/binaural/sleep", [.float(1799.98), .float(60), .string("sineIn")])],
            "sleep in 30:00, fade 1:00, easing sineIn"
        ),
        (["repeat", "2"], [OSCMessage("/binaural/repeat", [.string("all")])], "repeat all"),
        (["layer/1/note", "A3"], [OSCMessage("/binaural/layer/1/note", [.int32(57)])], "layer/1/note A3"),
        (["preset/save", "my preset"], [], "preset/save: done"), (["some/new/command"], [], "some/new/command: done"),
        (
            ["next"],
            [
                OSCMessage("/binaural/now/state", [.string("playing")]), OSCMessage("/binaural/now/title", [.string("Deep alpha")]),
                OSCMessage("/binaural/now/elapsed", [.float(100.7)]), OSCMessage("/binaural/now/duration", [.float(600)]),
                OSCMessage("/binaural/now/chapter", [.int32(2), .int32(3), .string("Drop")]),
                OSCMessage("/binaural/now/queue", [.int32(1), .int32(5)]),
            ], "playing Deep alpha, 2/3 Drop, 1:40 / 10:00"
        ),
        (["session/load", "empty"], [OSCMessage("/binaural/now/queue", [.int32(0), .int32(0)])], "The queue is empty."),
    ]

    @Test("for people, a command prints the value that it reached and what was asked, or what is playing now", arguments: commands)
    func reached(words: [String], values: [OSCMessage], line: String) async throws {
        let instance = try StubInstance.agreeing { message in
            guard message.arguments.isEmpty else { return [] }
            return message.address == "/binaural/now/*" ? values : values.filter { $0.address == message.address }
        }
        defer { keepAlive(instance) }
        try instance.announce(as: "binaural", in: environment)
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["ctl", "--units", "--wait", Patience.seconds] + words, environment: environment.variables)
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.outputLines == [line], "\(run.summary)")
        let raw = try await RunningProgram.run(
            try PackageRoot.program(), ["ctl", "--wait", Patience.seconds] + words, environment: environment.variables)
        #expect(raw.outputLines == ["/binaural/reply /binaural/\(words[0]) 0 queue"])
    }

    @Test("for people, an error is about the relative address, without its code")
    func readableError() async throws {
        let instance = try StubInstance { message in
            if message.address == "/binaural/sync" { return [OSCMessage("/binaural/synced", message.arguments)] }
            guard message.address == "/binaural/pause" else { return [] }
            return [
                OSCMessage("/binaural/error", [.string(message.address), .int32(405), .string("Nothing is playing: send play first.")])
            ]
        }
        defer { keepAlive(instance) }
        try instance.announce(as: "binaural", in: environment)
        let run = try await ctl("--units", "pause")
        #expect(run.exit == .code(1))
        #expect(run.outputLines == [])
        #expect(run.errorLines == ["binaural: error: pause: Nothing is playing: send play first."])
    }

    @Test("times and switches are understood as they are printed, where the address takes them")
    func understood() async throws {
        let instance = try StubInstance.agreeing()
        defer { keepAlive(instance) }
        try instance.announce(as: "binaural", in: environment)
        for (words, expected) in [
            (["position", "1:30"], [OSCArgument.double(90)]), (["skip/by", "-0:10"], [.double(-10)]),
            (["layer/bed/mute", "off"], [.false]), (["layer/*/mute", "on"], [.true]), (["touch/layer/1/gain", "on"], [.true]),
            (["session/load", "1:30"], [.string("1:30")]), (["session/load", "on"], [.string("on")]),
            (["repeat", "off"], [.string("off")]),
            (["position", "1:99"], [.string("1:99")]), (["position", "::"], [.string("::")]),
        ] {
            let run = try await RunningProgram.run(
                try PackageRoot.program(), ["ctl", "--wait", Patience.seconds] + words, environment: environment.variables)
            #expect(run.exit == .code(0), "\(run.summary)")
            #expect(instance.heard.value.last { $0.address == "/binaural/" + words[0] }?.arguments == expected, "\(words)")
        }
    }

    @Test("a pattern prints what every address answers, and every refusal")
    func pattern() async throws {
        let instance = try StubInstance { message in
            let layers = (1...3).map { "/binaural/layer/\($0)/beat" }
            switch (message.address, message.arguments.isEmpty) {
            case ("/binaural/sync", _): return [OSCMessage("/binaural/synced", message.arguments)]
            case ("/binaural/layer/*/beat", true): return layers.map { OSCMessage($0, [.float(4)]) }
            case ("/binaural/layer/*/beat", false):
                return layers.prefix(2).map { OSCMessage("/binaural/reply", [.string($0), .int32(0), .string("layer")]) }
                    + ["Taken.", "Still taken."].map { OSCMessage("/binaural/error", [.string(layers[2]), .int32(409), .string($0)]) }
            default: return [OSCMessage("/binaural/reply", [.string(message.address), .int32(0), .string("server")])]
            }
        }
        defer { keepAlive(instance) }
        try instance.announce(as: "binaural", in: environment)
        let get = try await ctl("layer/*/beat")
        #expect(get.outputLines == (1...3).map { "/binaural/layer/\($0)/beat 4.0" })
        #expect(get.exit == .code(0))
        let set = try await ctl("layer/*/beat", "7")
        #expect(set.outputLines == (1...2).map { "/binaural/reply /binaural/layer/\($0)/beat 0 layer" })
        #expect(
            set.errorLines == ["Taken.", "Still taken."].map { "binaural: error: /binaural/layer/3/beat: \($0) (code 409)" })
        #expect(set.exit == .code(1))
    }

    @Test("without an answer ctl waits as long as requested, and exits with 69")
    func silence() async throws {
        let instance = try StubInstance { _ in [] }
        defer { keepAlive(instance) }
        let clock = ContinuousClock()
        let start = clock.now
        let run = try await ctl("--to", "\(instance.endpoint)", "--wait", "0.3", "play")
        #expect(clock.now - start >= .milliseconds(300))
        #expect(run.exit == .code(69))
        #expect(run.errorLines == ["binaural: error: No answer from \(instance.endpoint) within 0.3 s (address from --to)."])
    }

    @Test("if an instance that has ended left its file behind, ctl exits with 69 without waiting")
    func gone() async throws {
        do {
            // Bound and closed again, so the port is unused now.
            let socket = try UDPSocket(boundTo: Endpoint(host: .loopback, port: 0))
            let folder = try environment.variables["XDG_RUNTIME_DIR"].orThrow("no XDG_RUNTIME_DIR") + "/binaural"
            _ = try await RunningProgram.run("mkdir", ["-p", folder])
            try "osc.udp://\(socket.localEndpoint)/".write(toFile: folder + "/binaural.url", atomically: true, encoding: .utf8)
        }
        let run = try await ctl("play")
        #expect(run.exit == .code(69))
        #expect(run.errors.contains("Nothing is listening at 127.0.0.1:"))
        #expect(run.errors.contains("binaural/binaural.url). Start an instance with 'binaural play'."))
    }

    @Test("with several instances the one named binaural is used, or one has to be named")
    func several() async throws {
        let left = try StubInstance.agreeing()
        defer { keepAlive(left) }
        try left.announce(as: "left", in: environment)
        #expect(try await ctl("play").exit == .code(0), "the only one there is")

        let right = try StubInstance.agreeing()
        defer { keepAlive(right) }
        try right.announce(as: "right", in: environment)
        let unclear = try await ctl("play")
        #expect(unclear.exit == .code(69))
        #expect(unclear.errorLines == ["binaural: error: Several instances are running: left, right. Choose one with --client NAME."])
        #expect(try await ctl("--client", "right", "stop").exit == .code(0))
        #expect(right.heard.value.contains(OSCMessage("/binaural/stop")))

        let main = try StubInstance.agreeing()
        defer { keepAlive(main) }
        try main.announce(as: "binaural", in: environment)
        #expect(try await ctl("next").exit == .code(0))
        #expect(main.heard.value.contains(OSCMessage("/binaural/next")))
    }

    @Test("without an instance, or with an unusable file, there is a remedy, and the status is 69")
    func nobody() async throws {
        let nobody = try await ctl("play")
        #expect(nobody.exit == .code(69))
        #expect(nobody.errors.contains("No instance is running: there is no address in "), "\(nobody.summary)")
        #expect(nobody.errors.contains("/binaural/binaural.url. Start one with 'binaural play'."))

        let instance = try StubInstance.agreeing()
        defer { keepAlive(instance) }
        try instance.announce(as: "binaural", in: environment)
        let folder = try environment.variables["XDG_RUNTIME_DIR"].orThrow("no XDG_RUNTIME_DIR")
        try "rubbish".write(toFile: folder + "/binaural/binaural.url", atomically: true, encoding: .utf8)
        let rubbish = try await ctl("play")
        #expect(rubbish.exit == .code(69))
        #expect(rubbish.errors.contains("does not contain an address"), "\(rubbish.summary)")
    }

    static let refusals: [([String], String)] = [
        (["nothing"], "/binaural/nothing: There is no such address: /binaural/describe lists all addresses. (code 404)"),
        (["nowt/title"], "/binaural/nowt/title: There is no such address: did you mean now/title? (code 404)"),
        (["layer/binaral1/gain"], "/binaural/layer/binaral1/gain: There is no layer 'binaral1': did you mean binaural1? (code 404)"),
        (
            ["layer/1", "5"],
            "/binaural/layer/1: This address can only be read: what can be set is below it, as describe lists it. (code 404)"
        ),
        (["describe", "layer/1/gainn"], "/binaural/describe: There is no address 'layer/1/gainn': did you mean layer/1/gain? (code 404)"),
        (["layer/9/gain"], "/binaural/layer/9/gain: There is no such layer: the current item has 2. (code 404)"),
        (["layer/2/beat", "4"], "/binaural/layer/2/beat: A noise layer has no beat. (code 501)"),
        (["repeat", "maybe"], "/binaural/repeat: mode has to be off, one, all, or a whole number from 0 to 2. (code 400)"),
        (["layer/1/beat", "x"], "/binaural/layer/1/beat: beat has to be a number. (code 400)"),
        (
            ["layer/1/beat", "4", "1", "up"],
            "/binaural/layer/1/beat: easing has to be a name such as linear, or a whole number from 0 to 30. (code 400)"
        ),
        (
            ["layer/1/beat", "4", "1", "2.5"],
            "/binaural/layer/1/beat: easing has to be a name such as linear, or a whole number from 0 to 30. (code 400)"
        ),
        (["layer/1/beat", "4", "1e9"], "/binaural/layer/1/beat: ramp has to be 0 to 86400 s. (code 400)"),
        (
            ["preset/save", "my", "preset"],
            "/binaural/preset/save: Too many arguments: 2 instead of at most 1. Put a text with spaces in quotes. (code 400)"
        ),
        (["play", "1", "0"], "/binaural/play: Too many arguments: 2 instead of at most 1. Send 1 to press, 0 to release. (code 400)"),
        (["now/title", "5"], "/binaural/now/title: This can only be read: send the address without arguments. (code 400)"),
        (
            ["layer/*/reset"],
            "/binaural/layer/*/reset: A pattern without arguments only reads, but this one matches only commands: send 1 to press. (code 400)"
        ),
        (["skip/by"], "/binaural/skip/by: An argument is missing: seconds. (code 400)"),
        (["layer/[/beat", "4"], "/binaural/layer/[/beat: The address pattern is malformed: a [ has no ]. (code 400)"),
        (["session/load", "../x"], "/binaural/session/load: Send the session's name as in session/list, not a path. (code 400)"),
        (["queue/select", "9"], "/binaural/queue/select: There is no item 9: the queue has 1. (code 100)"),
        (["next"], "/binaural/next: This is the last chapter of the last item: set repeat to all, or select an item. (code 405)"),
    ]

    @Test("a refusal by the instance is a sentence with a remedy, and the status is 1")
    func sentences() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let patch = "duration: 600\nlayers:\n  - {binaural: {carrier: 200, beat: 10}, gain: -20}\n  - {noise: {}, gain: -30}\n"
            _ = try run.folder.write(patch, to: "two.yaml")
            let program = try run.start("two.yaml", "--paused")
            defer { keepAlive(program) }
            try await program.state("paused")
            try await run.ctl("ping")
            for (words, sentence) in Self.refusals {
                let refused = try await RunningProgram.run(
                    try PackageRoot.program(), ["ctl", "--client", server.clientName, "--wait", Patience.seconds] + words,
                    environment: run.environment.variables)
                #expect(refused.exit == .code(1), "\(refused.summary)")
                #expect(refused.errorLines == ["binaural: error: \(sentence)"])
                #expect(refused.outputLines == [])
            }
        }
    }
}
