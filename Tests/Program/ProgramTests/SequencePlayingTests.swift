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

    @Test(
        "a sequence is a queue item with chapters, layers and a place in the session; a restart restores its position, chapter and edits"
    )
    func queue() async throws {
        // The server waits for late clients, so that no measured cycle is lost.
        try await JACKServer.run(isPatient: true, ownClientName: true) { server in
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

    @Test("a sequence by the clock that starts before midnight continues into the new day: chapter, position and sound")
    func midnight() async throws {
        // The server waits for late clients, so that no measured cycle is lost.
        try await JACKServer.run(isPatient: true, ownClientName: true) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("-F 1000\nlate: 200+10/20\nearly: 300+4/20\n12:00 late\n00:00:02 early\n", to: "day.sbg")
            // If starting takes longer than that, the test is repeated with more time.
            for margin in [12, 60, 300] {
                let program = try RunningProgram(
                    try PackageRoot.program(), ["play", "day.sbg"] + PlayRun.arguments(server.clientName),
                    environment: run.environment.variables.merging(["TZ": Self.zone(secondsToMidnight: margin)]) { $1 },
                    folder: run.folder.path)
                try await program.state("playing")
                let began = try await seconds(run, "position")
                if began > 43_200 {
                    #expect(began >= 86_400 - Double(margin))
                    #expect(began < 86_400)
                    #expect(try await run.value(of: "now/chapter").contains("late"))
                    let limit = ContinuousClock.now + .seconds(margin + 120)
                    while !(4..<43_200).contains(try await seconds(run, "position")) {
                        try #require(ContinuousClock.now < limit, "it does not come into the new day")
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    #expect(try await run.value(of: "now/chapter").contains("early"))
                    let wave = try await server.capture(run.ports, seconds: 2)
                    let sine = try #require(measureSine(wave.channels[0][24_000...], sampleRate: 48_000, near: 302))
                    #expect(abs(sine.frequency - 302) < 0.01, "\(sine)")
                    #expect(abs(decibels(sine.amplitude) - decibels(0.2) + 6) < 0.1, "\(sine)")
                }
                program.send(signal: SIGTERM)
                #expect(try await program.exit() == .code(0), "\(program.transcript)")
                if began > 43_200 { return }
            }
            Issue.record("it was never started before midnight")
        }
    }

    /// A time zone in which it is this many seconds to midnight, for the program.
    private static func zone(secondsToMidnight: Int) -> String {
        let now = Int(Date().timeIntervalSince1970)
        let east = (2 * 86_400 - secondsToMidnight - now % 86_400) % 86_400
        return String(format: "TST-%d:%02d:%02d", east / 3600, east / 60 % 60, east % 60)
    }

    @Test("a sequence by the clock plays from the time of day, and a seek overrides that")
    func clock() async throws {
        try await JACKServer.run(ownClientName: true) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("a: 200+10/20\nb: 150+4/20\n06:00 a\n18:00 b\n", to: "day.sbg")
            let program = try run.start("day.sbg")
            try await program.state("playing")
            let (before, elapsed, after) = (Self.timeOfDay, try await seconds(run, "position"), Self.timeOfDay)
            // A run over midnight cannot be compared.
            if before < after { #expect((before - 1.5...after + 1.5).contains(elapsed), "\(before) \(elapsed) \(after)") }
            try await run.ctl("position", "43200")
            #expect(abs(try await seconds(run, "position") - 43_200) < 60)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("a sequence with a fault does not play, and the place of the fault is reported")
    func fault() async throws {
        try await JACKServer.runWithoutStarting(ownClientName: true) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("a: 200+10/20\nNOW b\n", to: "bad.sbg")
            let program = try run.start("bad.sbg")
            #expect(try await program.exit() == .code(65))
            #expect(program.errorLines.first == "bad.sbg:2:5: `b` is not defined above", "\(program.transcript)")
        }
    }
}
