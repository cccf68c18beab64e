import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("--session")
struct SessionPlaceTests {
    private static let tone = "title: Tone\nduration: 10:00\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n"

    @Test("a bare name is a session of the library; nothing appears in the working folder")
    func name() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let first = try run.start("deep-alpha", "--session", "late-night")
            try await first.state("playing")
            first.send(signal: SIGTERM)
            #expect(try await first.exit() == .code(0), "\(first.transcript)")
            let state = try run.environment.variables["XDG_STATE_HOME"].orThrow("no state")
            #expect(FileManager.default.fileExists(atPath: "\(state)/binaural/sessions/late-night.yaml"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: run.folder.path) == [])

            // It is resumed by its name, and it is the one played last.
            for arguments in [["--session", "late-night"], ["late-night"], []] {
                let again = try run.start(arguments + ["--paused"])
                #expect(try await run.value(of: "now/title") == "\"Deep alpha\"")
                again.send(signal: SIGTERM)
                #expect(try await again.exit() == .code(0), "\(again.transcript)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: run.folder.path) == [])
        }
    }

    @Test("a path, or a name that ends in .yaml, is a file, created if it is missing", arguments: ["mine.yaml", "./mine", "deep/mine.yml"])
    func path(_ path: String) async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write("", to: "deep/other")
            let program = try run.start("deep-alpha", "--session", path)
            try await program.state("playing")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            #expect(try run.folder.read(path).hasPrefix("format: 1"))
        }
    }

    static let refusals: [(session: String, code: Int32, sentence: String)] = [
        ("gone/deeper/c.yaml", 73, "/gone/deeper for the session: create it, or choose another place with --session."),
        ("-x", 64, "--session"),
        (
            "last-session", 64,
            "--session takes the name of a session, or the path of a file (with a / or ending in .yaml), not 'last-session'."
        ),
        ("", 64, "--session takes the name of a session"),
        ("late/", 64, "--session takes the path of a file, not a folder: add a name, as in 'late/session.yaml'."),
        ("wlecome", 66, "There is no session named 'wlecome'. Did you mean 'welcome'?"),
        (
            "tone.yaml", 65,
            "tone.yaml is a patch, not a session. To play it, and save the session elsewhere, use 'binaural play tone.yaml'."
        ),
        ("./night.flac", 65, "/night.flac: this is a sound file (FLAC)"),
        ("tone.yaml/x.yaml", 73, "/tone.yaml for the session: create it"),
    ]

    @Test("an invalid place is refused, nothing is created, and no file is changed", arguments: refusals)
    func refused(session: String, code: Int32, sentence: String) async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(Self.tone, to: "tone.yaml")
            try run.folder.write("fLaC", to: "night.flac")
            let program = try run.start("--session", session)
            #expect(try await program.exit() == .code(code), "\(program.transcript)")
            #expect(program.errors.contains(sentence), "\(program.transcript)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: run.folder.path).filter { !$0.hasSuffix(".lock") }.sorted() == [
                    "night.flac", "tone.yaml",
                ])
            #expect(try run.folder.read("tone.yaml") == Self.tone)
            #expect(try run.folder.read("night.flac") == "fLaC")
        }
    }
}
