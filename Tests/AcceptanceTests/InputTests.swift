import Foundation
import TestSupport
import Testing

extension AcceptanceTests {
    /// One's own music, through the release program.
    @Suite struct InputTests {
        @Test("What another program plays into in_left and in_right comes out, each in its ear, and a layer beside it too")
        func passes() async throws {
            try await JACKServer.run(bufferSize: 256, ownClientName: true) { server in
                let source = try await PlayingProgram(
                    on: server, ["source.yaml": "layers:\n  - {binaural: {carrier: 200, beat: 10}, gain: -20}\n"],
                    name: "\(server.clientName)s")
                let program = try await PlayingProgram(
                    on: server, ["input.yaml": "layers:\n  - {input: {}, gain: -6}\n  - {tone: {carrier: 700}, gain: -30}\n"])
                for (output, input) in zip(source.ports, ["in_left", "in_right"]) {
                    try await server.connect(output, "\(server.clientName):\(input)")
                }
                let wave = try await server.capture(program.ports, seconds: 3)
                for (channel, frequency) in zip(wave.channels, [205.0, 195]) {
                    let samples = channel[48_000..<144_000]
                    let sine = try #require(measureSine(samples, sampleRate: 48_000, near: frequency))
                    #expect(abs(sine.frequency - frequency) < 1e-3 && abs(decibels(sine.amplitude) + 26) < 0.1, "\(sine)")
                    let tone = try #require(measureSine(samples, sampleRate: 48_000, near: 700))
                    #expect(abs(tone.frequency - 700) < 0.1 && abs(decibels(tone.amplitude) + 30) < 0.5, "\(tone)")
                }
                #expect(try await source.terminate() == .code(0))
                // What nobody plays is silence.
                let rest = try await server.capture(program.ports, seconds: 1)
                let tone = try #require(measureSine(rest.channels[0][4800...], sampleRate: 48_000, near: 700))
                #expect(tone.residualInDecibels < -100, "\(tone)")
                #expect(try await program.terminate() == .code(0))
            }
        }
    }
}
