import Foundation
import TestSupport
import Testing

@Suite("Another session")
struct SessionLoadTests {
    @Test("is refused while the one that is open cannot be saved, with the reason; then it is saved with what a hand is on")
    func unsaved() async throws {
        try await JACKServer.run(ownClientName: true) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            let peer = try await Asker(program)
            try await program.state("playing")
            #expect(try peer.perform("session/save") == 0)
            // In the way of the next save.
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

    @Test("a shuffled round in which an item was selected goes on after a restart")
    func shuffled() async throws {
        try await JACKServer.run(ownClientName: true) { server in
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
            // Neither where it is nor where it began.
            let chosen = try (2...5).first { $0 != here }.orThrow("no other item")
            #expect(try peer.perform("queue/select", .int32(chosen)) == 0)
            first.send(signal: SIGTERM)
            #expect(try await first.exit() == .code(0), "\(first.transcript)")

            let second = try run.start("--session", "mine.yaml", "--paused")
            let again = try await Asker(second)
            #expect(try again.value("now/queue").first == .int32(chosen))
            var played: Set<Int32> = [1, here, chosen]
            for _ in 0..<2 {
                #expect(try again.perform("queue/next") == 0)
                if case .int32(let index)? = try again.value("now/queue").first { played.insert(index) }
            }
            #expect(played == [1, 2, 3, 4, 5])
            for _ in 0..<2 { #expect(try again.perform("queue/previous") == 0) }
            #expect(try again.value("now/queue").first == .int32(chosen))
            #expect(try again.perform("queue/previous") == 0)
            #expect(try again.value("now/queue").first == .int32(here))
            second.send(signal: SIGTERM)
            #expect(try await second.exit() == .code(0), "\(second.transcript)")
        }
    }

    @Test("a shorter queue on the command line begins a shuffled round of its own")
    func shorter() async throws {
        try await JACKServer.run(ownClientName: true) { server in
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
