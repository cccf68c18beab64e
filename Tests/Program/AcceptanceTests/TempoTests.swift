import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Pulses that follow the tempo of a timebase master, which is JACK's own jack_transport.
@Suite struct TempoTests {
    private func environment(_ server: JACKServer) -> [String: String] {
        ProcessInfo.processInfo.environment.merging(server.environment) { $1 }
    }

    @Test(
        "Pulses of 1/4 fall on the beats of jack_transport, also after a new tempo; a tempo of 0 or no timebase master leaves them unchanged"
    )
    func transport() async throws {
        let (recording, marks) = try await JACKServer.run(isPatient: true) { server in
            let program = try await PlayingProgram(on: server, ["pulses.yaml": Pulses.patch])
            let transport = try RunningProgram(
                try requireTool("jack_transport", package: "jackd2"), environment: environment(server))
            let capture = try await TimedCapture(of: program)
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
            let distances = try Pulses.distances(recording, range, tempo: tempo)
            let worst = distances.map(abs).max() ?? .infinity
            Figures.report(
                "pulses against the beats of JACK's transport at \(Int(tempo)), \(distances.count) pulses",
                "\(Figures.text(worst, 0)) frames at most")
            #expect(distances.count >= 7, "\(distances)")
            #expect(worst <= Pulses.limit, "\(distances)")
        }
        // After that they continue at the last tempo.
        let later = Pulses.onsets(recording.wave.channels[0], marks[3] + 24_000..<marks[4])
        let beat: Double = 48_000.0 * 60 / 97
        for (one, next) in zip(later, later.dropFirst()) {
            let ratio = Double(next - one) / beat
            #expect(0.95...1.05 ~= ratio)
        }
        #expect(later.count >= 4)
    }
}
