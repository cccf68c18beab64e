import Foundation
import ProgramSupport
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

    @Test(
        "a sequence is a queue item with chapters, layers and a place in the session; a restart restores its position, chapter and edits"
    )
    func queue() async throws {
        // The server waits for late clients, so that no measured cycle is lost.
        try await JACKServer.run(isPatient: true) { server in
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
            try await run.ctl("queue/next")
            #expect(try await run.value(of: "now/title").contains("hum"))
            try await run.ctl("queue/previous")
            // From 10:30 on `deep` has come in.
            try await run.ctl("position", "700")
            try await run.ctl("layer/1/beat", "6")
            let left = try await seconds(run, "position")
            #expect(left >= 700)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")

            let again = try run.start([])
            try await again.state("playing")
            #expect(try await run.value(of: "now/title").contains("nap"))
            #expect(try await run.value(of: "now/chapter").contains("deep"))
            // It lasts until 19:30, longer than any machine takes to read it.
            let position = try await seconds(run, "position")
            #expect(position >= left)
            #expect(position < 1100)
            let wave = try await server.capture(run.ports, seconds: 3)
            for (channel, frequency) in zip(wave.channels, [153.0, 147]) {
                let sine = try #require(measureSine(channel[48_000...], sampleRate: 48_000, near: frequency))
                #expect(abs(sine.frequency - frequency) < 0.01, "\(sine)")
                #expect(abs(decibels(sine.amplitude) - decibels(0.2) + 6) < 0.1, "\(sine)")
            }
            again.send(signal: SIGTERM)
            #expect(try await again.exit() == .code(0), "\(again.transcript)")
        }
    }

    @Test("a sequence by the clock plays from the time of day, and a seek overrides that")
    func clock() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("a: 200+10/20\nb: 150+4/20\n06:00 a\n18:00 b\n", to: "day.sbg")
            let program = try run.start("day.sbg")
            try await program.state("playing")
            let (before, elapsed, after) = (Self.timeOfDay, try await seconds(run, "position"), Self.timeOfDay)
            // Not to the second: on a busy machine JACK loses cycles. A run over midnight cannot be compared.
            let tolerance = Patience.limit.timeInterval
            if before < after { #expect((before - tolerance...after + 1.5).contains(elapsed), "\(before) \(elapsed) \(after)") }
            try await run.ctl("position", "43200")
            #expect((43_200..<43_200 + tolerance).contains(try await seconds(run, "position")))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("a sequence with a fault does not play, and the place of the fault is reported")
    func fault() async throws {
        try await JACKServer.runWithoutStarting { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("a: 200+10/20\nNOW b\n", to: "bad.sbg")
            let program = try run.start("bad.sbg")
            #expect(try await program.exit() == .code(65))
            #expect(program.errorLines.first == "bad.sbg:2:5: `b` is not defined above", "\(program.transcript)")
        }
    }
}
