import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The user's own sound, through the release program.
@Suite struct InputTests {
    @Test("Sound of another program at in_left and in_right is output in the same ear, together with another layer")
    func passes() async throws {
        // It waits for late clients, so no cycle of theirs is lost.
        try await JACKServer.run(bufferSize: 256, isPatient: true) { server in
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
                #expect(abs(sine.frequency - frequency) < 1e-3, "\(sine)")
                #expect(abs(decibels(sine.amplitude) + 26) < 0.1, "\(sine)")
                let tone = try #require(measureSine(samples, sampleRate: 48_000, near: 700))
                #expect(abs(tone.frequency - 700) < 0.1, "\(tone)")
                #expect(abs(decibels(tone.amplitude) + 30) < 0.5, "\(tone)")
            }
            #expect(try await source.terminate() == .code(0))
            // Without input there is silence.
            let rest = try await server.capture(program.ports, seconds: 1)
            let tone = try #require(measureSine(rest.channels[0][4800...], sampleRate: 48_000, near: 700))
            #expect(tone.residualInDecibels < -100, "\(tone)")
            #expect(try await program.terminate() == .code(0))
        }
    }

    private static func smootherstep(_ t: Double) -> Double {
        let t = min(max(t, 0), 1)
        return t * t * t * (t * (6 * t - 15) + 10)
    }

    @Test("An input with pulses is output on the same frame, multiplied by the pulse of the format's definition, in both ears")
    func pulses() async throws {
        // As above: both recordings are of the same cycles.
        try await JACKServer.run(bufferSize: 256, isPatient: true) { server in
            let source = try await PlayingProgram(
                on: server, ["source.yaml": "layers:\n  - {binaural: {carrier: 1000, beat: 10}, gain: -12}\n"],
                name: "\(server.clientName)s")
            let program = try await PlayingProgram(
                on: server,
                ["input.yaml": "layers:\n  - {input: {pulses: true, pulseRate: 5, duty: 0.6, edge: 0.02}, gain: -6}\n"])
            for (output, input) in zip(source.ports, ["in_left", "in_right"]) {
                try await server.connect(output, "\(server.clientName):\(input)")
            }
            let wave = try await server.capture(source.ports + program.ports, seconds: 4)
            // 5 Hz have a period of 9600 frames; an edge of 0.02 s is a tenth of it.
            let (period, edge, duty) = (9600, 0.1, 0.6)
            func ideal(_ frame: Int) -> Double {
                let phase = Double(frame % period) / Double(period)
                return Self.smootherstep(phase / edge) * Self.smootherstep((duty - phase) / edge) * pow(10, -6.0 / 20)
            }
            for (sent, heard) in [(wave.channels[0], wave.channels[2]), (wave.channels[1], wave.channels[3])] {
                // Only samples loud enough to divide by.
                let frames = (96_000..<186_000).filter { abs(sent[$0]) > 0.05 }
                func worst(_ shift: Int, _ frames: [Int]) -> Double {
                    frames.reduce(0) { max($0, abs(heard[$1] / sent[$1] - ideal($1 + shift))) }
                }
                // The pulses' phase at the start of the recording is unknown; the test finds their frame.
                let some = stride(from: 0, to: frames.count, by: 997).map { frames[$0] }
                let shift = try #require((0..<period).min { worst($0, some) < worst($1, some) })
                // Samples of Float: the product of three of them.
                #expect(worst(shift, frames) < 1e-6, "\(worst(shift, frames))")
                #expect(frames.contains { ideal($0 + shift) == 0 })
                #expect(frames.contains { ideal($0 + shift) > 0.5 })
            }
            #expect(try await source.terminate() == .code(0))
            #expect(try await program.terminate() == .code(0))
        }
    }
}
