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

    static let mistakes: [(arguments: [String], sentence: String)] = [
        (["--at", "25:00"], "The value '25:00' is invalid for '--at <h:mm|+time>': Use a time of day, h:mm or h:mm:ss up to 23:59:59"),
        (["--at", "630"], "Did you mean 6:30?"), (["--at", "6"], "Did you mean 6:00?"), (["--at", "6.30"], "Did you mean 6:30?"),
        (["--at", "6:30 pm"], "Did you mean 18:30?"),
        (["--at", "45m"], "Did you mean +45:00?"), (["--at", "+45m"], "Did you mean +45:00?"), (["--at", "tomorrow"], "Use a time of day"),
        (["--at", "+0"], "After + comes a time from now"), (["--at", "+25:00:00"], "up to 24:00:00"), (["--at", ""], "Use a time of day"),
        (["--at", "6:30", "--paused"], "--paused and --at contradict each other"), (["--rise", "1:00"], "--rise needs --at"),
        (["--at", "6:30", "--rise", "2:00:00"], "--rise takes 0 to 1:00:00."),
        (
            ["--sleep", "45m"],
            "The value '45m' is invalid for '--sleep <time>': Use seconds, m:ss or h:mm:ss. Did you mean 45:00?"
        ),
        (["--sleep", "1h"], "Did you mean 1:00:00?"), (["--sleep", "1h30m"], "Did you mean 1:30:00?"),
        (["--sleep", "1:5"], "Did you mean 1:05?"), (["--sleep", "soon"], "m:ss or h:mm:ss"),
    ]

    @Test("an invalid --at is a usage error that lists the valid forms and suggests one", arguments: mistakes)
    func mistaken(arguments: [String], sentence: String) async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["play", "welcome"] + arguments, environment: environment.variables)
        #expect(run.exit == .code(64), "\(run.summary)")
        #expect(run.errors.contains(sentence), "\(run.summary)")
    }
}
