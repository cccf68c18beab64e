import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

/// Now playing as sent to a subscriber, compared with the sound.
@Suite struct NowPlayingTests {
    /// The addresses of the topic, in one packet.
    private static func states(_ received: [OSCPeer.Received]) -> [[OSCPeer.Received]] {
        let now = received.filter { $0.address.hasPrefix("now/") }
        return Dictionary(grouping: now, by: \.bundle).sorted { $0.key < $1.key }.map(\.value)
    }

    @Test(
        "Now playing is sent only on change, in one bundle, and elapsed + (now - tag) * rate is the position that is heard, within one buffer",
        arguments: [256, 1024])
    func elapsed(bufferSize: Int) async throws {
        let (received, marks, recording, noise) = try await undisturbed {
            try await JACKServer.run(bufferSize: bufferSize) { server in
                let program = try await PlayingProgram(on: server, ["noise.yaml": TestPatch.noise], options: ["--paused"])
                let noise = try await program.render("noise.yaml")
                let peer = program.peer
                var mark = peer.mark
                peer.send("subscribe", .string("now"))
                _ = try await peer.message("snapshot/end", from: mark)
                let capture = try await TimedCapture(of: program)
                // At 2 s a chapter begins by itself.
                var marks: [Int] = []
                for (address, arguments, seconds) in [
                    ("play", [], 2.6), ("position", [.float(20)], 0.4), ("pause", [], 0.2), ("play", [], 0.4), ("stop", [], 0.2),
                ] as [(String, [OSCArgument], Double)] {
                    mark = peer.mark
                    marks.append(mark)
                    peer.sendBundle([OSCMessage(address, arguments)])
                    #expect(try await peer.code(of: address, from: mark) == 0)
                    try await capture.advance(seconds: seconds)
                }
                marks.append(peer.mark)
                let recording = try await capture.finish()
                let received = zip(marks, marks.dropFirst()).map { peer.received(from: $0).prefix($1 - $0) }.map(Array.init)
                #expect(try await program.terminate() == .code(0))
                return ((received, marks, recording, noise), recording.xruns)
            }
        }
        #expect(marks.count == received.count + 1)
        let reported = received.map(Self.states)
        // play and the chapter; position; pause; play; stop: and nothing because time passed.
        #expect(reported.map(\.count) == [2, 1, 1, 1, 1], "\(reported.map { $0.map { $0.map(\.address) } })")
        for state in reported.joined() {
            #expect(state[0].bundle > 0)
            #expect(Set(state.map(\.address)).count == state.count)
            #expect(state.contains { $0.address == "now/state" })
            #expect(state.contains { $0.address == "now/comment" })
        }

        let runs = equalRuns(in: recording.wave, of: noise)
        // From play over the chapter to the seek; from the seek to the pause; from play to stop.
        try #require(runs.count == 3, "\(runs)")
        var worst = 0.0
        for (states, run) in [(reported[0], runs[0]), (reported[1], runs[1]), (reported[3], runs[2])] {
            for state in states {
                func number(_ address: String) -> Double { state.first { $0.address == address }?.numbers[0] ?? .nan }
                #expect(number("now/rate") == 1)
                #expect(abs(number("now/frame") / 48_000 - number("now/elapsed")) < 1e-5)
                for part in [0.0, 0.5, 1] {
                    let frame = run.frames.lowerBound + Int(Double(run.frames.count - 1) * part)
                    let heard = Double(run.start + frame - run.frames.lowerBound) / 48_000
                    let shown = number("now/elapsed") + (recording.time(ofSample: frame) - state[0].tag) * number("now/rate")
                    worst = max(worst, abs(shown - heard))
                    #expect(abs(shown - heard) <= Double(bufferSize) / 48_000, "shown \(shown) s, heard \(heard) s")
                }
            }
        }
        Figures.report(
            "elapsed + (now - tag) x rate, against what is heard, at \(bufferSize) frames a cycle",
            "\(Figures.text(worst * 1000, 3)) ms, a buffer being \(Figures.text(Double(bufferSize) / 48, 2)) ms")

        // Paused: the position is where the sound started to fade.
        let paused = reported[2][0].first { $0.address == "now/frame" }?.numbers[0] ?? .nan
        #expect(abs(paused - Double(runs[1].end)) <= 64, "paused at \(paused), \(runs[1])")
    }
}
