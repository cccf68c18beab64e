import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The rest is in InstanceTests.
@Suite("--once and --at, as a program")
struct TimerTests {
    private func tone(_ seconds: Int) -> String { "title: Tone\nduration: \(seconds)\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n" }

    @Test("--once with nothing to play exits with an error, and does not wait")
    func empty() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write("format: 1\nqueue: []\n", to: "empty.yaml")
            let program = try run.start("--session", "empty.yaml", "--once")
            #expect(try await program.exit() == .code(65), "\(program.transcript)")
            #expect(program.errors.contains("The session 'empty' has nothing to play"), "\(program.transcript)")
        }
    }

    @Test("--at waits, paused, and starts at its time; the sleep timer counts from there, and --once ends the program")
    func at() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(tone(600), to: "tone.yaml")
            let program = try run.start("tone.yaml", "--at", "+0:08", "--rise", "1", "--sleep", "3", "--sleep-fade", "1", "--once")
            let announced = try await program.line(containing: "Starts ")
            #expect(
                announced.text.contains(/Starts (tomorrow )?at [0-9]+:[0-9]{2}:[0-9]{2}, in 0:0[0-8], and rises over 0:01\./),
                "\(announced.text)")
            let paused = try await program.state("paused")
            #expect(!paused.text.contains("sleep in"), "\(paused.text)")
            let playing = try await program.state("playing", from: paused.index)
            _ = try await program.line(from: playing.index) { $0.contains("sleep in 0:0") }
            #expect(!program.lines[..<playing.index].contains { $0.text.contains("sleep in") }, "\(program.transcript)")
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }
}
