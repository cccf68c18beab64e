import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Connections", .ownThread)
struct ConnectionTests {
    /// Waits until the connection lines of the session's file are these.
    private func saved(_ expected: [String], in file: String, _ run: PlayRun) async throws {
        let isSaved = await eventually {
            let lines = (try? run.folder.read(file))?.split(separator: "\n").map(String.init) ?? []
            let connections = lines.filter { $0.contains("port: out") }.map {
                $0.trimmingCharacters(in: .whitespaces).replacing(/, seen: [-0-9]{10}(, reported: true)?/, with: "")
            }
            return connections == expected && lines.contains { $0.hasPrefix("connections:") }
        }
        guard isSaved else { throw ProgramFailure("connections were not saved: \((try? run.folder.read(file)) ?? "no file")") }
    }

    private func play(_ run: PlayRun, _ arguments: String...) throws -> RunningProgram { try run.start(arguments, connecting: true) }

    private func end(_ program: RunningProgram) async throws {
        program.send(signal: SIGTERM)
        #expect(try await program.exit() == .code(0), "\(program.transcript)")
    }

    private func connections(_ run: PlayRun) async throws -> [[String]] {
        [try await run.server.connections(of: run.ports[0]), try await run.server.connections(of: run.ports[1])]
    }

    private func connections(_ expected: [[String]], of run: PlayRun, _ line: UInt = #line) async throws {
        var found: [[String]] = []
        let isSo = try await eventually(at: #fileID, line) {
            found = try await connections(run)
            return found == expected
        }
        guard !isSo else { return }
        let file = (try? run.folder.read("mine.yaml")) ?? "no file"
        throw ProgramFailure("the connections are \(found), not \(expected) in line \(line); the session: \(file)")
    }

    @Test("connections made with jack_connect are saved, and restored at startup and when a missing port appears")
    func learnt() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let first = try play(run, "tone.yaml", "--session", "mine.yaml")
            let peer = try await Asker(first)
            let (name, thru) = ("other", try requireTool("jack_thru", package: "jackd2"))
            let input = "\(name):input_1"
            try await first.state("playing")
            try await connections([["system:playback_1"], ["system:playback_2"]], of: run)
            try await saved(
                ["- {port: out_left, to: system:playback_1}", "- {port: out_right, to: system:playback_2}"], in: "mine.yaml", run)

            try await server.connect(run.ports[0], "system:playback_2")
            try await server.disconnect(run.ports[0], "system:playback_1")
            try await saved(
                ["- {port: out_right, to: system:playback_2}", "- {port: out_left, to: system:playback_2}"], in: "mine.yaml", run)
            let other = try RunningProgram(thru, [name], environment: run.environment.variables)
            try await server.waitForPort(input)
            #expect(try peer.perform("jack/connect", .string("out_right"), .string(input)) == 0)
            #expect(try peer.perform("jack/connect", .string("out_right"), .string("nobody:input")) == 100)
            try await saved(
                [
                    "- {port: out_right, to: system:playback_2}", "- {port: out_left, to: system:playback_2}",
                    "- {port: out_right, to: \(input)}",
                ], in: "mine.yaml", run)
            await other.end()
            // A connection made just before the end is saved too.
            try await server.disconnect(run.ports[1], "system:playback_2")
            try await end(first)

            let second = try play(run, "--session", "mine.yaml")
            _ = try await second.line(containing: "Waiting for the remembered port '\(input)'")
            try await connections([["system:playback_2"], []], of: run)
            let again = try RunningProgram(thru, [name], environment: run.environment.variables)
            try await connections([["system:playback_2"], [input]], of: run)
            // They are restored on a new server too.
            try await server.kill()
            _ = try await second.line(containing: "JACK is away")
            await again.end()
            try await server.start()
            try await connections([["system:playback_2"], []], of: run)
            let third = try RunningProgram(thru, [name], environment: run.environment.variables)
            try await connections([["system:playback_2"], [input]], of: run)
            await third.end()
            try await end(second)
        }
    }

    /// Waits for the end of a text of the session's file.
    private func file(_ name: String, _ run: PlayRun, until isThere: (String) -> Bool) async throws -> String {
        var text: String?
        let isSo = await eventually {
            text = try? run.folder.read(name)
            return text.map(isThere) ?? false
        }
        guard isSo, let text else { throw ProgramFailure("the file never became so: \(text ?? "no file")") }
        return text
    }

    @Test("a port not seen for 30 days is forgotten; a missing one is reported once, not at every start, and forgotten on request")
    func forgotten() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            func day(_ daysAgo: Double) -> String {
                Date(timeIntervalSinceNow: -86_400 * daysAgo).formatted(.iso8601.year().month().day())
            }
            try run.folder.write(
                """
                format: 1
                queue: [{patch: ./tone.yaml}]
                connections:
                  - {port: out_left, to: system:playback_1, seen: 2020-01-01}
                  - {port: out_right, to: old:1, seen: \(day(40))}
                  - {port: out_right, to: recent:1, seen: \(day(20))}
                  - {port: out_right, to: undated:1}

                """, to: "mine.yaml")
            let first = try play(run, "--session", "mine.yaml", "--paused")
            let peer = try await Asker(first)
            _ = try await first.line(
                containing:
                    "Forgot the connections to 'old:1', not seen for more than 30 days. Waiting for 'recent:1' and 1 other remembered port;"
            )
            try await connections([["system:playback_1"], []], of: run)
            let text = try await file("mine.yaml", run) { !$0.contains("old:1") && $0.contains("reported") }
            for line in [
                "{port: out_left, to: system:playback_1, seen: \(day(0))}",
                "{port: out_right, to: recent:1, seen: \(day(20)), reported: true}",
                "{port: out_right, to: undated:1, seen: \(day(0)), reported: true}",
            ] { #expect(text.contains(line), "\(text)") }
            #expect(try peer.perform("jack/forget", .string("system:playback_1")) == 405)
            #expect(try peer.perform("jack/forget", .string("nobody:1")) == 100)
            #expect(try peer.perform("jack/forget", .string("")) == 400)
            #expect(try peer.perform("jack/forget", .string("recent:1")) == 0)
            try await end(first)

            let second = try play(run, "--session", "mine.yaml", "--paused")
            let other = try await Asker(second)
            try await connections([["system:playback_1"], []], of: run)
            #expect(try other.perform("jack/forget") == 0)
            _ = try await file("mine.yaml", run) { !$0.contains("undated:1") && !$0.contains("recent:1") }
            try await connections([["system:playback_1"], []], of: run)
            try await end(second)
            #expect(!second.transcript.contains("Waiting for"), "\(second.transcript)")
        }
    }

    @Test("a session whose connections were all removed stays disconnected; --connect overrides a session's; each session has its own")
    func chosen() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let first = try play(run, "tone.yaml", "--session", "mine.yaml", "--paused")
            let peer = try await Asker(first)
            try await connections([["system:playback_1"], ["system:playback_2"]], of: run)
            #expect(try peer.perform("session/save", .string("two")) == 0)
            #expect(try peer.perform("session/load", .string("work")) == 0)
            // A session that has never been connected takes over the existing connections.
            try await connections([["system:playback_1"], ["system:playback_2"]], of: run)
            for (port, destination) in [("out_left", "system:playback_1"), ("out_right", "system:playback_2")] {
                #expect(try peer.perform("jack/disconnect", .string(port), .string(destination)) == 0)
            }
            #expect(try peer.perform("session/save") == 0)
            #expect(try peer.perform("session/load", .string("two")) == 0)
            try await connections([["system:playback_1"], ["system:playback_2"]], of: run)
            #expect(try peer.perform("session/load", .string("work")) == 0)
            try await connections([[], []], of: run)
            try await end(first)

            let second = try play(run, "work", "--paused")
            _ = try await second.line(containing: "Not connected, as in the saved session.")
            #expect(try await connections(run) == [[], []])
            try await end(second)

            let third = try play(run, "work", "--paused", "--connect", "system:playback_[12]")
            try await connections([["system:playback_1"], ["system:playback_2"]], of: run)
            try await end(third)
            let fourth = try play(run, "work", "--paused", "--connect", "none")
            _ = try await Asker(fourth)
            try await server.waitForPort(run.ports[1])
            #expect(try await connections(run) == [[], []])
            try await end(fourth)
            let fifth = try play(run, "work", "--paused")
            try await connections([["system:playback_1"], ["system:playback_2"]], of: run)
            try await end(fifth)
        }
    }
}
