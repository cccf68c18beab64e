import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

/// `play` beside an instance that is running already, as its user types it.
@Suite("play beside a running instance")
struct HandOverTests {
    private static func tone(_ title: String) -> String { PlayTests.tone.replacing("title: Tone", with: "title: \(title)") }

    /// Runs `play` on a server, and a second one with the same JACK client's name, so that it finds the first.
    private struct Desk {
        let run: PlayRun
        let first: RunningProgram

        init(_ server: JACKServer, _ arguments: String...) async throws {
            run = try PlayRun(server)
            for name in ["First", "Second", "Third"] { try run.folder.write(HandOverTests.tone(name), to: "\(name.lowercased()).yaml") }
            // An instance that starts takes any free port.
            try run.environment.folder.write("softStart: 0\noscPort: 0\n", to: "config/binaural/preferences.yaml")
            first = try run.start(["first.yaml"] + arguments)
            _ = try await first.line { $0.contains(" · First · ") }
            try await run.ctl("now/state")
        }

        func play(_ arguments: String..., folder: String? = nil) async throws -> FinishedProgram {
            try await RunningProgram.run(
                try PackageRoot.program(), ["play"] + arguments + ["--client-name", run.server.clientName],
                environment: run.environment.variables, folder: folder ?? run.folder.path)
        }

        /// Starts `play` without waiting for its end.
        func start(_ arguments: String...) throws -> RunningProgram {
            try RunningProgram(
                try PackageRoot.program(), ["play"] + arguments + ["--client-name", run.server.clientName],
                environment: run.environment.variables, folder: run.folder.path)
        }

        func queue() async throws -> [String] {
            try await run.ctl("queue/list").outputLines.filter { $0.contains("queue/item") }.map {
                String($0.split(separator: " ").last ?? "")
            }
        }

        /// The sound is what it was.
        func expectUnmoved() async throws {
            #expect(try await run.value(of: "now/title") == "First")
            #expect(try await run.value(of: "now/state") == "playing")
            #expect(try await queue() == ["First"])
        }

        func end() async throws {
            first.send(signal: SIGTERM)
            #expect(try await first.exit() == .code(0), "\(first.transcript)")
        }
    }

    @Test("it plays there and ends with 0, saying so; --add puts it last, --next behind the current item; several follow each other")
    func places() async throws {
        try await JACKServer.run { server in
            let desk = try await Desk(server)
            defer { desk.run.keep() }
            let second = try await desk.play("second.yaml", "--start-server")
            #expect(second.exit == .code(0) && second.errorLines == [], "\(second.summary)")
            #expect(second.outputLines == ["'Second' plays in the running instance."])
            #expect(try await desk.run.value(of: "now/title") == "Second")
            let last = try await desk.play("./third.yaml", "--add")
            #expect(last.outputLines == ["'Third' was added in the running instance, as item 3 of its queue."], "\(last.summary)")
            let next = try await desk.play("third.yaml", "reference-440", "--next")
            #expect(next.exit == .code(0) && next.outputLines.count == 2, "\(next.summary)")
            #expect(next.outputLines.last == "'Third' plays next in the running instance, as item 3 of its queue.")
            #expect(try await desk.queue() == ["First", "Second", "Third", "Hz\"", "Third"])
            #expect(try await desk.run.value(of: "now/title") == "Second")
            let both = try await desk.play("first.yaml", "rain")
            #expect(both.exit == .code(0), "\(both.summary)")
            #expect(try await desk.run.value(of: "now/title") == "First")
            #expect(try await desk.run.value(of: "now/queue").hasPrefix("1 "))
            #expect(try await desk.run.ctl("queue/list").outputLines[1].contains(" 2 rain "))
            // Without a name it resumes.
            try await desk.run.ctl("pause")
            let resumed = try await desk.play()
            #expect(resumed.outputLines == ["'First' plays in the running instance."], "\(resumed.summary)")
            #expect(try await desk.run.value(of: "now/state") == "playing")
            #expect(try await desk.play("third.yaml", "--quiet").outputLines == [])
            // A session is opened, with the sleep timer that was asked for.
            let session = try await desk.play("welcome", "--sleep", "45:00", "--sleep-ease", "linear")
            #expect(session.outputLines.first == "The session 'welcome' plays in the running instance.", "\(session.summary)")
            #expect(try await desk.run.value(of: "session/name") == "welcome")
            #expect(try await desk.run.ctl("sleep").output.contains(" 60.0 linear"))
            try await desk.end()
        }
    }

    @Test("ctl play NAME and ctl play ./FILE play at once, and queue/add takes a path from the folder where it is typed")
    func ctl() async throws {
        try await JACKServer.run { server in
            let desk = try await Desk(server)
            defer { desk.run.keep() }
            func ctl(_ arguments: String...) async throws -> FinishedProgram {
                try await RunningProgram.run(
                    try PackageRoot.program(), ["ctl", "--client", server.clientName, "--wait", Patience.seconds] + arguments,
                    environment: desk.run.environment.variables, folder: desk.run.folder.path)
            }
            #expect(try await ctl("play", "./second.yaml").exit == .code(0))
            #expect(try await desk.run.value(of: "now/title") == "Second")
            let added = try await ctl("queue/add", "third.yaml", "next")
            #expect(added.output.contains("/binaural/queue/place 3 "), "\(added.summary)")
            #expect(try await ctl("--units", "play", "rain").outputLines.first == "item 3: rain")
            #expect(try await desk.run.value(of: "now/title").contains("ain"))
            #expect(try await ctl("queue/play", "1").exit == .code(0))
            #expect(try await desk.run.value(of: "now/title") == "First")
            let missing = try await ctl("play", "no-such-patch")
            #expect(missing.exit == .code(1) && missing.errorLines.count == 1, "\(missing.summary)")
            #expect(try await ctl("pause").exit == .code(0))
            #expect(try await ctl("play").exit == .code(0))
            #expect(try await desk.run.value(of: "now/state") == "playing")
            try await desk.end()
        }
    }

    @Test("a request that the running instance cannot meet is refused in one sentence, and the sound does not move")
    func refusals() async throws {
        try await JACKServer.run { server in
            let desk = try await Desk(server)
            defer { desk.run.keep() }
            try desk.run.folder.write("layers:\n  - tone: {carier: 200}\n", to: "wrong.yaml")
            for (arguments, status, words) in [
                (["second.yaml", "--ceiling", "-20"], 69, "--ceiling takes effect only when an instance starts"),
                (["second.yaml", "--at", "6:30"], 69, "--at takes"), (["second.yaml", "--once", "--add"], 69, "--once takes"),
                (["--web", "auto", "--mpris", "off"], 69, "--web and --mpris take effect only when"),
                (["wrong.yaml"], 65, "wrong.yaml:2:12: unknown key `carier`"), (["nothing.yaml"], 66, "nothing.yaml"),
                (["no-such-patch", "--add"], 66, "no-such-patch"), (["--add"], 64, "--add needs"),
                (["second.yaml", "--add", "--next"], 64, "contradict"),
            ] as [([String], Int32, String)] {
                let refused = try await RunningProgram.run(
                    try PackageRoot.program(), ["play"] + arguments + ["--client-name", server.clientName],
                    environment: desk.run.environment.variables, folder: desk.run.folder.path)
                #expect(refused.exit == .code(status), "\(refused.summary)")
                #expect(refused.errors.contains(words) && refused.outputLines == [], "\(refused.summary)")
                if status == 69 { #expect(refused.errorLines.count == 1 && refused.errors.contains("--new"), "\(refused.summary)") }
            }
            // It leads the caller to the file, and the instance elsewhere.
            let elsewhere = try TemporaryFolder()
            defer { keepAlive(elsewhere) }
            try elsewhere.write(Self.tone("Elsewhere"), to: "elsewhere.yaml")
            let unseen = try await desk.play("/proc/self/cwd/elsewhere.yaml", folder: elsewhere.path)
            #expect(unseen.exit == .code(1) && unseen.errorLines.count == 1, "\(unseen.summary)")
            #expect(unseen.errors.contains("The running instance refused, and plays on as it was."), "\(unseen.summary)")
            try await desk.expectUnmoved()
            try await desk.end()
        }
    }

    @Test("a running instance that does not answer is named in one sentence, and plays on; one that was killed is replaced")
    func silent() async throws {
        try await JACKServer.run { server in
            let desk = try await Desk(server)
            defer { desk.run.keep() }
            desk.first.send(signal: SIGSTOP)
            let refused = try await desk.play("second.yaml")
            desk.first.send(signal: SIGCONT)
            #expect(refused.exit == .code(69) && refused.errorLines.count == 1, "\(refused.summary)")
            #expect(refused.errors.contains("(process \(desk.first.pid)) does not answer"), "\(refused.summary)")
            // The server may have done without it meanwhile.
            #expect(try await eventually { try await desk.run.value(of: "now/state") == "playing" })
            try await desk.expectUnmoved()
            desk.first.send(signal: SIGKILL)
            _ = try await desk.first.exit()
            let own = try desk.start("second.yaml")
            _ = try await own.line { $0.contains(" · Second · ") }
            own.send(signal: SIGTERM)
            #expect(try await own.exit() == .code(0), "\(own.transcript)")
        }
    }

    @Test("beside an instance that is ending, it waits for the end and plays itself")
    func ending() async throws {
        try await JACKServer.run { server in
            let desk = try await Desk(server)
            defer { desk.run.keep() }
            // The end takes a second.
            try await desk.run.ctl("preferences/shortFade", "1")
            try await desk.run.ctl("quit")
            let own = try desk.start("second.yaml")
            _ = try await own.line { $0.contains(" · Second · ") }
            #expect(try await desk.first.exit() == .code(0), "\(desk.first.transcript)")
            #expect(try await desk.run.value(of: "now/title") == "Second")
            own.send(signal: SIGTERM)
            #expect(try await own.exit() == .code(0), "\(own.transcript)")
        }
    }

    @Test("of two started at once, one plays and the other one's patch goes there")
    func twoAtOnce() async throws {
        try await JACKServer.run { server in
            let desk = try await Desk(server)
            defer { desk.run.keep() }
            try await desk.end()
            let both = try ["second.yaml", "third.yaml"].map { try desk.start($0) }
            _ = await eventually { both.contains(where: \.hasEnded) }
            let (ended, plays) = both[0].hasEnded ? (both[0], both[1]) : (both[1], both[0])
            #expect(try await ended.exit() == .code(0), "\(ended.transcript)")
            #expect(ended.outputLines.count == 1 && ended.transcript.contains("plays in the running instance."), "\(ended.transcript)")
            #expect(!plays.hasEnded)
            #expect(Set(try await desk.queue()) == ["Second", "Third"])
            plays.send(signal: SIGTERM)
            #expect(try await plays.exit() == .code(0), "\(plays.transcript)")
        }
    }

    @Test("--new starts a second instance with a port and a session of its own, and the first one plays on")
    func second() async throws {
        try await JACKServer.run { server in
            let desk = try await Desk(server)
            defer { desk.run.keep() }
            let other = try desk.start("second.yaml", "--new")
            _ = try await other.line { $0.contains(" · Second · ") }
            let ask = ["ctl", "--client", "\(server.clientName)-01", "--wait", Patience.seconds]
            let name = try await RunningProgram.run(
                try PackageRoot.program(), ask + ["session/name"], environment: desk.run.environment.variables)
            #expect(name.outputLines == ["/binaural/session/name queue-2"], "\(name.summary)")
            try await desk.expectUnmoved()
            // A port that is asked for has to be free.
            let port = try await desk.run.ctl("info").output.split(separator: " ")[5]
            let refused = try await desk.play("third.yaml", "--new", "--osc-port", String(port))
            #expect(refused.exit == .code(69) && refused.errorLines.count == 1, "\(refused.summary)")
            #expect(refused.errors.contains("UDP port \(port) on 127.0.0.1 is in use"), "\(refused.summary)")
            other.send(signal: SIGTERM)
            #expect(try await other.exit() == .code(0), "\(other.transcript)")
            try await desk.end()
            // The usual session is the one that resumes.
            let again = try desk.start()
            _ = try await again.line { $0.contains(" · First · ") }
            again.send(signal: SIGTERM)
            #expect(try await again.exit() == .code(0), "\(again.transcript)")
        }
    }

    @Test("an instance that waits for its time is not started early, but takes what is added")
    func alarm() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(Self.tone("First"), to: "first.yaml")
            let first = try run.start("first.yaml", "--at", "+20:00:00")
            _ = try await first.line(containing: "Starts ")
            try await run.ctl("now/state")
            for (arguments, status) in [(["rain"], 69), (["rain", "--add"], 0)] as [([String], Int32)] {
                let play = try await RunningProgram.run(
                    try PackageRoot.program(), ["play"] + arguments + ["--client-name", server.clientName],
                    environment: run.environment.variables, folder: run.folder.path)
                #expect(play.exit == .code(status), "\(play.summary)")
                if status == 69 { #expect(play.errors.contains("'binaural ctl play rain'"), "\(play.summary)") }
            }
            #expect(try await run.value(of: "now/state") == "paused")
            #expect(try await run.value(of: "now/queue").hasPrefix("1 "))
            first.send(signal: SIGTERM)
            #expect(try await first.exit() == .code(0), "\(first.transcript)")
        }
    }

    @Test(
        "a refusal of the instance is passed on in one sentence, also if it is of another version",
        arguments: [
            (404, "There is no such address", "of another version"), (413, "At most 4096 items can be queued.", "At most 4096 items"),
            (401, "This needs the role \"control\".", "This needs the role"),
        ] as [(Int32, String, String)])
    func answers(code: Int32, sentence: String, words: String) async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let instance = try StubInstance { message in
            switch message.address {
            case "/binaural/sync": [OSCMessage("/binaural/synced", message.arguments)]
            case "/binaural/info": [OSCMessage("/binaural/info", [.string("binaural"), .string("0.0.1")])]
            case "/binaural/now/start": [OSCMessage("/binaural/now/start", [.float(-1)])]
            case "/binaural/replies": []
            default: [OSCMessage("/binaural/error", [.string(message.address), .int32(code), .string(sentence)])]
            }
        }
        let folder = try environment.variables["XDG_RUNTIME_DIR"].orThrow("no XDG_RUNTIME_DIR") + "/binaural"
        try #require(mkdir(folder, 0o700) == 0)
        try instance.announce(as: "binaural", in: environment)
        let play = try await RunningProgram.run(
            try PackageRoot.program(), ["play", "rain"], environment: environment.variables)
        #expect(play.exit == .code(1) && play.errorLines.count == 1 && play.outputLines == [], "\(play.summary)")
        #expect(play.errors.contains(words), "\(play.summary)")
    }

    @Test("a port that another user's instance holds is an error with both remedies")
    func anotherUsers() async throws {
        try await JACKServer.run { server in
            let holder = try StubInstance { _ in [] }
            defer { keepAlive(holder) }
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.environment.folder.write("oscPort: \(holder.endpoint.port)\n", to: "config/binaural/preferences.yaml")
            let play = try await RunningProgram.run(
                try PackageRoot.program(), ["play", "rain", "--connect", "none", "--client-name", server.clientName],
                environment: run.environment.variables, folder: run.folder.path)
            #expect(play.exit == .code(69) && play.errorLines.count == 1, "\(play.summary)")
            #expect(play.errors.contains("--osc-port") && play.errors.contains("--new"), "\(play.summary)")
        }
    }
}
