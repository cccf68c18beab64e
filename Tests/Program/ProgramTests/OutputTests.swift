import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Outputs of commands")
struct OutputTests {
    let environment: IsolatedEnvironment

    init() throws {
        environment = try IsolatedEnvironment()
        _ = try environment.folder.write(
            "title: Tone\nduration: 1\nartwork: art.png\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n", to: "tone.yaml")
        _ = try environment.folder.write("tone: 200+10/20\n0:00 tone\n0:01 tone\n", to: "night.sbg")
        _ = try environment.folder.write("picture", to: "art.png")
    }

    private func run(_ arguments: [String]) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), arguments, environment: environment.variables, folder: environment.folder.path)
    }

    static let commands: [(arguments: [String], output: String, replacesOwn: Bool)] = [
        (["render", "tone.yaml", "-o"], "x.wav", true), (["plot", "tone.yaml", "-o"], "x.svg", true),
        (["import", "night.sbg", "-o"], "x.yaml", true), (["export", "tone.yaml", "-o"], "x.sbg", true), (["new"], "x.yaml", false),
    ]

    @Test(
        "every command that writes keeps an existing file, unless it wrote the file itself, or has --force", arguments: commands.indices
    )
    func existing(index: Int) async throws {
        let (arguments, output, replacesOwn) = Self.commands[index]
        _ = try environment.folder.write("mine", to: output)
        let kept = try await run(arguments + [output])
        #expect(kept.exit == .code(73), "\(kept.summary)")
        #expect(kept.errors.contains("replace the file with --force."), "\(kept.summary)")
        #expect(try environment.folder.read(output) == "mine")
        let forced = try await run(arguments + [output, "--force"])
        #expect(forced.exit == .code(0), "\(forced.summary)")
        let again = try await run(arguments + [output])
        #expect(again.exit == .code(replacesOwn ? 0 : 73), "\(again.summary)")
    }

    @Test("in a terminal, every command says what it has written")
    func terminal() async throws {
        let program = try PackageRoot.program()
        let window = try TerminalWindow(environment.variables, columns: 100)
        let commands = ["import night.sbg -o a.yaml", "export tone.yaml -o b.sbg", "plot tone.yaml -o c.svg"]
        try await window.run(commands.map { "'\(program)' \($0); " }.joined() + "exec cat", in: environment.folder.path)
        do {
            try await window.screen { Set(["a.yaml is written.", "b.sbg is written.", "c.svg is written."]).isSubset(of: $0) }
        } catch {
            try await window.close()
            throw error
        }
        try await window.close()
    }

    static let inputs: [(arguments: [String], input: String)] = [
        (["render", "tone.yaml", "-o", "link.wav"], "tone.yaml"), (["render", "mine", "-o", "link.wav"], "sessions/mine.yaml"),
        (["render", "mine", "-o", "link.wav"], "tone.yaml"), (["render", "mine", "-o", "link.wav"], "art.png"),
        (["plot", "tone.yaml", "-o", "art.png"], "art.png"), (["import", "night.sbg", "-o", "link.yaml"], "night.sbg"),
        (["export", "night.sbg", "-o", "night.sbg"], "night.sbg"), (["export", "tone.yaml", "-o", "link.sbg"], "tone.yaml"),
        (["new", "tone", "--like", "tone.yaml"], "tone.yaml"),
    ]

    @Test("none of the files that a command reads is replaced, even with --force", arguments: inputs.indices)
    func read(index: Int) async throws {
        let (arguments, input) = Self.inputs[index]
        _ = try environment.folder.write("format: 1\nqueue: [{patch: ../tone.yaml}]\n", to: "sessions/mine.yaml")
        let before = try environment.folder.read(input)
        for name in ["link.wav", "link.yaml", "link.sbg"] {
            try FileManager.default.createSymbolicLink(atPath: environment.folder.file(name), withDestinationPath: input)
        }
        let run = try await run(arguments + ["--force"])
        #expect(run.exit == .code(73), "\(run.summary)")
        #expect(run.errors.contains("this would replace '"), "\(run.summary)")
        #expect(try environment.folder.read(input) == before)
    }

    static let appended = [
        ("render tone.yaml -o - --format raw", "tone.yaml"), ("render tone.yaml -o -", "art.png"),
        ("render tone.yaml -o new.wav", "tone.yaml"), ("render mine -o -", "sessions/mine.yaml"),
        ("plot tone.yaml -o new.svg", "tone.yaml"), ("import night.sbg -o new.yaml", "night.sbg"),
        ("export tone.yaml -o new.sbg", "tone.yaml"), ("new new --like tone.yaml", "tone.yaml"),
    ]

    @Test("none of the files that a command reads is appended to when standard output goes there; another file is", arguments: appended)
    func appending(command: String, input: String) async throws {
        _ = try environment.folder.write("format: 1\nqueue: [{patch: ../tone.yaml}]\n", to: "sessions/mine.yaml")
        let before = try environment.folder.read(input)
        func shell(_ output: String) async throws -> FinishedProgram {
            try await RunningProgram.run(
                "/bin/sh", ["-c", "exec \"$0\" \(command) >> \(output)", try PackageRoot.program()], environment: environment.variables,
                folder: environment.folder.path)
        }
        let run = try await shell(input)
        #expect(run.exit == .code(73), "\(run.summary)")
        #expect(run.errors.contains("Cannot write to standard output: it goes into '"), "\(run.summary)")
        #expect(try environment.folder.read(input) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: environment.folder.path).allSatisfy { !$0.hasPrefix("new.") })
        #expect(try await shell("log").exit == .code(0))
    }
}
