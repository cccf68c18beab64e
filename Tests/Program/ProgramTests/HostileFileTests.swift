import Foundation
import OSC
import ProgramSupport
import TestSupport
import Testing

/// Pipes, devices and links to private files under the names of the program's files.
@Suite("Files that are not regular or not valid", .ownThread)
struct HostileFileTests {
    /// The contents of a folder, created by the shell.
    private static let obstacles = [
        "pipe": "mkfifo", "folder": "mkdir", "zero": "ln -s /dev/zero", "terminal": "ln -s /dev/tty", "full": "ln -s /dev/full",
        "large": "truncate -s 3G", "empty": "touch",
    ]

    private func lay(_ path: String, _ making: String) async throws {
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        let run = try await RunningProgram.run("/bin/sh", ["-c", "\(making) \"$0\"", path])
        guard run.exit == .code(0) else { throw ProgramFailure(run.summary) }
    }

    private func state(_ run: PlayRun) throws -> String {
        try run.environment.variables["XDG_STATE_HOME"].orThrow("no state") + "/binaural"
    }

    @Test("A command that saves or loads a session is answered, and so is ping, with any kind of file in the session's place")
    func sessions() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("reference-440", "--paused")
            // A peer gets at most ten errors a second: a fast machine reaches that, so every few requests come from another one.
            var peer = try await Asker(program)
            let sessions = try state(run) + "/sessions"
            #expect(try peer.perform("session/save", .string("mine")) == 0)
            var token: Int32 = 0
            func expectPing() throws {
                token += 1
                #expect(try peer.ask("ping", .int32(token), answer: "pong").first == .int32(token))
            }
            for (name, making) in Self.obstacles {
                peer = try await Asker(program)
                // In place of the session.
                try await lay("\(sessions)/\(name).yaml", making)
                let isText = name == "large" || name == "empty"
                for address in ["session/save", "session/load"] {
                    let answer = try peer.answer(to: address, [.string(name)])
                    try expectPing()
                    guard !isText else { continue }
                    try #require(answer.address == "error", "\(answer)")
                    #expect(answer.arguments[1] == .int32(200), "\(answer)")
                    guard case .string(let words)? = answer.arguments.last else { throw ProgramFailure("\(answer)") }
                    #expect(words.hasPrefix("Cannot read …/\(name).yaml: it is a "), "\(words)")
                    #expect(words.hasSuffix(". Put a file there, or name another."), "\(words)")
                    // The open session stays open.
                    #expect(FileManager.default.fileExists(atPath: "\(sessions)/mine.yaml.lock"))
                    #expect(try peer.perform("session/save") == 0)
                }
                #expect(try peer.perform("session/load", .string("mine")) == 0, "\(name)")
                // In place of the files next to it.
                for ending in ["yaml.lock", "yaml.tmp", "yaml.1", "position", "position.tmp"] {
                    peer = try await Asker(program)
                    let session = "\(name)-\(ending.split(separator: ".").joined())"
                    try await lay("\(sessions)/\(session).\(ending)", making)
                    _ = try peer.answer(to: "session/save", [.string(session)])
                    try expectPing()
                    _ = try peer.answer(to: "session/save", [])
                    try expectPing()
                    // A folder in the way of saving keeps the session open.
                    try? FileManager.default.removeItem(atPath: "\(sessions)/\(session).\(ending)")
                    #expect(try peer.perform("session/load", .string("mine")) == 0, "\(session)")
                    try expectPing()
                }
            }
            // The files kept for the next start.
            for name in ["last-session", "../../config/binaural/preferences.yaml"] {
                let path = try state(run) + "/" + name
                try? FileManager.default.removeItem(atPath: path)
                try await lay(path, "mkfifo")
            }
            #expect(try peer.perform("session/save", .string("other")) == 0)
            #expect(try peer.value("session/dirty") == [.int32(0)])
            #expect(try peer.perform("preferences/crossfade", .float(3)) == 0)
            try expectPing()
            program.send(signal: SIGTERM)
            _ = try await program.exit()

            // The same at startup.
            let again = try run.start("reference-440", "--paused")
            let other = try await Asker(again)
            #expect(try other.ask("ping", .int32(7), answer: "pong").first == .int32(7))
            #expect(again.transcript.contains("preferences.yaml: it is a named pipe, not a file."), "\(again.transcript)")
            again.send(signal: SIGTERM)
            _ = try await again.exit()
        }
    }

    @Test("For any kind of file with the name of a patch, the kind is reported, and ping is answered")
    func patches() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let program = try run.start("reference-440", "--paused")
            for (name, making) in Self.obstacles {
                // A peer gets at most ten errors a second.
                let peer = try await Asker(program)
                for ending in ["yaml", "sbg"] {
                    let patch = "\(name)-\(ending)"
                    try await lay(run.folder.file("patches/\(patch).\(ending)"), making)
                    let answer = try peer.answer(to: "queue/add", [.string(patch)])
                    #expect(answer.arguments[1] == .int32(200), "\(answer)")
                    #expect(try peer.ask("ping", .int32(9), answer: "pong").first == .int32(9))
                }
            }
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("No command waits for a pipe or a device that it is to read or write, and each reports its kind")
    func commandLine() async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        _ = try environment.folder.write("title: Tone\nduration: 3\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n", to: "tone.yaml")
        _ = try environment.folder.write("tone: 200+10/20\nNOW tone\n", to: "tone.sbg")
        for (name, making) in Self.obstacles where !["large", "empty"].contains(name) {
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

    @Test("A sound file in the library in place of a patch is refused over OSC, and the current item keeps playing")
    func foreignInLibrary() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write("fLaC\u{0}", to: "patches/night.yaml")
            let program = try run.start("reference-440")
            try await program.state("playing")
            let peer = try await Asker(program)
            let answer = try peer.answer(to: "queue/add", [.string("night")])
            #expect(answer.arguments[1] == .int32(200), "\(answer)")
            #expect(try peer.value("now/state") == [.string("playing")])
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    // MARK: Private files

    private static let secret = "title: swordfish\nlogin:\n  password: trustno1 # hunter\n"
    private static let words = ["swordfish", "password", "trustno1", "hunter", "login"]

    @Test("No text of a private file that is linked to as a patch or a session is sent; the terminal and `check` show its line")
    func privateFiles() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(Self.secret, to: "private/notes.txt")
            let (notes, sessions) = (run.folder.file("private/notes.txt"), try state(run) + "/sessions")
            let links = ["patches/secret.yaml", "patches/secret2.sbg", "sessions/secret.yaml"].map(run.folder.file)
            for path in links + ["\(sessions)/kept.yaml"] {
                try await lay(path, "ln -s \(notes)")
            }
            try run.folder.write("format: 1\nqueue: [{patch: secret}, {patch: reference-440}]\n", to: "sessions/holds-secret.yaml")
            let program = try run.start("reference-440", "--paused")
            let peer = try await Asker(program)
            for topic in ["now", "commands", "session", "log"] { peer.send("subscribe", .string(topic)) }
            for (address, name) in [
                ("queue/add", "secret"), ("queue/add", "secret2"), ("session/load", "secret"), ("session/load", "holds-secret"),
                ("queue/select", "1"), ("session/load", "kept"), ("session/save", "kept"),
            ] {
                let argument = Int32(name).map { OSCArgument.int32($0) } ?? .string(name)
                let answer = try peer.answer(to: address, [argument])
                let mayWork = ["holds-secret", "1", "kept"].contains(name)
                #expect(answer.address == "error" || mayWork, "\(answer)")
            }
            _ = try peer.list("queue/list", until: "queue/end")
            for address in ["log", "now/title", "now/text", "now/comment", "toggle"] { peer.send(address) }
            #expect(try peer.ask("ping", .int32(1), answer: "pong").first == .int32(1))
            for message in peer.heard {
                for word in Self.words {
                    for case .string(let text) in message.arguments { #expect(!text.contains(word), "\(message)") }
                }
            }
            // The requesting peer learns the place.
            let received = peer.heard.filter { $0.address == "error" }.map { "\($0.arguments)" }
            #expect(received.contains { $0.contains("patches/secret.yaml:") }, "\(received)")
            // The terminal shows in full what was set aside.
            _ = try await program.line(containing: "is a link to a damaged file, which is kept as it is")
            _ = try await program.line(containing: "swordfish")
            let check = try await binaural("check", run.folder.file("patches/secret2.sbg"), folder: run.folder.path)
            #expect(check.exit != .code(0))
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }
}
