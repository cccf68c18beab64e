import Foundation
import TestSupport
import Testing

/// Judges sound in real time: run by itself, see the Makefile.
@Suite("signals")
struct SignalFadeTests {
    @Test("SIGTERM, SIGINT and SIGHUP fade out without a click, save and exit with 0", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signal(_ number: Int32) async throws {
        try await JACKServer.run(isPatient: true, ownClientName: true) { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            _ = try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            try await program.state("playing")
            let recording = try await server.startCapture(run.ports, seconds: 2)
            program.send(signal: number)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            #expect(try run.folder.read("mine.yaml").contains("tone.yaml"))

            for channel in try await recording.finish().channels {
                #expect(channel[..<480].contains { abs($0) > 0.05 }, "the recording began while it sounded")
                #expect(channel.suffix(9600).allSatisfy { $0 == 0 }, "and ended in silence")
                // The recording starts in the middle of the tone; a fade of the test removes that click.
                let faded = channel.enumerated().map { index, sample in
                    let t = min(1, Double(index) / 960)
                    return sample * t * t * t * (t * (6 * t - 15) + 10)
                }
                #expect(peakAbove(2000, in: faded[...], sampleRate: 48_000) < -100)
            }
        }
    }
}
