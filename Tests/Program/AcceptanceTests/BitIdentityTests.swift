import OSC
import ProgramSupport
import TestSupport
import Testing

/// Frame n of the sound has one value, however it is reached.
@Suite struct BitIdentityTests {
    /// Frames of the short fade: 20 ms.
    private let fade = 960

    @Test(
        "A render from the middle, real-time playback after seeks, and playback under freewheel have exactly the samples of the whole render",
        arguments: [64, 1024])
    func sameBits(bufferSize: Int) async throws {
        let (whole, part, recording) = try await JACKServer.run(
            bufferSize: bufferSize, isPatient: true
        ) { server in
            let program = try await PlayingProgram(on: server, ["moving.yaml": TestPatch.moving], options: ["--paused"])
            let whole = try await program.render("moving.yaml")
            let part = try await program.render("moving.yaml", "--from", "7.5", "--to", "12", to: "part.wav")
            let capture = try await TimedCapture(of: program)
            let peer = program.peer
            #expect(try await peer.command("play") == 0)
            try await capture.advance(seconds: 0.3)
            for place in [20.0, 12.5, 3.0001] {
                #expect(try await peer.command("position", .double(place)) == 0)
                try await capture.advance(seconds: 0.3)
            }
            try await server.freewheel(true)
            // To the end of the patch, and further.
            try await capture.advance(seconds: 28)
            try await server.freewheel(false)
            let recording = try await capture.finish()
            #expect(try await program.terminate() == .code(0))
            return (whole, part, recording)
        }
        #expect(whole.frameCount == 30 * 48_000)
        for channel in 0..<2 { #expect(Array(whole.channels[channel][360_000..<576_000]) == part.channels[channel]) }

        let runs = equalRuns(in: recording.wave, of: whole)
        // From the end of each fade-in on, to the next fade-out or to the end of the patch.
        try #require(runs.count == 4, "\(runs)")
        for (run, place) in zip(runs, [0, 960_000, 600_000, 144_005]) {
            #expect((place...(place + fade)).contains(run.start), "\(run)")
        }
        #expect(runs[3].end == 30 * 48_000)
        #expect(recording.wave.channels.allSatisfy { $0[runs[3].frames.upperBound...].allSatisfy { $0 == 0 } })
        let frames = runs.reduce(0) { $0 + $1.frames.count }
        Figures.report(
            "played live, after seeks, under freewheel, \(bufferSize) frames a cycle",
            "\(frames) frames, equal to the render in every bit")
    }
}
