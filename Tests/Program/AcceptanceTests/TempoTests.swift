import Foundation
import TestSupport
import Testing

extension AcceptanceTests {
    /// Pulses that follow the tempo of a timebase master, which is JACK's own jack_transport, or klick.
    @Suite struct TempoTests {
        private static let pulses = """
            title: Pulses
            layers:
              - {name: pulse, isochronic: {carrier: 400, pulseRate: 1/4, duty: 0.3, edge: 0.001}, gain: -12}

            """

        private func environment(_ server: JACKServer) -> [String: String] {
            ProcessInfo.processInfo.environment.merging(server.environment) { $1 }
        }

        /// Samples of an ear at which a pulse starts: the first sound after silence.
        private func onsets(_ samples: [Double], _ range: Range<Int>) -> [Int] {
            var (found, silent) = ([Int](), 0)
            for index in range {
                if abs(samples[index]) > 1e-4 {
                    if silent > 2000 { found.append(index) }
                    silent = 0
                } else {
                    silent += 1
                }
            }
            return found
        }

        /// Frames by which the pulses of a stretch are beside the beats that the timebase master counts, which with jack_transport are a
        /// little slower than it says: it drops what is less than a tick in every cycle.
        private func distances(_ recording: Recording, _ range: Range<Int>, tempo: Double) throws -> [Double] {
            try onsets(recording.wave.channels[0], range).map { onset in
                let beats = try #require(recording.wholeNotes(ofSample: onset, tempo: tempo)) * 4
                return (beats - beats.rounded()) * 60 / tempo * recording.wave.sampleRate
            }
        }

        /// 1.5 ms, from which on a pulse is brought to the bar, and what is not the pulse's: a tick of the timebase master, 16 frames at most
        /// here, and up to 8 that an edge takes to be heard.
        private static let limit = 72.0 + 16 + 8

        @Test(
            "Pulses of 1/4 fall on the beats of jack_transport, also after a new tempo; a tempo of 0 or no timebase master leaves them unchanged"
        )
        func transport() async throws {
            let (recording, marks) = try await JACKServer.run(isPatient: true, ownClientName: true) { server in
                let program = try await PlayingProgram(on: server, ["pulses.yaml": Self.pulses])
                let transport = try RunningProgram(
                    try requireTool("jack_transport", package: "jackd2"), environment: environment(server))
                let capture = try await TimedCapture(of: program, seconds: 60)
                var marks: [Int] = []
                // Without a timebase master the tempo of the patch applies, 120 bpm.
                #expect(try await program.peer.value("transport/tempo").numbers == [0])
                #expect(try await program.peer.value("layer/1/pulseRate").numbers == [2])
                try await capture.advance(seconds: 2)
                transport.write("master\ntempo 132\nplay\n")
                try await capture.advance(seconds: 4)
                marks.append(capture.position)
                try await capture.advance(seconds: 5)
                marks.append(capture.position)
                #expect(try await program.peer.value("transport/tempo").numbers == [132])
                #expect(try await program.peer.value("layer/1/pulseRate").numbers.first == Double(Float(2.2)))
                // A touch cannot move it.
                #expect(try await program.peer.command("layer/1/pulseRate", .float(5)) == 409)
                transport.write("tempo 97\n")
                try await capture.advance(seconds: 5)
                marks.append(capture.position)
                try await capture.advance(seconds: 5)
                marks.append(capture.position)
                transport.write("tempo 0\n")
                try await capture.advance(seconds: 3)
                #expect(try await program.peer.value("transport/tempo").numbers == [97])
                transport.write("release\n")
                try await capture.advance(seconds: 3)
                marks.append(capture.position)
                #expect(try await program.peer.value("transport/tempo").numbers == [97])
                await transport.end()
                let recording = try await capture.finish()
                #expect(try await program.terminate() == .code(0))
                return (recording, marks)
            }
            for (range, tempo) in [(marks[0]..<marks[1], 132.0), (marks[2]..<marks[3], 97)] {
                let distances = try distances(recording, range, tempo: tempo)
                let worst = distances.map(abs).max() ?? .infinity
                Figures.report(
                    "pulses against the beats of JACK's transport at \(Int(tempo)), \(distances.count) pulses",
                    "\(Figures.text(worst, 0)) frames at most")
                #expect(distances.count >= 7, "\(distances)")
                #expect(worst <= Self.limit, "\(distances)")
            }
            // After that they continue at the last tempo.
            let later = onsets(recording.wave.channels[0], marks[3] + 24_000..<marks[4])
            let beat: Double = 48_000.0 * 60 / 97
            for (one, next) in zip(later, later.dropFirst()) {
                let ratio = Double(next - one) / beat
                #expect(0.95...1.05 ~= ratio)
            }
            #expect(later.count >= 4)
        }

        @Test("With klick as timebase master, its beats and the pulses are heard together")
        func klick() async throws {
            let (recording, marks) = try await JACKServer.run(isPatient: true, ownClientName: true) { server in
                let program = try await PlayingProgram(on: server, ["pulses.yaml": Self.pulses])
                let klick = try RunningProgram(
                    try requireTool("klick", package: "klick"), ["-T", "-t", "4/4", "97"], environment: environment(server))
                try await server.waitForPort("klick:out")
                let transport = try RunningProgram(
                    try requireTool("jack_transport", package: "jackd2"), environment: environment(server))
                let capture = try await TimedCapture(of: program, seconds: 30)
                transport.write("play\n")
                try await capture.advance(seconds: 5)
                let start = capture.position
                try await capture.advance(seconds: 6)
                let end = capture.position
                await klick.end()
                await transport.end()
                let recording = try await capture.finish()
                #expect(try await program.terminate() == .code(0))
                return (recording, [start, end])
            }
            let distances = try distances(recording, marks[0]..<marks[1], tempo: 97)
            let worst = distances.map(abs).max() ?? .infinity
            Figures.report("pulses against the beats of klick at 97, \(distances.count) pulses", "\(Figures.text(worst, 0)) frames at most")
            #expect(distances.count >= 8, "\(distances)")
            #expect(worst <= Self.limit, "\(distances)")
        }
    }
}
