import Foundation
import TestSupport
import Testing

extension AcceptanceTests {
    /// Times are the machine's as much as the program's: told by `make stress`, not judged.
    @Suite(.enabled(if: ProcessInfo.processInfo.environment["BINAURAL_STRESS"] != nil, "latencies are measured by make stress"))
    struct LatencyTests {
        @Test("From the sending of play to its first sample in the capture", arguments: [64, 256, 1024])
        func commandToSample(bufferSize: Int) async throws {
            let count = 200
            try await JACKServer.run(bufferSize: bufferSize, ownClientName: true) { server in
                let program = try await PlayingProgram(on: server, ["noise.yaml": TestPatch.noise], options: ["--paused"])
                let peer = program.peer
                let capture = try await TimedCapture(of: program, seconds: Double(count) * 0.5 + 20)
                var sent: [Double] = []
                for _ in 0..<count {
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
                try #require(onsets.count == count)
                let delays = zip(onsets, sent).map { recording.time(ofSample: $0) - $1 }.sorted()
                #expect(delays[0] > 0)
                let bound = 2 * Double(bufferSize) / 48 + 2
                Figures.tell(
                    "from play to its first sample, \(bufferSize) frames a cycle",
                    "\(Figures.text(delays[count / 2] * 1000)) ms, 99th percentile \(Figures.text(delays[count * 99 / 100] * 1000)) ms; two "
                        + "periods and 2 ms are \(Figures.text(bound)) ms; \(recording.xruns) xruns")
            }
        }
    }
}
