import Foundation
import TestSupport
import Testing

@Suite("Sequences of SBaGen, played")
struct SequencePlayingTests {
    /// Seconds after midnight, in this process's time zone, which is the program's too.
    private static var timeOfDay: Double {
        let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: Date())
        return Double((parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0))
    }

    private func seconds(_ run: PlayRun, _ address: String) async throws -> Double {
        let text = try await run.value(of: address)
        return try Double(text.prefix { "0123456789.-".contains($0) }).orThrow("no number: \(text)")
    }

    @Test("a sequence is an item of the queue: it has chapters, layers and a place in the session, which is there after a restart")
    func queue() async throws {
        try await JACKServer.run(ownClientName: true) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("-SE\nfall: 200+10/20 pink/10\ndeep: 150+4/20\nNOW fall\n+0:10 == deep\n+0:20 fall\n", to: "nap.sbg")
            _ = try run.folder.write("queue: 100/10\nNOW queue\n", to: "hum.sbg")
            let program = try run.start("nap.sbg", "hum.sbg")
            try await program.state("playing")
            #expect(try await run.value(of: "now/title").contains("nap"))
            #expect(try await run.value(of: "layer/1/name").contains("voice1"))
            try await run.ctl("next")
            #expect(try await run.value(of: "now/chapter").contains("deep"))
            #expect(try await seconds(run, "position") >= 600)
            try await run.ctl("layer/1/beat", "6")
            try await run.ctl("queue/next")
            #expect(try await run.value(of: "now/title").contains("hum"))
            try await run.ctl("queue/previous")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")

            let again = try run.start([])
            try await again.state("playing")
            #expect(try await run.value(of: "now/title").contains("nap"))
            again.send(signal: SIGTERM)
            #expect(try await again.exit() == .code(0), "\(again.transcript)")
        }
    }

    @Test("a sequence by the clock plays from the time of the day, and a seek is left alone")
    func clock() async throws {
        try await JACKServer.run(ownClientName: true) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("a: 200+10/20\nb: 150+4/20\n06:00 a\n18:00 b\n", to: "day.sbg")
            let program = try run.start("day.sbg")
            try await program.state("playing")
            let (before, elapsed, after) = (Self.timeOfDay, try await seconds(run, "position"), Self.timeOfDay)
            // Over midnight there is nothing to be compared.
            if before < after { #expect(elapsed >= before - 1.5 && elapsed <= after + 1.5, "\(before) \(elapsed) \(after)") }
            try await run.ctl("position", "43200")
            #expect(abs(try await seconds(run, "position") - 43_200) < 60)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("a sequence with a fault does not play, and says where the fault is")
    func fault() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("a: 200+10/20\nNOW b\n", to: "bad.sbg")
            let program = try run.start("bad.sbg")
            #expect(try await program.exit() == .code(65))
            #expect(program.errorLines.first == "bad.sbg:2:5: nothing above is called `b`", "\(program.transcript)")
        }
    }
}
