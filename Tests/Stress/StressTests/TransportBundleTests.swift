import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

/// JACK's transport led by bundles that are sent ahead of their time, which a busy machine may miss.
@Suite struct TransportBundleTests {
    @Test(
        "When a bundle leads the transport, it rolls and stops with the cycles in which the bundle is heard, always at the program's frame"
    )
    func bundle() async throws {
        let (rendered, recording) = try await undisturbed {
            try await JACKServer.run(isPatient: true) { server in
                let program = try await PlayingProgram(
                    on: server, ["moving.yaml": TestPatch.moving], options: ["--paused", "--transport", "lead"])
                let rendered = try await program.render("moving.yaml")
                let capture = try await TimedCapture(of: program)
                for messages in [
                    [OSCMessage("play")], [OSCMessage("pause")], [OSCMessage("position", [.float(12)]), OSCMessage("play")],
                    [OSCMessage("stop")],
                ] {
                    program.peer.sendBundle(messages, delay: 0.3)
                    try await capture.advance(seconds: 1)
                }
                let late = try await program.peer.value("bundles").numbers[1] ?? 1
                let recording = try await capture.finish()
                #expect(try await program.terminate() == .code(0))
                return ((rendered, recording), Int(late))
            }
        }
        let runs = equalRuns(in: recording.wave, of: rendered)
        try #require(runs.count == 2, "\(runs)")
        for (run, position) in zip(runs, [0, 576_000]) {
            let (start, end) = (run.frames.lowerBound - (run.start - position), run.frames.upperBound)
            let rolling = recording.cycles.filter { $0.transport != nil && (start - 4_800..<end + 9_600).contains($0.sample) }
            let (first, last) = (try #require(rolling.first), try #require(rolling.last))
            Figures.report(
                "JACK's transport, led by a bundle: begins and ends to roll after the sound",
                "\(first.sample - start) and \(last.sample + 256 - end) frames, of a period of 256")
            // Never before it; the delay after it depends on how busy the machine is.
            #expect((0...4_800).contains(first.sample - start), "\(run)")
            // The first two samples of the fade are still those of the render.
            #expect((-2...4_800).contains(last.sample + 256 - end), "\(run)")
            let frame = run.start - run.frames.lowerBound
            #expect(rolling.allSatisfy { $0.transport == $0.sample + frame }, "\(rolling.prefix(5)), \(run)")
        }
        #expect(recording.cycles.last?.transport == nil)
    }
}
