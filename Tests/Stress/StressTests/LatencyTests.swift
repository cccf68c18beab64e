import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite struct LatencyTests {
    @Test(
        "In half of the cases it takes at most two periods and 2 ms from sending play to its first captured sample",
        arguments: [64, 256, 1024])
    func commandToSample(bufferSize: Int) async throws {
        let (runs, plays) = (8, 25)
        let delays = try await JACKServer.run(bufferSize: bufferSize) { server in
            var delays: [Double] = []
            for _ in 0..<runs { delays += try await self.delays(of: plays, on: server) }
            return delays.sorted()
        }
        // If the machine is late at every other sound, the measurement is useless.
        try #require(delays.count > runs * plays / 2)
        let bound = 2 * Double(bufferSize) / 48 + 2
        #expect((0...bound).contains(delays[delays.count / 2] * 1000))
        Figures.report(
            "from play to its first sample, \(bufferSize) frames a cycle",
            "\(Figures.text(delays[delays.count / 2] * 1000)) ms, 99th percentile \(Figures.text(delays[delays.count * 99 / 100] * 1000)) ms "
                + "of \(delays.count), \(runs * plays - delays.count) left out where a cycle was late; two periods and 2 ms are "
                + "\(Figures.text(bound)) ms")
    }

    /// - Returns: In seconds; none for a sound before which a cycle of the server was late, which says nothing of the program.
    private func delays(of plays: Int, on server: JACKServer) async throws -> [Double] {
        let program = try await PlayingProgram(on: server, ["noise.yaml": TestPatch.noise], options: ["--paused"])
        let peer = program.peer
        let capture = try await TimedCapture(of: program, seconds: Double(plays) * 0.5 + 20)
        var sent: [Double] = []
        for _ in 0..<plays {
            sent.append(try await peer.stampedSend("play"))
            try await capture.advance(seconds: 0.1)
            #expect(try await peer.command("stop") == 0)
            try await capture.advance(seconds: 0.1)
        }
        let recording = try await capture.finish()
        #expect(try await program.terminate() == .code(0))
        let samples = recording.wave.channels[0]
        // The first sample of noise after silence; under a fade-in, but not nothing.
        let onsets = samples.indices.dropFirst(64).filter { samples[$0] != 0 && samples[$0 - 64..<$0].allSatisfy { $0 == 0 } }
            .map { recording.time(ofSample: $0) }
        // A late cycle makes silence within a sound, so there may be more sounds than requested.
        #expect(onsets.count >= plays)
        let period = Double(server.bufferSize) / Double(server.sampleRate)
        // After a late cycle JACK's own clock of cycles is off for some more.
        let late = zip(recording.cycles, recording.cycles.dropFirst()).filter { $1.time - $0.time > 1.5 * period }.map { $1.time }
        var delays: [Double] = []
        for sent in sent where !late.contains(where: { $0 > sent - 0.1 && $0 < sent + 0.1 }) {
            let onset = try #require(onsets.min { abs($0 - sent) < abs($1 - sent) })
            delays.append(onset - sent)
        }
        return delays
    }
}
