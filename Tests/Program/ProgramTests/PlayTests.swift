import Foundation
import OSC
import OSCRemote
import ProgramSupport
import TestSupport
import Testing

@Suite("play")
struct PlayTests {
    static let tone = "title: Tone\nduration: 10:00\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n"

    @Test("without a server there is one sentence with the remedy, and the status is 69")
    func noServer() async throws {
        try await JACKServer.runWithoutStarting { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("welcome")
            #expect(try await program.exit() == .code(69))
            #expect(program.errorLines.count == 1, "\(program.transcript)")
            #expect(program.errorLines.first?.hasPrefix("binaural: error: ") == true)
            #expect(program.errorLines.first?.contains("'\(server.name)'") == true, "\(program.transcript)")
            #expect(program.errorLines.first?.contains("--start-server") == true, "\(program.transcript)")
            #expect(program.outputLines == [])
        }
    }

    @Test("a start that fails since the server hangs leaves no lock")
    func hangingServer() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            server.pause()
            let program = try run.start("reference-440", "--session", "mine.yaml")
            #expect(try await program.exit() == .code(69), "\(program.transcript)")
            #expect(program.errors.contains("does not answer"), "\(program.transcript)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: run.folder.path) == [])
            server.resume()
        }
    }

    @Test("--start-server starts a server if none is running, reports it, and stops it")
    func startServer() async throws {
        try await JACKServer.runWithoutStarting { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("reference-440", "--start-server")
            _ = try await program.line(containing: "Started the JACK server '\(server.name)'")
            try await program.state("playing")
            #expect(try await server.ports().contains(run.ports[0]))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            let wait = try await server.tool("jack_wait", ["-s", server.name, "-c"])
            #expect(wait.output.contains("not running"), "\(wait.summary)")
        }
    }

    /// A fake jackd that creates the file `started` before it runs `body`.
    private func standIn(_ body: String, in folder: TemporaryFolder) async throws -> (path: String, started: String) {
        let started = folder.file("started")
        let text = try folder.write("#!/bin/sh\necho $$ > '\(started).new'\nmv '\(started).new' '\(started)'\n\(body)\n", to: "text")
        // Written by another process, since a file that this one wrote may still be open in a child that another test starts.
        let path = folder.file("jackd")
        let copy = try await RunningProgram.run("install", ["-m", "755", text, path])
        try #require(copy.exit == .code(0), "\(copy.errors)")
        return (path, started)
    }

    private func start(_ run: PlayRun, jackd: String) throws -> RunningProgram {
        let path = "\(run.folder.path):\(run.environment.variables["PATH"] ?? "")"
        return try RunningProgram(
            try PackageRoot.program(), ["play", "reference-440", "--start-server"] + PlayRun.arguments(run.server.clientName),
            environment: run.environment.adding(["PATH": path]), folder: run.folder.path)
    }

    @Test("a signal while --start-server waits for its server leaves no server behind")
    func signalWhileStarting() async throws {
        try await JACKServer.runWithoutStarting { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let jackd = try await standIn("exec '\(try requireTool("jackd", package: "jackd2"))' \"$@\"", in: run.folder)
            let arrival = FileArrival(jackd.started)
            let program = try start(run, jackd: jackd.path)
            #expect(await arrival.arrives())
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            let pid = try Int32(run.folder.read("started").trimmingCharacters(in: .newlines)).orThrow("no number")
            #expect(kill(pid, 0) == -1)
        }
    }

    @Test("a signal while waiting for a server that never answers ends both at once", arguments: ["INT", "TERM", "HUP"])
    func signalWithoutAnswer(_ signal: String) async throws {
        try await JACKServer.runWithoutStarting { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            // The program waits for a server as long as it likes, and a busy machine may keep this test waiting longer: so the stand-in sends
            // the signal.
            let jackd = try await standIn("kill -\(signal) $PPID; exec sleep 600", in: run.folder)
            let program = try start(run, jackd: jackd.path)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            #expect(program.lines.isEmpty, "\(program.transcript)")
            let pid = try Int32(run.folder.read("started").trimmingCharacters(in: .newlines)).orThrow("no number")
            #expect(kill(pid, 0) == -1)
        }
    }

    @Test("a signal while the program reads its session ends it at once, and leaves no lock", arguments: [SIGINT, SIGTERM, SIGHUP])
    func signalWhileReading(_ signal: Int32) async throws {
        try await JACKServer.runWithoutStarting { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            // More than a minute's work.
            let chapters = (1..<9000).map { "  - {at: \($0), set: {tone.carrier: \(200 + $0 % 50)}}\n" }
            let patch = try run.folder.write(
                "duration: 10:00:00\nlayers:\n  - {name: tone, tone: {carrier: 200}, gain: -20}\nchapters:\n\(chapters.joined())",
                to: "1.yaml")
            for number in 2...400 { try FileManager.default.linkItem(atPath: patch, toPath: run.folder.file("\(number).yaml")) }
            let items = (1...400).map { "  - {patch: \($0).yaml}\n" }
            try run.folder.write("format: 1\nqueue:\n\(items.joined())", to: "mine.yaml")
            let lock = FileArrival(run.folder.file("mine.yaml.lock"))
            let program = try run.start("--session", "mine.yaml")
            #expect(await lock.arrives())
            program.send(signal: signal)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            #expect(program.lines.isEmpty, "\(program.transcript)")
            let left = try FileManager.default.contentsOfDirectory(atPath: run.folder.path).filter { $0.hasPrefix("mine") }
            #expect(left == ["mine.yaml"])
        }
    }

    @Test("an invalid patch: all faults are reported with their places, the status is 65, and nothing is played")
    func wrongPatch() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("layers:\n  - tone: {carier: 200}\n  - tone: {carrier: -1}\n", to: "wrong.yaml")
            let program = try run.start("wrong.yaml")
            #expect(try await program.exit() == .code(65))
            #expect(program.errorLines.contains { $0.hasPrefix("wrong.yaml:2:12: unknown key `carier`") }, "\(program.transcript)")
            #expect(program.errorLines.contains { $0.hasPrefix("wrong.yaml:3:") }, "\(program.transcript)")
            #expect(program.outputLines == [])
        }
    }

    @Test("a port in use is 69, with its owner")
    func busyPort() async throws {
        try await JACKServer.run { server in
            let holder = try StubInstance { _ in [] }
            defer { keepAlive(holder) }
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try RunningProgram(
                try PackageRoot.program(),
                ["play", "welcome", "--connect", "none", "--client-name", server.clientName, "--osc-port", "\(holder.endpoint.port)"],
                environment: run.environment.variables, folder: run.folder.path)
            #expect(try await program.exit() == .code(69))
            #expect(program.errors.contains("\(holder.endpoint.port)"), "\(program.transcript)")
            #expect(program.errors.contains("\(getpid())"), "\(program.transcript)")
        }
    }

    @Test("a session that another process plays is 75, with its pid")
    func sessionInUse() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write(Self.tone, to: "tone.yaml")
            let first = try run.start("tone.yaml", "--session", "mine.yaml")
            try await first.state("playing")
            let second = try run.start("--session", "mine.yaml")
            #expect(try await second.exit() == .code(75))
            #expect(second.errors.contains("\(first.pid)"), "\(second.transcript)")
            // Its port is in use, too, and one remedy is enough.
            let port = try InstanceFile(client: server.clientName, environment: run.environment.variables).read().port
            let both = try RunningProgram(
                try PackageRoot.program(), ["play", "--session", "mine.yaml", "--osc-port", "\(port)"],
                environment: run.environment.variables, folder: run.folder.path)
            #expect(try await both.exit() == .code(75))
            let words = "mine.yaml is in use by process \(first.pid), and so is UDP port \(port)."
            #expect(both.errors.contains(words) && both.errors.contains("--new"), "\(both.transcript)")
        }
    }

    @Test("a second Ctrl-C exits at once, regardless of the server")
    func secondInterrupt() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("reference-440")
            try await program.state("playing")
            // On a suspended server no fade ends.
            server.pause()
            // Two signals of one kind may arrive as one, so it is sent until two were received.
            _ = await eventually {
                program.send(signal: SIGINT)
                return program.hasEnded
            }
            #expect(try await program.exit() == .code(130), "\(program.transcript)")
            server.resume()
        }
    }

    @Test("without a terminal there is one line per change")
    func plainLines() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write(Self.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml")
            let playing = try await program.state("playing")
            #expect(playing.text.contains(/^playing · Tone · [0-9]+:[0-9]{2} \/ 10:00 · item 1\/1 · (L .* dBFS · )?DSP/), "\(playing.text)")
            #expect(playing.text.contains("osc.udp://127.0.0.1:"))
            try await run.ctl("pause")
            let paused = try await program.state("paused", from: playing.index + 1)
            try await run.ctl("play")
            let again = try await program.state("playing", from: paused.index + 1)
            // Only changes are reported: pausing is one, the same level again is not.
            try await run.ctl("master/gain", "-20")
            try await run.ctl("stop")
            let stopped = try await program.state("stopped", from: again.index + 1)
            let shown = program.outputLines.prefix(stopped.index + 1).filter { $0.contains(" · Tone · ") }.map { line in
                line.components(separatedBy: " · ").enumerated()
                    .filter { $0.offset != 2 && !$0.element.hasPrefix("L ") && !$0.element.hasPrefix("DSP ") }.map(\.element)
            }
            // Time, level and load make no line of their own; an xrun of a busy machine does.
            #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 != $1 }, "\(program.transcript)")
        }
    }

    @Test("a level that a former run left is shown at the start; a new session has none")
    func formerLevel() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write(Self.tone, to: "tone.yaml")
            for line in [nil, "The master is at -20 dB, as the session 'queue' was left."] {
                let program = try run.start("tone.yaml")
                _ = try await program.state("playing")
                #expect(program.outputLines.filter { $0.hasPrefix("The master is") } == [line].compactMap { $0 }, "\(program.transcript)")
                try await run.ctl("master/gain", "-20")
                program.send(signal: SIGTERM)
                #expect(try await program.exit() == .code(0), "\(program.transcript)")
            }
        }
    }

    @Test("--quiet prints nothing, --paused starts paused")
    func quietAndPaused() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("reference-440", "--quiet", "--paused")
            try await server.waitForPort(run.ports[0])
            #expect(try await run.value(of: "now/state") == "paused")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0))
            #expect(program.lines.isEmpty, "\(program.transcript)")
        }
    }

    @Test("after a kill, the same session and item resume at the position that was saved")
    func killed() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("deep-alpha")
            try await program.state("playing")
            try await run.ctl("position", "100")
            try await run.ctl("session/save")
            program.send(signal: SIGKILL)
            _ = try await program.exit()

            let second = try run.start()
            try await second.state("playing")
            #expect(try await run.value(of: "now/title") == "\"Deep alpha\"")
            let after = try #require(Double(try await run.value(of: "now/elapsed")))
            #expect(after >= 100)
            second.send(signal: SIGTERM)
            #expect(try await second.exit() == .code(0))
        }
    }
}

extension RunningProgram {
    var errors: String { errorLines.joined(separator: "\n") }
}
