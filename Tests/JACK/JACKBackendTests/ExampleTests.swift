import Foundation
import TestSupport
import Testing

/// The examples of the library JACK on a real server, started as a reader would start them.
@Suite struct ExampleTests {
    /// Starts an example of the debug build; its lines come as they are printed.
    private func start(_ name: String, on server: JACKServer) throws -> RunningProgram {
        try RunningProgram("stdbuf", ["-oL", PackageRoot.file(".build/debug/\(name)")], environment: environment(server))
    }

    private func environment(_ server: JACKServer) -> [String: String] {
        ProcessInfo.processInfo.environment.merging(server.environment) { $1 }
    }

    @Test("The sine client plays a sine of 440 Hz on the first two outputs until Enter is pressed")
    func sineClient() async throws {
        try await JACKServer.run(isPatient: true) { server in
            let example = try start("SineClient", on: server)
            _ = try await example.line(containing: "Press Enter")
            #expect(try await server.hasConnections(["system:playback_1", "system:playback_2"], of: "sine:out"))
            let recording = try await server.capture(["sine:out"], seconds: 0.5)
            let sine = try #require(measureSine(recording.channels[0][...], sampleRate: recording.sampleRate, near: 440))
            #expect(abs(sine.frequency - 440) < 0.01, "\(sine)")
            #expect(abs(sine.amplitude - 0.1) < 0.0001, "\(sine)")
            #expect(sine.residualInDecibels < -80, "\(sine)")
            example.write("\n")
            #expect(try await example.exit() == .code(0))
            #expect(example.outputLines.last?.hasPrefix("Missed cycles: ") == true, "\(example.transcript)")
        }
    }

    @Test("The MIDI monitor prints the notes that it receives")
    func midiMonitor() async throws {
        try await JACKServer.run(isPatient: true) { server in
            let example = try start("MIDIMonitor", on: server)
            _ = try await example.line(containing: "midi-monitor:in")
            // A note of 0.1 s four times a second.
            let sequence = try RunningProgram(
                try requireTool("jack_midiseq", package: "jackd2"), ["sequence", "12000", "0", "60", "4800"],
                environment: environment(server))
            try await server.waitForPort("sequence:out")
            try await server.connect("sequence:out", "midi-monitor:in")
            let start = try await example.line(containing: " 90 3c ")
            _ = try await example.line(containing: " 80 3c ", from: start.index)
            await sequence.end()
            await example.end()
        }
    }
}
