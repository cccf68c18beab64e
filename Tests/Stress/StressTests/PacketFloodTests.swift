import OSC
import ProgramSupport
import TestSupport
import Testing

@Suite struct PacketFloodTests {
    @Test("A flood of queries and of meaningless packets changes no bit of the sound")
    func flood() async throws {
        let (seconds, rate) = (60, 50_000)
        let (recording, noise, answered) = try await JACKServer.run(bufferSize: 1024, isPatient: true) { server in
            let patch = TestPatch.moving.replacingOccurrences(of: "duration: 30", with: "duration: \(seconds + 160)")
            let program = try await PlayingProgram(on: server, ["moving.yaml": patch], options: ["--paused"])
            let quiet = try await program.render("moving.yaml")
            let flooder = try await OSCPeer()
            try await flooder.target(program.oscPort)
            let capture = try await TimedCapture(of: program, seconds: Double(seconds) + 150)
            #expect(try await program.peer.command("play") == 0)
            let reached = try await flooder.flood(count: seconds * rate, rate: rate, seed: 1)
            Figures.report("packets of a flood", "\(Figures.text(reached, 0)) a second for \(seconds) s")
            try await capture.advance(seconds: 0.2)
            // A peer that is silent for a minute is forgotten.
            #expect(try await program.peer.command("replies", .int32(2)) == 0)
            let answered = try await program.peer.command("stop") == 0
            let recording = try await capture.finish()
            await flooder.end()
            #expect(try await program.terminate() == .code(0))
            return (recording, quiet, answered)
        }
        #expect(answered)
        let runs = equalRuns(in: recording.wave, of: noise)
        // From the end of the fade-in to the fade-out without a gap.
        try #require(runs.count == 1, "\(runs)")
        let sounding = recording.wave.channels[0].count { $0 != 0 }
        #expect(sounding - runs[0].frames.count <= 2 * 960 + 64, "\(sounding) frames sound, \(runs)")
        Figures.report("bits changed by \(seconds * rate) packets of garbage", "0 of \(runs[0].frames.count) frames")
    }
}
