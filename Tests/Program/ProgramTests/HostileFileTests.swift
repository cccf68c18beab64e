import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Pipes, devices and links to private files under the names of the program's files.
@Suite("Files that are not regular or not valid", .ownThread)
struct HostileFileTests {
    /// The contents of a folder, created by the shell.
    private static let obstacles = [
        "pipe": "mkfifo", "folder": "mkdir", "zero": "ln -s /dev/zero", "terminal": "ln -s /dev/tty", "full": "ln -s /dev/full",
    ]

    private func lay(_ path: String, _ making: String) async throws {
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        let run = try await RunningProgram.run("/bin/sh", ["-c", "\(making) \"$0\"", path])
        guard run.exit == .code(0) else { throw ProgramFailure(run.summary) }
    }

    @Test("No command waits for a pipe or a device that it is to read or write, and each reports its kind")
    func commandLine() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        _ = try environment.folder.write("title: Tone\nduration: 3\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n", to: "tone.yaml")
        _ = try environment.folder.write("tone: 200+10/20\nNOW tone\n", to: "tone.sbg")
        for (name, making) in Self.obstacles {
            for ending in ["yaml", "sbg", "wav", "svg"] { try await lay(environment.folder.file("\(name).\(ending)"), making) }
            let runs: [([String], Int32)] = [
                (["check", "\(name).yaml"], 66), (["check", "\(name).sbg"], 66), (["play", "./\(name).yaml"], 66),
                (["render", "\(name).yaml", "-o", "x.wav"], 66), (["plot", "\(name).yaml", "-o", "x.svg"], 66),
                (["import", "\(name).sbg", "-o", "x.yaml"], 66), (["render", "tone.yaml", "-o", "\(name).wav"], 73),
                (["plot", "tone.yaml", "-o", "\(name).svg"], 73), (["import", "tone.sbg", "-o", "\(name).yaml"], 73),
                (["export", "tone.yaml", "-o", "\(name).sbg"], 73),
            ]
            // A folder takes the file's name.
            for (arguments, status) in runs where !(name == "folder" && arguments.contains("folder.wav")) {
                let run = try await RunningProgram.run(
                    try PackageRoot.program(), arguments, environment: environment.variables, folder: environment.folder.path)
                #expect(run.exit == .code(status), "\(run.summary)")
                #expect(run.errors.contains(/it is a (named pipe|folder|device), not a file/), "\(run.summary)")
            }
        }
    }

    @Test("A sound file, a picture or a PDF in place of a patch is named for what it is, by every command and over OSC, and stays as it is")
    func foreign() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let files = [
            "night.flac": (
                "fLaC\u{0}",
                "night.flac: this is a sound file (FLAC)\n  put it in a layer of a patch: `layers: [{file: {path: night.flac}}]`"
            ),
            "cover.yaml": ("GIF89a", "cover.yaml: this is a picture (GIF)\n  a patch can show a picture: `artwork: cover.yaml`"),
            "score.sbg": ("MThd\u{0}", "score.sbg: this is a MIDI file\n"),
            "book.pdf": ("%PDF-1.4", "book.pdf: this is a document (PDF), not plain text\n"),
            "all.zip": ("PK\u{3}\u{4}", "all.zip: this is an archive (ZIP)\n  unpack it first"),
        ]
        for (name, (text, sentence)) in files {
            try environment.folder.write(text, to: name)
            for arguments in [
                ["play", name], ["check", name], ["render", name, "-o", "x.wav"], ["plot", name, "-o", "x.svg"],
                ["import", name, "-o", "x.yaml"],
                ["export", name, "-o", "x.sbg"],
            ] {
                let run = try await RunningProgram.run(
                    try PackageRoot.program(), arguments, environment: environment.variables, folder: environment.folder.path)
                #expect(run.exit == .code(65), "\(run.summary)")
                #expect(run.errors.hasPrefix(sentence), "\(run.summary)")
            }
            #expect(try environment.folder.read(name) == text)
        }
        for arguments in [["play", "music"], ["check", "music/"], ["render", "./music", "-o", "x.wav"]] {
            try? FileManager.default.createDirectory(atPath: environment.folder.file("music"), withIntermediateDirectories: false)
            let run = try await RunningProgram.run(
                try PackageRoot.program(), arguments, environment: environment.variables, folder: environment.folder.path)
            #expect(run.exit == .code(66), "\(run.summary)")
            #expect(run.errors.contains("it is a folder, not a file."), "\(run.summary)")
        }
        try environment.folder.write("", to: "empty.yaml")
        let empty = try await RunningProgram.run(
            try PackageRoot.program(), ["play", "empty.yaml"], environment: environment.variables, folder: environment.folder.path)
        #expect(empty.exit == .code(65), "\(empty.summary)")
        #expect(empty.errors.hasPrefix("empty.yaml: the file is empty\n  expected a patch"), "\(empty.summary)")
        #expect(!FileManager.default.fileExists(atPath: environment.folder.file("x.wav")))
    }

    @Test("The terminal and `check` show the line of a private file that a session or a patch is a link to")
    func privateFiles() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let notes = try run.folder.write("title: swordfish\nlogin:\n  password: trustno1 # hunter\n", to: "private/notes.txt")
            let state = try run.environment.variables["XDG_STATE_HOME"].orThrow("no state")
            for path in [run.folder.file("patches/secret.sbg"), "\(state)/binaural/sessions/kept.yaml"] {
                try await lay(path, "ln -s \(notes)")
            }
            let program = try run.start("reference-440", "--paused")
            _ = try await Asker(program).perform("session/load", .string("kept"))
            _ = try await program.line(containing: "is a link to a damaged file, which is kept as it is")
            _ = try await program.line(containing: "swordfish")
            let check = try await binaural("check", run.folder.file("patches/secret.sbg"), folder: run.folder.path)
            #expect(check.exit != .code(0))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }
}
