import Foundation
import ProgramSupport
import TestSupport
import Testing

/// A real midnight: a minute before it in the program's time zone.
@Suite struct MidnightTests {
    private static let margin = 60

    private func position(_ run: PlayRun) async throws -> Double {
        let text = try await run.value(of: "position")
        return try Double(text).orThrow("no number: \(text)")
    }

    @Test("a sequence by the clock that starts before midnight continues into the new day: chapter, position and sound")
    func midnight() async throws {
        // The server waits for late clients, so that no measured cycle is lost.
        try await JACKServer.run(isPatient: true) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write("-F 1000\nlate: 200+10/20\nearly: 300+4/20\n12:00 late\n00:00:02 early\n", to: "day.sbg")
            let program = try RunningProgram(
                try PackageRoot.program(), ["play", "day.sbg"] + PlayRun.arguments(server.clientName),
                environment: run.environment.variables.merging(["TZ": Self.zone]) { $1 }, folder: run.folder.path)
            try await program.state("playing")
            let began = try await position(run)
            #expect((86_400 - Double(Self.margin)..<86_400).contains(began))
            #expect(try await run.value(of: "now/chapter").contains("late"))
            let isNewDay = try await eventually { (4..<43_200).contains(try await position(run)) }
            #expect(isNewDay, "it does not come into the new day")
            #expect(try await run.value(of: "now/chapter").contains("early"))
            let wave = try await server.capture(run.ports, seconds: 2)
            let sine = try #require(measureSine(wave.channels[0][24_000...], sampleRate: 48_000, near: 302))
            #expect(abs(sine.frequency - 302) < 0.01, "\(sine)")
            #expect(abs(decibels(sine.amplitude) - decibels(0.2) + 6) < 0.1, "\(sine)")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    /// A time zone in which it is ``margin`` seconds to midnight now.
    private static var zone: String {
        let now = Int(Date().timeIntervalSince1970)
        let east = (2 * 86_400 - margin - now % 86_400) % 86_400
        return String(format: "TST-%d:%02d:%02d", east / 3600, east / 60 % 60, east % 60)
    }
}
