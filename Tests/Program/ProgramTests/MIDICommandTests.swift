import Foundation
import ProgramSupport
import TestSupport
import Testing

/// `binaural midi` and a running instance.
@Suite("midi")
struct MIDICommandTests {
    private func midi(_ run: PlayRun, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram(
            try PackageRoot.program(), ["midi"] + arguments + ["--client", run.server.clientName], environment: run.environment.variables)
    }

    private func finish(_ program: RunningProgram) async throws -> (exit: ProgramExit, lines: [String]) {
        let exit = try await program.exit()
        return (exit, program.lines.map(\.text))
    }

    @Test("it maps, lists, cancels learning and forgets; a missing mapping has a clear error; the session keeps the rest")
    func commands() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml")
            try await program.state("playing")
            #expect(
                try await finish(midi(run, "list")).lines == ["No controllers are assigned: use 'binaural midi learn ADDRESS'."]
            )
            #expect(try await finish(midi(run, "map", "7", "master/gain")).exit == .code(0))
            #expect(try await finish(midi(run, "map", "64", "/binaural/toggle", "--channel", "2")).exit == .code(0))
            #expect(try await finish(midi(run, "list")).lines == ["1  controller 7: master/gain", "2  controller 64, channel 2: toggle"])
            let unknown = try await finish(midi(run, "map", "7", "master/gian"))
            #expect(unknown.exit == .code(1), "\(unknown.lines)")
            #expect(unknown.lines.last?.contains("No controller can move 'master/gian': did you mean master/gain?") == true)
            #expect(try await finish(midi(run, "learn", "now/title")).exit == .code(1))
            #expect(try await finish(midi(run, "map", "128", "play")).exit == .code(64))
            let late = try await finish(midi(run, "learn", "layer/1/gain", "--wait", "0.3"))
            #expect(late.exit == .code(1), "\(late.lines)")
            #expect(late.lines.last?.contains("No controller moved within 0.3 s") == true, "\(late.lines)")
            let interrupted = try midi(run, "learn", "layer/1/gain")
            _ = try await interrupted.line(containing: "Move the controller")
            interrupted.send(signal: SIGINT)
            #expect(try await interrupted.exit() == .code(130))
            #expect(try await run.value(of: "midi/learn") == "\"\"")
            #expect(try await finish(midi(run, "forget", "toggle")).exit == .code(0))
            #expect(try await finish(midi(run, "forget", "2")).exit == .code(1))
            // In a terminal, both say what they did.
            let window = try TerminalWindow(run.environment.variables, columns: 100)
            let command = "'\(try PackageRoot.program())' midi"
            let client = "--client \(run.server.clientName)"
            try await window.run("\(command) map 9 stop \(client); \(command) forget stop \(client); exec cat", in: run.folder.path)
            try await window.screen { lines in
                lines.contains { $0.contains("controller 9: stop") } && lines.contains("Removed: stop.")
            }
            try await window.close()
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0))
            #expect(try run.folder.read("mine.yaml").contains("controllers:\n  - {controller: 7, moves: master/gain}\n"))
            #expect(try await finish(midi(run, "list")).exit == .code(69))
        }
    }

    @Test("a session with an address that does not exist is reported, kept, and plays")
    func lostAddress() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            try run.folder.write(
                "format: 1\nqueue:\n  - patch: tone.yaml\ncontrollers:\n  - {controller: 7, channel: 3, moves: layer/1/baet}\n",
                to: "mine.yaml")
            let program = try run.start("--session", "mine.yaml")
            _ = try await program.line(
                containing:
                    "Controller 7 of the session has an invalid address. No controller can move 'layer/1/baet': did you mean layer/1/beat?")
            try await run.ctl("play")
            try await program.state("playing")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0))
            #expect(try run.folder.read("mine.yaml").contains("- {controller: 7, channel: 3, moves: layer/1/baet}"))
        }
    }
}
