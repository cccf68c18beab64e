import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("--once and --at")
struct TimerTests {
    private func tone(_ seconds: Int) -> String { "title: Tone\nduration: \(seconds)\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n" }

    @Test("--once plays the queue to its end and exits, also if the session repeats and was stopped before")
    func once() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            for (name, seconds) in [("a", 1), ("b", 2)] { try run.folder.write(tone(seconds), to: "\(name).yaml") }
            try run.folder.write(
                "format: 1\nqueue:\n  - {patch: a.yaml}\n  - {patch: b.yaml}\nplay: {repeat: all}\n", to: "mine.yaml")
            let start = ContinuousClock.now
            // The second run resumes the session that the first one has left stopped.
            for _ in 1...2 {
                let program = try run.start("--session", "mine.yaml", "--once")
                try await program.state("playing")
                #expect(try await program.exit() == .code(0), "\(program.transcript)")
                #expect(program.outputLines.contains { $0.hasPrefix("stopped · ") }, "\(program.transcript)")
                // Both items have the same title.
                for place in ["item 1/2", "item 2/2"] {
                    #expect(
                        program.outputLines.contains { $0.hasPrefix("playing · Tone · ") && $0.contains(place) }, "\(program.transcript)")
                }
            }
            #expect(ContinuousClock.now - start > .seconds(6))
            #expect(try run.folder.read("mine.yaml").contains("b.yaml"))
        }
    }

    @Test("--once ends with the sleep timer and with a stop, not with a pause")
    func otherEnds() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write("layers:\n  - {tone: {carrier: 200}, gain: -20}\n", to: "endless.yaml")
            let sleeping = try run.start("endless.yaml", "--once", "--sleep", "2", "--sleep-fade", "1")
            #expect(try await sleeping.exit() == .code(0), "\(sleeping.transcript)")
            #expect(!sleeping.transcript.contains("never ends by itself"))

            let stopped = try run.start("endless.yaml", "--once")
            _ = try await stopped.line(containing: "'endless' never ends by itself: with --once, end it with --sleep, 'next' or 'stop'.")
            try await stopped.state("playing")
            try await run.ctl("pause")
            let paused = try await stopped.state("paused")
            // If the pause had ended it, it would not play again.
            try await run.ctl("play")
            try await stopped.state("playing", from: paused.index)
            try await run.ctl("stop")
            #expect(try await stopped.exit() == .code(0), "\(stopped.transcript)")
        }
    }

    @Test("--once or --at with nothing to play is an error, and does not wait")
    func empty() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write("format: 1\nqueue: []\n", to: "empty.yaml")
            try run.folder.write("format: 1\nqueue: [{patch: gone.yaml}]\n", to: "gone-item.yaml")
            for (name, option) in [
                ("empty", ["--once"]), ("gone-item", ["--once"]), ("empty", ["--at", "+1:00"]), ("gone-item", ["--at", "+1:00"]),
            ] {
                let program = try run.start(["--session", "\(name).yaml"] + option)
                #expect(try await program.exit() == .code(65), "\(program.transcript)")
                #expect(program.errors.contains("The session '\(name)' has nothing to play"), "\(program.transcript)")
            }
        }
    }

    @Test("--at waits, paused, and starts at its time; the sleep timer counts from there, and --once ends the program")
    func at() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(tone(600), to: "tone.yaml")
            let program = try run.start("tone.yaml", "--at", "+0:08", "--rise", "1", "--sleep", "3", "--sleep-fade", "1", "--once")
            let announced = try await program.line(containing: "Starts ")
            #expect(
                announced.text.contains(/Starts (tomorrow )?at [0-9]+:[0-9]{2}:[0-9]{2}, in 0:0[0-8], and rises over 0:01\./),
                "\(announced.text)")
            let paused = try await program.state("paused")
            #expect(!paused.text.contains("sleep in"), "\(paused.text)")
            let playing = try await program.state("playing", from: paused.index)
            _ = try await program.line(from: playing.index) { $0.contains("sleep in 0:0") }
            #expect(!program.lines[..<playing.index].contains { $0.text.contains("sleep in") }, "\(program.transcript)")
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("--at is refused while JACK's transport is followed, by the option, the preference or the session")
    func followed() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(tone(600), to: "tone.yaml")
            try run.folder.write("format: 1\nqueue:\n  - {patch: tone.yaml}\nplay: {transport: follow}\n", to: "mine.yaml")
            let cases = [["tone.yaml", "--transport", "follow"], ["--session", "mine.yaml"], ["tone.yaml"]]
            for (index, arguments) in cases.enumerated() {
                if index == 2 {
                    let folder = try run.environment.variables["XDG_CONFIG_HOME"].orThrow("no XDG_CONFIG_HOME") + "/binaural"
                    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                    try "transport: follow\n".write(toFile: folder + "/preferences.yaml", atomically: true, encoding: .utf8)
                }
                let program = try run.start(arguments + ["--at", "+0:04"])
                #expect(try await program.exit() == .code(64), "\(program.transcript)")
                #expect(program.errors.contains("--at and --transport follow exclude each other"), "\(program.transcript)")
            }
            // The option overrides the preference.
            let waiting = try run.start("tone.yaml", "--transport", "none", "--at", "+1:00:00")
            _ = try await waiting.line { $0.contains(/^paused · Tone · 0:00 \/ 10:00, starts at [0-9]+:[0-9]{2}:[0-9]{2}/) }
            waiting.send(signal: SIGTERM)
            #expect(try await waiting.exit() == .code(0), "\(waiting.transcript)")
        }
    }

    @Test("an item that plays already keeps playing when the time of --at comes")
    func playing() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(tone(600), to: "tone.yaml")
            let program = try run.start("tone.yaml", "--at", "+3")
            try await run.ctl("play")
            try await program.state("playing")
            // Four seconds of sound end after the planned start. A start then would have set the position back.
            let hasPlayed = try await eventually {
                #expect(try await run.value(of: "now/state") == "playing")
                return try #require(Double(try await run.value(of: "now/elapsed"))) >= 4
            }
            #expect(hasPlayed, "the position does not reach 4 s")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("a stop cancels the start of --at, and one started by hand, paused again, stays paused; its sleep timer runs from that start")
    func cancelled() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(tone(600), to: "tone.yaml")
            let stopped = try run.start("tone.yaml", "--at", "+1:00:00", "--once")
            _ = try await stopped.line(containing: "starts at")
            try await run.ctl("stop")
            _ = try await stopped.line(containing: "The start was cancelled.")
            #expect(try await stopped.exit() == .code(0), "\(stopped.transcript)")
            #expect(!stopped.outputLines.contains { $0.hasPrefix("playing") })

            let program = try run.start("tone.yaml", "--at", "+4", "--sleep", "10:00")
            _ = try await program.line(containing: "starts at")
            try await run.ctl("play")
            try await program.state("playing")
            try await run.ctl("pause")
            // By the program's own clock, the planned start, which must not happen, is over.
            var rest = 600.0
            _ = try await eventually {
                rest = try #require(Double(try await run.value(of: "now/sleep")))
                return rest < 594
            }
            #expect((1..<594).contains(rest))
            #expect(try await run.value(of: "now/state") == "paused")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("a rise that is longer than the queue of --once is warned about")
    func longRise() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(tone(30), to: "tone.yaml")
            let program = try run.start("tone.yaml", "--at", "+1:00", "--once")
            _ = try await program.line(containing: "The level rises over 1:00, but the queue ends after 0:30: choose a shorter --rise.")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    static let mistakes: [(arguments: [String], sentence: String)] = [
        (["--at", "25:00"], "The value '25:00' is invalid for '--at <h:mm|+time>': Use a time of day, h:mm or h:mm:ss up to 23:59:59"),
        (["--at", "630"], "Did you mean 6:30?"), (["--at", "6"], "Did you mean 6:00?"), (["--at", "6.30"], "Did you mean 6:30?"),
        (["--at", "6:30 pm"], "Did you mean 18:30?"),
        (["--at", "45m"], "Did you mean +45:00?"), (["--at", "+45m"], "Did you mean +45:00?"), (["--at", "tomorrow"], "Use a time of day"),
        (["--at", "+0"], "After + comes a time from now"), (["--at", "+25:00:00"], "up to 24:00:00"), (["--at", ""], "Use a time of day"),
        (["--at", "6:30", "--paused"], "--paused and --at contradict each other"), (["--rise", "1:00"], "--rise needs --at"),
        (["--at", "6:30", "--rise", "2:00:00"], "--rise takes 0 to 1:00:00."),
        (
            ["--sleep", "45m"],
            "The value '45m' is invalid for '--sleep <time>': Use seconds, m:ss or h:mm:ss. Did you mean 45:00?"
        ),
        (["--sleep", "1h"], "Did you mean 1:00:00?"), (["--sleep", "1h30m"], "Did you mean 1:30:00?"),
        (["--sleep", "1:5"], "Did you mean 1:05?"), (["--sleep", "soon"], "m:ss or h:mm:ss"),
    ]

    @Test("an invalid --at is a usage error that lists the valid forms and suggests one", arguments: mistakes)
    func mistaken(arguments: [String], sentence: String) async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["play", "welcome"] + arguments, environment: environment.variables)
        #expect(run.exit == .code(64), "\(run.summary)")
        #expect(run.errors.contains(sentence), "\(run.summary)")
    }
}
