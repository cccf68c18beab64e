import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Pulses that follow the tempo of klick.
@Suite struct KlickTests {
    private func environment(_ server: JACKServer) -> [String: String] {
        ProcessInfo.processInfo.environment.merging(server.environment) { $1 }
    }

    @Test("With klick as timebase master, its beats and the pulses are heard together")
    func klick() async throws {
        let (recording, marks) = try await JACKServer.run(isPatient: true) { server in
            let program = try await PlayingProgram(on: server, ["pulses.yaml": Pulses.patch])
            let klick = try RunningProgram(
                try requireTool("klick", package: "klick"), ["-T", "-t", "4/4", "97"], environment: environment(server))
            try await server.waitForPort("klick:out")
            let transport = try RunningProgram(
                try requireTool("jack_transport", package: "jackd2"), environment: environment(server))
            let capture = try await TimedCapture(of: program)
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
        let distances = try Pulses.distances(recording, marks[0]..<marks[1], tempo: 97)
        let worst = distances.map(abs).max() ?? .infinity
        Figures.report("pulses against the beats of klick at 97, \(distances.count) pulses", "\(Figures.text(worst, 0)) frames at most")
        #expect(distances.count >= 8, "\(distances)")
        #expect(worst <= Pulses.limit, "\(distances)")
    }
}
