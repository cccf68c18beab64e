import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

/// A tone is that tone and nothing else, measured at the ports of the playing program.
@Suite struct ToneTests {
    @Test("In ten seconds of a binaural tone, each ear is within 1e-9 Hz of the sample clock, and nothing else is above -138 dB")
    func frequency() async throws {
        let expected = [203.915, 196.085]
        let found = try await JACKServer.run(bufferSize: 1024, isPatient: true) { server in
            let program = try await PlayingProgram(
                on: server, ["tone.yaml": "layers:\n  - {binaural: {carrier: 200, beat: 7.83}, gain: -20}\n"])
            // The fade of the start is over.
            _ = try await eventually { try await program.peer.value("now/elapsed").numbers[0] ?? 0 > 0.1 }
            let wave = try await server.capture(program.ports, seconds: 10)
            #expect(try await program.terminate() == .code(0))
            return wave
        }
        #expect(found.frameCount == 480_000)
        for (channel, frequency) in zip(found.channels, expected) {
            let sine = try #require(measureSine(channel[...], sampleRate: 48_000, near: frequency))
            Figures.report(
                "frequency of \(frequency) Hz, 10 s at the port, off by", String(format: "%.1e Hz", sine.frequency - frequency))
            Figures.report("residual of \(frequency) Hz", Figures.text(sine.residualInDecibels) + " dB")
            #expect(abs(sine.frequency - frequency) < 1e-9)
            #expect(sine.residualInDecibels < -140)
        }
    }

    @Test("Start, pause, seek, stop, panic and quitting leave no click in a tone of 200 Hz")
    func noClick() async throws {
        let found = try await JACKServer.run(isPatient: true) { server in
            let program = try await PlayingProgram(on: server, ["tone.yaml": TestPatch.tone], options: ["--paused"])
            let capture = try await TimedCapture(of: program)
            let peer = program.peer
            let steps: [(String, [OSCArgument])] = [
                ("play", []), ("pause", []), ("play", []), ("position", [.float(100.0013)]), ("stop", []), ("play", []),
                ("panic", []), ("play", []), ("layer/1/mute", [.int32(1)]), ("layer/1/mute", [.int32(0)]),
            ]
            for (address, arguments) in steps {
                let mark = peer.mark
                peer.sendBundle([OSCMessage(address, arguments)])
                #expect(try await peer.code(of: address, from: mark) == 0, "\(address)")
                try await capture.advance(seconds: 0.1037)
            }
            // Commands in quick succession: each within the fade of the previous one.
            for address in ["pause", "play", "stop", "play", "pause", "play"] {
                #expect(try await peer.command(address) == 0)
            }
            try await capture.advance(seconds: 0.1)
            #expect(try await program.terminate() == .code(0))
            try await capture.advance(seconds: 0.05)
            let recording = try await capture.finish()
            return recording.wave
        }
        #expect(found.frameCount > 24_000)
        for channel in found.channels {
            // Sounds that overlap for a moment may add up to more than the one.
            let start = try #require(channel.firstIndex { $0 != 0 })
            #expect(abs(decibels(channel[start...].prefix(9600).map(abs).max() ?? 0) + 20) < 0.01)
            #expect(channel.last == 0)
            let click = peakAbove(2000, in: channel[...], sampleRate: 48_000)
            Figures.report("above 2 kHz after start, pause, seek, stop, panic, mute, SIGTERM of 200 Hz", Figures.text(click) + " dB")
            #expect(click < -100)
        }
    }
}
