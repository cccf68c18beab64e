import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("signals")
struct SignalFadeTests {
    @Test("SIGTERM, SIGINT and SIGHUP fade out without a click, save and exit with 0", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signal(_ number: Int32) async throws {
        let recording = try await JACKServer.run(isPatient: true) { server in
            let program = try await PlayingProgram(
                on: server, ["tone.yaml": PlayTests.tone], options: ["--session", "mine.yaml", "--paused"])
            let capture = try await TimedCapture(of: program)
            #expect(try await program.peer.command("play") == 0)
            try await capture.advance(seconds: 0.3)
            program.process.send(signal: number)
            #expect(try await program.process.exit() == .code(0), "\(program.process.transcript)")
            #expect(try program.folder.read("mine.yaml").contains("tone.yaml"))
            try await capture.advance(seconds: 0.3)
            await program.peer.end()
            return try await capture.finish()
        }
        for channel in recording.wave.channels {
            #expect(channel.contains { abs($0) > 0.05 }, "it sounded")
            #expect(channel.suffix(9600).allSatisfy { $0 == 0 }, "and then there was silence")
            #expect(peakAbove(2000, in: channel[...], sampleRate: 48_000) < -100)
        }
    }
}
