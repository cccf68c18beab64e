import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

/// Bundles sent ahead of their time by a peer on genuine liblo, and the frame on which they are heard.
@Suite struct BundleFrameTests {
    private static func patch(_ left: Double, _ right: Double) -> String {
        """
        title: Split
        duration: 60
        layers:
          - {name: left, noise: {color: white, pan: -1}, gain: \(left)}
          - {name: right, noise: {color: white, pan: 1}, gain: \(right)}

        """
    }

    private struct Measured: Sendable {
        let recording: Recording
        let before: WaveFile
        let after: WaveFile
        /// Time tags that were sent, unix time.
        let tags: [Double]
        let reported: [[OSCPeer.Received]]
    }

    @Test(
        "A start and two ramps in one bundle, and a later pause, take effect on the one frame of the time tag, and now playing reports that frame"
    )
    func oneFrame() async throws {
        let measured = try await undisturbed { try await measure() }
        let recording = measured.recording
        // The start, found from the sound after the ramps: bit for bit the patch with their values.
        let run = try #require(equalRuns(in: recording.wave, of: measured.after).first)
        let start = run.frames.lowerBound - run.start
        // Smootherstep of 10 and 6 dB over half a second in one ear each, solved for their first frame.
        for (channel, change) in [-10.0, -6].enumerated() {
            let (heard, plain) = (recording.wave.channels[channel], measured.before.channels[channel])
            let first = beginning(of: 24_000, from: start + 2_000..<start + 22_000) { frame in
                guard abs(plain[frame - start]) > 1e-3 else { return nil }
                return 20 * log10(heard[frame] / plain[frame - start]) / change
            }
            #expect(abs(first - Double(start)) < 0.5, "ear \(channel): \(first), the start is at \(start)")
        }
        // The pause, by its fade of 20 ms.
        let paused = try #require(measured.reported[1].first { $0.address == "now/frame" }?.numbers[0] ?? nil)
        let pause = start + Int(paused)
        for channel in 0..<2 {
            let (heard, plain) = (recording.wave.channels[channel], measured.after.channels[channel])
            let first = beginning(of: 960, from: pause + 100..<pause + 860) { frame in
                guard abs(plain[frame - start]) > 1e-3 else { return nil }
                return 1 - heard[frame] / plain[frame - start]
            }
            #expect(abs(first - Double(pause)) < 0.5, "ear \(channel): \(first), reported is \(pause)")
        }
        // The clocks: JACK's own estimate of when each cycle began wanders, so within a period.
        for (frame, (sent, reported)) in zip([start, pause], zip(measured.tags, measured.reported)) {
            let heard = recording.time(ofSample: frame)
            #expect(abs(heard - sent) < 256.0 / 48_000)
            #expect(abs(reported[0].tag - heard) < 256.0 / 48_000)
            Figures.report(
                "frame of a bundle, heard against its tag",
                "\(Figures.text((heard - sent) * 48_000, 1)) frames; reported against heard \(Figures.text((reported[0].tag - heard) * 48_000, 1))"
            )
        }
        #expect(measured.reported[0].first { $0.address == "now/frame" }?.numbers == [0])
    }

    private func measure() async throws -> (Measured, disturbances: Int) {
        try await JACKServer.run { server in
            let program = try await PlayingProgram(
                on: server, ["split.yaml": Self.patch(-20, -20)], files: ["moved.yaml": Self.patch(-30, -26)], options: ["--paused"])
            let before = try await program.render("split.yaml", "--to", "3")
            let after = try await program.render("moved.yaml", "--to", "3", to: "moved.wav")
            let peer = program.peer
            let mark = peer.mark
            peer.send("subscribe", .string("now"))
            _ = try await peer.message("snapshot/end", from: mark)
            let capture = try await TimedCapture(of: program)
            var tags: [Double] = []
            var reported: [[OSCPeer.Received]] = []
            let start = [
                OSCMessage("play"), OSCMessage("layer/1/gain", [.float(-30), .float(0.5)]),
                OSCMessage("layer/2/gain", [.float(-26), .float(0.5)]),
            ]
            for (messages, state) in [(start, "playing"), ([OSCMessage("pause")], "paused")] {
                let mark = peer.mark
                peer.sendBundle(messages, delay: 0.3)
                tags.append(try await peer.sentTag(from: mark))
                let bundle = try await peer.message("now/state", from: mark) { $0.texts == [state] }.bundle
                // The set ends with the comment.
                _ = try await peer.message("now/comment", from: mark) { $0.bundle == bundle }
                reported.append(peer.received(from: mark).filter { $0.bundle == bundle })
                try await capture.advance(seconds: 0.8)
            }
            let late = try await peer.value("bundles").numbers[1] ?? 1
            let recording = try await capture.finish()
            #expect(try await program.terminate() == .code(0))
            return (
                Measured(recording: recording, before: before, after: after, tags: tags, reported: reported),
                recording.xruns + Int(late)
            )
        }
    }

    /// The first frame of a smootherstep over `length` frames, from what it has come to, 0...1, at frames in its course.
    private func beginning(of length: Double, from frames: Range<Int>, course: (Int) -> Double?) -> Double {
        let firsts = frames.compactMap { frame -> Double? in
            guard let value = course(frame), value > 0.05, value < 0.95 else { return nil }
            var (low, high) = (0.0, 1.0)
            for _ in 0..<50 {
                let t = (low + high) / 2
                if t * t * t * (t * (6 * t - 15) + 10) < value { low = t } else { high = t }
            }
            return Double(frame) - low * length
        }
        return firsts.reduce(0, +) / Double(max(firsts.count, 1))
    }
}
