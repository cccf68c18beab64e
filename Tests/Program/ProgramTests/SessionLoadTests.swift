import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Another session", .ownThread)
struct SessionLoadTests {
    @Test("another session is refused while the open one cannot be saved, with the reason; then that is saved with touched values")
    func unsaved() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            let peer = try await Asker(program)
            try await program.state("playing")
            #expect(try peer.perform("session/save") == 0)
            // Makes the next save fail.
            let obstacle = run.folder.file("mine.yaml.tmp")
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
            #expect(try peer.perform("touch/layer/1/gain", .int32(1)) == 0)
            #expect(try peer.perform("layer/1/gain", .int32(-40)) == 0)
            #expect(try peer.perform("session/load", .string("welcome")) == 200)
            _ = try await program.line(containing: "The session mine stays open, so that nothing is lost. The session was not saved;")
            #expect(try peer.value("now/title") == [.string("Tone")])
            #expect(try peer.value("layer/1/gain") == [.float(-40)])

            try FileManager.default.removeItem(atPath: obstacle)
            #expect(try peer.perform("session/load", .string("welcome")) == 0)
            #expect(try peer.value("now/title") != [.string("Tone")])
            let saved = try run.folder.read("mine.yaml")
            #expect(saved.contains(".gain: -40"), "\(saved)")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("a session whose patch is missing or invalid says so when it is opened, marks it in the list, and says how to see the mistake")
    func unreadable() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write("format: 1\nqueue:\n  - {patch: bad.yaml}\n  - {patch: gone.yaml}\n", to: "mine.yaml")
            try run.folder.write("layers:\n  - {tone: {carr: 200}, gain: -20}\n", to: "bad.yaml")
            let program = try run.start("--session", "mine.yaml")
            for words in ["2 patches of the queue cannot be played; they stay in it.", "bad.yaml:2:", "carr", "gone.yaml"] {
                _ = try await program.line(containing: words)
            }
            let list = try await run.ctl("queue/list").outputLines
            #expect(list.count { $0.contains("(cannot be played)") } == 2, "\(list)")
            let refused = try await RunningProgram.run(
                try PackageRoot.program(), ["ctl", "--client", server.clientName, "--wait", Patience.seconds, "play"],
                environment: run.environment.variables)
            #expect(refused.errors.contains("Not playable, select another item: "))
            #expect(refused.errors.contains("'binaural check' shows it."))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("a shuffled round in which an item was selected, and others were added and moved, continues after a restart")
    func shuffled() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let names = (1...5).map { "tone\($0).yaml" }
            for name in names { try run.folder.write(PlayTests.tone, to: name) }
            let first = try run.start(names + ["--session", "mine.yaml", "--paused"])
            let peer = try await Asker(first)
            #expect(try peer.perform("shuffle", .string("items")) == 0)
            #expect(try peer.perform("queue/next") == 0)
            let before = try peer.value("now/queue")
            guard case .int32(let here)? = before.first else { throw ProgramFailure("now/queue is \(before)") }
            // A position that is neither the current one nor the start.
            let chosen = try (2...5).first { $0 != here }.orThrow("no other item")
            #expect(try peer.perform("queue/select", .int32(chosen)) == 0)
            // The list changes, and the round continues.
            #expect(try peer.perform("queue/add", .string("reference-440")) == 0)
            #expect(try peer.perform("queue/move", .int32(6), .int32(1)) == 0)
            #expect(try peer.value("now/queue") == [.int32(chosen + 1), .int32(6)])
            first.send(signal: SIGTERM)
            #expect(try await first.exit() == .code(0), "\(first.transcript)")

            let second = try run.start("--session", "mine.yaml", "--paused")
            let again = try await Asker(second)
            #expect(try again.value("now/queue").first == .int32(chosen + 1))
            var played: Set<Int32> = [2, here + 1, chosen + 1]
            for _ in 0..<3 {
                #expect(try again.perform("queue/next") == 0)
                if case .int32(let index)? = try again.value("now/queue").first { played.insert(index) }
            }
            #expect(played == [1, 2, 3, 4, 5, 6])
            for _ in 0..<3 { #expect(try again.perform("queue/previous") == 0) }
            #expect(try again.value("now/queue").first == .int32(chosen + 1))
            #expect(try again.perform("queue/previous") == 0)
            #expect(try again.value("now/queue").first == .int32(here + 1))
            second.send(signal: SIGTERM)
            #expect(try await second.exit() == .code(0), "\(second.transcript)")
        }
    }

    @Test("unknown keys of an item stay with it, also if the queue holds the same patch twice")
    func unknownKeys() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let items = (1...3).map { "  - {patch: ./tone.yaml, novelty: number \($0)}\n" }.joined()
            try run.folder.write("format: 1\nqueue:\n\(items)play: {state: stopped}\n", to: "mine.yaml")
            let program = try run.start("--session", "mine.yaml", "--paused")
            let peer = try await Asker(program)
            #expect(try peer.perform("queue/move", .int32(3), .int32(1)) == 0)
            #expect(try peer.perform("queue/remove", .int32(2)) == 0)
            #expect(try peer.perform("session/save") == 0)
            #expect(try peer.perform("queue/move", .int32(2), .int32(1)) == 0)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            let saved = try run.folder.read("mine.yaml")
            let kept = saved.matches(of: /novelty: number ([0-9])/).map { String($0.1) }
            #expect(kept == ["2", "3"], "\(saved)")
        }
    }

    @Test("a shorter queue on the command line starts a shuffled round of its own")
    func shorter() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let names = (1...3).map { "tone\($0).yaml" }
            for name in names { try run.folder.write(PlayTests.tone, to: name) }
            let first = try run.start(names + ["--session", "mine.yaml", "--paused"])
            let peer = try await Asker(first)
            #expect(try peer.perform("queue/select", .int32(3)) == 0)
            #expect(try peer.perform("shuffle", .string("items")) == 0)
            first.send(signal: SIGTERM)
            #expect(try await first.exit() == .code(0), "\(first.transcript)")

            let second = try run.start(names.prefix(2) + ["--session", "mine.yaml", "--paused"])
            let again = try await Asker(second)
            #expect(try again.value("shuffle") == [.string("items")])
            #expect(try again.perform("queue/next") == 0)
            #expect(try again.perform("queue/previous") == 0)
            #expect(try again.value("now/queue").first == .int32(1))
            second.send(signal: SIGTERM)
            #expect(try await second.exit() == .code(0), "\(second.transcript)")
        }
    }
}
