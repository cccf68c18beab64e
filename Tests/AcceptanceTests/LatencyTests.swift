import Foundation
import TestSupport
import Testing

extension AcceptanceTests {
    /// Times are the machine's as much as the program's: told by `make stress`, not judged.
    @Suite(.enabled(if: isStress, "latencies are measured by make stress"))
    struct LatencyTests {
        @Test("From the sending of play to its first sample in the capture", arguments: [64, 256, 1024])
        func commandToSample(bufferSize: Int) async throws {
            let (runs, plays) = (8, 25)
            let delays = try await JACKServer.run(bufferSize: bufferSize, ownClientName: true) { server in
                var delays: [Double] = []
                for _ in 0..<runs {
                    delays += try await undisturbed { try await self.delays(of: plays, on: server) }
                }
                return delays.sorted()
            }
            #expect(delays[0] > 0)
            let bound = 2 * Double(bufferSize) / 48 + 2
            Figures.tell(
                "from play to its first sample, \(bufferSize) frames a cycle",
                "\(Figures.text(delays[delays.count / 2] * 1000)) ms, 99th percentile \(Figures.text(delays[delays.count * 99 / 100] * 1000)) ms "
                    + "of \(delays.count); two periods and 2 ms are \(Figures.text(bound)) ms")
        }

        /// - Returns: In seconds, unless a cycle was dropped: then none.
        private func delays(of plays: Int, on server: JACKServer) async throws -> ([Double], disturbances: Int) {
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
            guard recording.xruns == 0 else { return ([], recording.xruns) }
            let samples = recording.wave.channels[0]
            // The first sample of noise after silence; under a fade-in, but not nothing.
            let onsets = samples.indices.dropFirst(64).filter { samples[$0] != 0 && samples[$0 - 64..<$0].allSatisfy { $0 == 0 } }
            try #require(onsets.count == plays)
            return (zip(onsets, sent).map { recording.time(ofSample: $0) - $1 }, 0)
        }
    }
}
