import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

/// The frame at which MIDI events are heard, in captured audio.
@Suite struct MIDIFrameTests {
    @Test("No controller event takes effect before two periods and 20 ms have passed, and none is lost")
    func controllers() async throws {
        let presses = 10
        let (rendered, recording) = try await JACKServer.run(isPatient: true) { server in
            let program = try await PlayingProgram(on: server, ["noise.yaml": Self.noise])
            let rendered = try await program.render("noise.yaml")
            #expect(try await program.peer.command("midi/map", .int32(20), .string("layer/1/mute")) == 0)
            let keyboard = try await MIDIPlayer(to: program)
            let capture = try await TimedCapture(of: program, and: [keyboard.markPort])
            // The connections are stable.
            try await capture.advance(seconds: 0.5)
            for press in 0..<presses {
                for (place, value) in [127, 0].enumerated() {
                    // A controller that moves nothing, and the event on another frame of a cycle each time.
                    keyboard.send(0xB0, 21, 0)
                    keyboard.send(0xB0, 20, UInt8(value), after: 777 + press * 13)
                    try await keyboard.hasSent(4 * press + 2 * place + 2)
                    // A machine that is held up makes an event late: the next one waits for it.
                    let isHeard = try await eventually { try await program.peer.value("layer/1/mute").numbers == [1 - Double(place)] }
                    try #require(isHeard)
                    try await capture.advance(seconds: 0.1)
                }
            }
            let recording = try await capture.finish()
            await keyboard.end()
            #expect(try await program.terminate() == .code(0))
            return (rendered, recording)
        }
        let marks = recording.wave.channels[2].indices.filter { recording.wave.channels[2][$0] == 1 }
        try #require(marks.count == 4 * presses)
        // Unmuted it is the render again, in every bit.
        let runs = equalRuns(in: WaveFile(sampleRate: 48_000, channels: Array(recording.wave.channels[..<2])), of: rendered)
        try #require(runs.count == presses + 1, "\(runs)")
        let delays = (0..<presses).map { runs[$0].frames.upperBound - marks[4 * $0 + 1] }
        // The first samples of a fade still equal those of the render.
        let expected = 2 * 256 + 960...2 * 256 + 960 + 16
        let inTime = delays.filter(expected.contains)
        Figures.report(
            "what a controller moves begins after its event, 256 frames a cycle",
            "\(inTime.min() ?? 0) to \(inTime.max() ?? 0) frames for \(inTime.count) of \(presses) events; all: \(delays)")
        // A machine that is held up for longer than 20 ms makes one late, none early.
        #expect(delays.allSatisfy { $0 >= expected.lowerBound }, "\(delays)")
    }

    private static let noise = """
        title: Noise
        duration: 60
        layers:
          - {name: snow, noise: {color: white}, gain: -20}

        """
}
