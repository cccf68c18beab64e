import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

/// Faults of a JACK server while the program plays.
@Suite("Faults of JACK", .ownThread)
struct ServerFaultTests {
    /// A preloaded library with faults.
    private func faulty(_ run: PlayRun, _ fault: [String: String]) async throws -> [String: String] {
        let library = run.folder.file("faulty.so")
        let compiled = try await RunningProgram.run(
            try requireTool("cc", package: "gcc libc6-dev"),
            [
                "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, PackageRoot.file("Tests/Peers/scenario/faulty_jack.c"),
                "-ldl",
                "-pthread",
            ])
        guard compiled.exit == .code(0) else { throw ProgramFailure(compiled.summary) }
        return run.environment.adding(fault.merging(["LD_PRELOAD": library]) { $1 })
    }

    private func start(_ run: PlayRun, _ environment: [String: String]) throws -> RunningProgram {
        try run.folder.write(PlayTests.tone, to: "tone.yaml")
        return try RunningProgram(
            try PackageRoot.program(),
            ["play", "tone.yaml", "--session", "mine.yaml", "--osc-port", "auto", "--client-name", run.server.clientName],
            environment: environment, folder: run.folder.path)
    }

    @Test("a client that JACK never closes is abandoned: sound and OSC come back, and the program quits on request")
    func hangingClose() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try start(run, try await faulty(run, ["FAULTY_CLOSE": "1"]))
            let peer = try await Asker(program)
            try await program.state("playing")
            for _ in 0..<2 {
                let mark = program.lines.count
                try await server.kill()
                let away = try await program.line(containing: "JACK is away: ", from: mark)
                try becomes(peer, "jack/state", [.string("away")])
                try await server.start()
                try await program.state("playing", from: away.index)
                try await server.waitForPort(run.ports[1])
                try becomes(peer, "jack/state", [.string("running")])
            }
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("a client is not closed while its thread still handles the server's end: JACK would cancel that thread while it holds a lock")
    func lateNotices() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let mark = run.folder.file("cancelled")
            let program = try start(run, try await faulty(run, ["FAULTY_LATE": mark]))
            try await program.state("playing")
            try await server.kill()
            let away = try await program.line(containing: "JACK is away: ")
            try await server.start()
            try await program.state("playing", from: away.index)
            #expect(!FileManager.default.fileExists(atPath: mark))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test(
        "a callback that hangs for seconds keeps its engine, although another sample rate has come meanwhile; then the sound continues"
    )
    func heldCallback() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let (hold, rate) = (run.folder.file("hold"), run.folder.file("rate"))
            let program = try start(run, try await faulty(run, ["FAULTY_HOLD": hold, "FAULTY_RATE": rate]))
            let peer = try await Asker(program)
            try await program.state("playing")
            for round in 0..<2 {
                let mark = program.lines.count
                try Data().write(to: URL(fileURLWithPath: hold))
                #expect(await FileArrival("\(hold).held").arrives())
                if round == 1 { try await program.state("interrupted", from: mark) }
                try Data().write(to: URL(fileURLWithPath: rate))
                // The second time it is the server's real rate.
                if round == 0 { _ = try await program.line(containing: "a cycle has not ended within a second") }
                try FileManager.default.removeItem(atPath: hold)
                try await program.state("playing", from: mark)
                try plays(peer)
            }
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test(
        "an unsupported sample rate is reported; the program answers, and plays again at the server's true one",
        arguments: [0, 1, UInt32.max])
    func absurdRate(rate: UInt32) async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let path = run.folder.file("rate")
            let program = try start(run, try await faulty(run, ["FAULTY_RATE": path]))
            let peer = try await Asker(program)
            try await program.state("playing")
            let mark = program.lines.count
            try run.folder.write("\(rate)", to: "rate.new")
            try FileManager.default.moveItem(atPath: run.folder.file("rate.new"), toPath: path)
            _ = try await program.line(containing: "its sample rate of \(rate) Hz is not supported")
            try await program.state("playing", from: mark)
            try plays(peer)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("a callback that outlives its client, which JACK never closes, ends beside the next one's: each has its own engine")
    func outlivingCallback() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let (hold, trigger) = (run.folder.file("hold"), run.folder.file("now"))
            let faults = ["FAULTY_HOLD": hold, "FAULTY_ZOMBIE": trigger, "FAULTY_CLOSE": "1"]
            let program = try start(run, try await faulty(run, faults))
            let peer = try await Asker(program)
            try await program.state("playing")
            try Data().write(to: URL(fileURLWithPath: hold))
            #expect(await FileArrival("\(hold).held").arrives())
            let mark = program.lines.count
            try Data().write(to: URL(fileURLWithPath: trigger))
            _ = try await program.line(containing: "a cycle has not ended within a second")
            let away = try await program.state("interrupted", from: mark)
            try await program.state("playing", from: away.index)
            try plays(peer)
            // The callback now continues, with an engine that no other callback uses.
            try FileManager.default.removeItem(atPath: hold)
            #expect(await eventually { !FileManager.default.fileExists(atPath: "\(hold).held") })
            for _ in 0..<20 { try plays(peer) }
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    /// Waits until the program answers with a value: a line of its log may appear before the change it reports can be queried.
    private func becomes(_ peer: Asker, _ address: String, _ value: [OSCArgument], at location: SourceLocation = #_sourceLocation) throws {
        var found: [OSCArgument] = []
        _ = try eventually {
            found = try peer.value(address)
            return found == value
        }
        #expect(found == value, sourceLocation: location)
    }

    /// Waits until the position advances.
    private func plays(_ peer: Asker) throws {
        let before = try peer.value("now/frame")
        #expect(try eventually { try peer.value("now/frame") != before })
    }

    @Test("a client removed by a running server comes back under its name, with its connections")
    func zombie() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let trigger = run.folder.file("now")
            let program = try start(run, try await faulty(run, ["FAULTY_ZOMBIE": trigger]))
            let peer = try await Asker(program)
            try await program.state("playing")
            let connections = try peer.value("jack/connections")
            #expect(connections.count == 4)
            for _ in 0..<2 {
                let mark = program.lines.count
                try Data().write(to: URL(fileURLWithPath: trigger))
                let away = try await program.state("interrupted", from: mark)
                try await program.state("playing", from: away.index)
                try becomes(peer, "jack/connections", connections)
                // JACK lists them in the order of the slots that were free at registration.
                let ports = try await server.ports().filter { port in
                    // A name that is taken gets two digits. Other tests have names that begin like this one.
                    [":", "-01:", "-02:"].contains { port.hasPrefix(server.clientName + $0) }
                }.sorted()
                let wanted = ["in_left", "in_right", "midi_in", "out_left", "out_right"].map { "\(server.clientName):\($0)" }
                #expect(ports == wanted)
            }
            #expect(program.transcript.contains("JACK is away: zombified"))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("two instances of one name play side by side: JACK numbers the second, and each has its file, its session and its connections")
    func sideBySide() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let first = try run.start(["tone.yaml", "--session", "one.yaml"], connecting: true)
            let one = try await Asker(first)
            try await first.state("playing")
            let refused = try run.start("tone.yaml", "--session", "one.yaml")
            #expect(try await refused.exit() != .code(0))
            #expect(refused.transcript.contains("\(first.pid)"), "\(refused.transcript)")
            let second = try run.start(["tone.yaml", "--session", "two.yaml"], connecting: true)
            let two = try await Asker(second)
            try await second.state("playing")

            let numbered = "\(server.clientName)-01"
            #expect(try one.value("info").first == .string(server.clientName))
            #expect(try two.value("info").first == .string(numbered))
            #expect(try two.value("jack/connections").first == .string("\(numbered):out_left"))
            let folder = try run.environment.variables["XDG_RUNTIME_DIR"].orThrow("no XDG_RUNTIME_DIR") + "/binaural"
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(files == ["\(numbered).url", "\(server.clientName).url"])
            #expect(try one.perform("master/gain", .float(-11)) == 0)
            let asked = try await RunningProgram.run(
                try PackageRoot.program(), ["ctl", "--client", numbered, "--wait", Patience.seconds, "master/gain"],
                environment: run.environment.variables)
            #expect(asked.output.contains("/binaural/master/gain 0"), "\(asked.summary)")
            // Each removes only its own file.
            second.send(signal: SIGTERM)
            #expect(try await second.exit() == .code(0), "\(second.transcript)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["\(server.clientName).url"])
            first.send(signal: SIGTERM)
            #expect(try await first.exit() == .code(0), "\(first.transcript)")
        }
    }
}
