import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("check")
struct CheckTests {
    let environment: IsolatedEnvironment

    init() throws { environment = try IsolatedEnvironment() }

    private func check(_ arguments: String..., folder: String? = nil) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), ["check"] + arguments, environment: environment.variables, folder: folder ?? environment.folder.path)
    }

    static let shipped: [String] = ["patches", "sessions"].flatMap { folder in
        ((try? FileManager.default.contentsOfDirectory(atPath: PackageRoot.file(folder))) ?? [])
            .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".sbg") }.map { folder + "/" + $0 }.sorted()
    }

    @Test("there are patches and sessions to be shipped")
    func someAreShipped() {
        #expect(Self.shipped.filter { $0.hasPrefix("patches/") }.count >= 12)
        #expect(Self.shipped.filter { $0.hasPrefix("sessions/") }.count >= 3)
    }

    @Test("every shipped file is free of faults and stays below the ceiling", arguments: shipped)
    func shippedIsFaultless(file: String) async throws {
        let run = try await check(PackageRoot.file(file))
        #expect(run.exit == .code(0))
        #expect(run.output.isEmpty, "\(run.summary)")
        #expect(run.errors.isEmpty, "\(run.summary)")
    }

    @Test("a sound file that breaks off is found, wherever that is")
    func cutSound() async throws {
        _ = try environment.folder.write("duration: 20\nlayers: [{noise: {}, gain: -20}]\n", to: "noise.yaml")
        let made = try await RunningProgram.run(
            try PackageRoot.program(), ["render", "noise.yaml", "-o", "noise.flac"], environment: environment.variables,
            folder: environment.folder.path)
        #expect(made.exit == .code(0), "\(made.summary)")
        _ = try environment.folder.write(
            "layers: [{name: a, file: {path: noise.flac}}, {name: b, file: {path: noise.flac}}]\n", to: "p.yaml")
        #expect(try await check("p.yaml").exit == .code(0))
        let file = URL(filePath: environment.folder.file("noise.flac"))
        let bytes = try Data(contentsOf: file)
        try bytes.prefix(bytes.count * 9 / 10).write(to: file)
        let run = try await check("p.yaml")
        #expect(run.exit == .code(65))
        // Once, with the layers that play it.
        #expect(run.errorLines.count == 1)
        #expect(run.errorLines.contains { $0.contains("layers `a` and `b`") && $0.contains("noise.flac") }, "\(run.summary)")
    }

    @Test("--dialect decides how sequences are read, in every command that reads them; otherwise the file does, and check says so")
    func dialect() async throws {
        _ = try environment.folder.write("-SE\na: 200+10/40\nb: 200+10/20\n0:00 a ==\n0:10 b\n0:20 b\n", to: "x.sbg")
        _ = try environment.folder.write("-SE\na: 200+10/40\nb: 200+10/20\n0:00 a\n0:10 b\n0:20 b\n", to: "plain.sbg")
        func run(_ arguments: String...) async throws -> FinishedProgram {
            try await RunningProgram.run(
                try PackageRoot.program(), arguments, environment: environment.variables, folder: environment.folder.path)
        }
        let found = try await run("check", "x.sbg", "plain.sbg")
        #expect(found.exit == .code(0))
        #expect(found.errorLines.count { $0.contains("SBaGenX") } == 2, "\(found.summary)")
        #expect(found.errors.hasPrefix("x.sbg:4:8: warning: a code behind the name is SBaGenX's"), "\(found.summary)")
        for command in [
            ["check"], ["render", "-o", "a.wav", "--to", "1"], ["plot", "-o", "a.png"], ["import", "-o", "a.yaml"], ["play"],
        ] {
            let refused = try await RunningProgram.run(
                try PackageRoot.program(), command + ["x.sbg", "--dialect", "sbagen"], environment: environment.variables,
                folder: environment.folder.path)
            #expect(refused.exit == .code(65), "\(command): \(refused.summary)")
            #expect(refused.errors.contains("only SBaGenX reads this"), "\(command): \(refused.summary)")
        }
        // A plain file moves over the whole time in the one, and after a plateau in the other.
        let imported = try await run("import", "plain.sbg", "-o", "plain.yaml")
        let whole = try await run("import", "plain.sbg", "-o", "whole.yaml", "--dialect", "sbagenx")
        #expect([imported.exit, whole.exit] == [.code(0), .code(0)])
        let texts = try ["plain.yaml", "whole.yaml"].map { try String(contentsOfFile: environment.folder.file($0), encoding: .utf8) }
        #expect(texts[1].contains("over: 10:00"), "\(texts[1])")
        #expect(!texts[0].contains("over: 10:00"), "\(texts[0])")
        #expect(try await run("check", "plain.sbg", "--dialect", "other").exit == .code(64))
    }

    @Test("a name is enough for a file of the library")
    func byName() async throws {
        let run = try await check("welcome", "reference-440")
        #expect(run.exit == .code(0), "\(run.summary)")
    }

    @Test("all faults of all files are reported at once with their places, and the status is 65")
    func faults() async throws {
        let first = try environment.folder.write(
            """
            title: Wrong twice
            layers:
              - binaural: {carrier: 200, baet: 10}
              - tone: {carrier: loud}
            """, to: "first.yaml")
        _ = try environment.folder.write("layers:\n  - tone: {carrier: 200}\n", to: "good.yaml")
        _ = try environment.folder.write("layres: []\n", to: "second.yaml")
        let run = try await check("first.yaml", "good.yaml", "second.yaml", "gone.yaml")
        #expect(run.exit == .code(65))
        #expect(run.errorLines.contains { $0.hasPrefix("first.yaml:3:30: unknown key `baet`") }, "\(run.summary)\n\(first)")
        #expect(run.errorLines.contains("      - binaural: {carrier: 200, baet: 10}"))
        #expect(run.errorLines.contains("                                 ^"))
        #expect(run.errorLines.contains { $0.contains("did you mean `beat`?") })
        #expect(run.errorLines.contains { $0.hasPrefix("first.yaml:4:") })
        #expect(run.errorLines.contains { $0.hasPrefix("second.yaml:1:1: unknown key `layres`") })
        #expect(run.errors.contains("There is no file"))
        #expect(run.errors.contains("gone.yaml"))
        #expect(!run.errors.contains("good.yaml"))
    }

    @Test("a missing file is 66, and a similar name is suggested")
    func missing() async throws {
        let file = try await check("gone.yaml")
        #expect(file.exit == .code(66))
        let name = try await check("welcme")
        #expect(name.exit == .code(66))
        #expect(name.errors.contains("Did you mean 'welcome'?"), "\(name.summary)")
    }

    @Test("a warning is given for what never takes effect: moves and cues beyond the end, a loop and a fade-out without one")
    func oversights() async throws {
        _ = try environment.folder.write(
            """
            duration: 60
            layers: [{name: a, tone: {}}]
            chapters:
              - {at: 10, over: 5:00, set: {a.gain: -30, a.carrier: 100}}
              - {at: 20, over: 40, set: {a.gain: -40}}
              - {at: 30, over: 60}
            cues: [{at: 60, set: {a.pan: 1}}]

            """, to: "beyond.yaml")
        _ = try environment.folder.write("loop: true\nfade: {in: 1, out: 10}\nlayers: [{tone: {}}]\n", to: "endless.yaml")
        let run = try await check("beyond.yaml", "endless.yaml")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.output.isEmpty, "\(run.summary)")
        #expect(
            run.errorLines == [
                "beyond.yaml: warning: the move that begins at 0:10 takes until 5:10, but the patch ends at 1:00: it does not reach its values",
                "beyond.yaml: warning: the cue at 1:00 is never reached: the patch ends at 1:00",
                "endless.yaml: warning: `loop` has no effect without a `duration`: the patch is endless",
                "endless.yaml: warning: the fade-out has no effect without a `duration`: the patch is endless",
            ], "\(run.summary)")
    }

    @Test("a warning, not a fault, is given for layers that together exceed the ceiling")
    func loud() async throws {
        let text = "layers:\n  - {tone: {carrier: 200}, gain: -9}\n  - {tone: {carrier: 300}, gain: -9}\n"
        _ = try environment.folder.write(text, to: "loud.yaml")
        let run = try await check("loud.yaml")
        #expect(run.exit == .code(0))
        // Two of -9 dB are 6.02 dB more.
        #expect(run.errors.contains("warning: the layers together reach -3.0 dBFS at 0:00, above the ceiling of -6 dBFS"), "\(run.summary)")
        #expect(try await check("--ceiling", "-2", "loud.yaml").errors.isEmpty)
    }

    @Test("an invalid ceiling, or one outside -60 to 0 dBFS, is refused", arguments: ["nan", "inf", "-1e400", "1", "-61"])
    func ceiling(level: String) async throws {
        _ = try environment.folder.write("layers:\n  - {tone: {}, gain: -20}\n", to: "one.yaml")
        let run = try await check("--loudness", "--ceiling", level, "one.yaml")
        #expect(run.exit == .code(64), "\(run.summary)")
        #expect(run.errors.contains("-60 to 0 dBFS"), "\(run.summary)")
    }

    @Test("in a terminal a valid file is answered with one line")
    func terminal() async throws {
        _ = try environment.folder.write("layers: [{tone: {}, gain: -20}]\n", to: "good.yaml")
        let window = try TerminalWindow(environment.variables, columns: 100)
        try await window.run("'\(try PackageRoot.program())' check good.yaml; exec cat", in: environment.folder.path)
        do {
            try await window.screen { $0.contains("good.yaml has no mistakes.") }
        } catch {
            try await window.close()
            throw error
        }
        try await window.close()
    }

    @Test("the topics of oscFeedback are checked in preferences, and a list without quotes is answered with quotes")
    func feedback() async throws {
        for (value, words) in [
            (#"["1.2.3.4:9=nwo"]"#, "oscFeedback"), ("[192.168.1.20:9000=now,layers]", "put it in quotes"),
        ] {
            _ = try environment.folder.write("oscFeedback: \(value)\n", to: "preferences.yaml")
            let run = try await check("./preferences.yaml")
            #expect(run.exit == .code(65), "\(run.summary)")
            #expect(run.errors.contains(words), "\(run.summary)")
        }
        _ = try environment.folder.write(#"oscFeedback: ["1.2.3.4:9=now,layers"]"# + "\n", to: "preferences.yaml")
        #expect(try await check("./preferences.yaml").exit == .code(0))
    }

    @Test("a session has no loudness of its own, and says so; a name of a layer that is a number gets a warning")
    func sessionsAndNames() async throws {
        _ = try environment.folder.write("layers:\n  - {name: 2, tone: {}, gain: -20}\n", to: "one.yaml")
        _ = try environment.folder.write("format: 1\nqueue:\n  - patch: one.yaml\n", to: "mine.yaml")
        let names = try await check("one.yaml")
        #expect(names.exit == .code(0), "\(names.summary)")
        #expect(names.errors.contains("the layer named `2` can be reached over OSC by its number only"), "\(names.summary)")
        let session = try await check("--loudness", "./mine.yaml")
        #expect(session.exit == .code(0), "\(session.summary)")
        #expect(session.output.contains("name its patches to measure their loudness"), "\(session.summary)")
    }

    @Test("a session that has changed since it was written gets a warning")
    func alteredSession() async throws {
        _ = try environment.folder.write("format: 1\nqueue: []\n# checksum: 0000000000000000\n...\n", to: "mine.yaml")
        let run = try await check("./mine.yaml")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.errors.contains("warning: The session ./mine.yaml is not as this program has written it."), "\(run.summary)")
    }

    @Test("a session that a pipe has replaced is checked by its older state, with warnings that say so")
    func replacedSession() async throws {
        let sessions = "\(try environment.variables["XDG_STATE_HOME"].orThrow("no state"))/binaural/sessions"
        try FileManager.default.createDirectory(atPath: sessions, withIntermediateDirectories: true)
        try #require(mkfifo("\(sessions)/mine.yaml", 0o600) == 0)
        try "format: 1\nqueue: []\n".write(toFile: "\(sessions)/mine.yaml.1", atomically: true, encoding: .utf8)
        let run = try await check("mine")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.errors.contains("warning: The session \(sessions)/mine.yaml is gone. Its older state in "), "\(run.summary)")
        #expect(run.errors.contains("are not saved: there is a named pipe in its place. Move it away, "), "\(run.summary)")
    }

    @Test("a session with a missing patch gets a warning")
    func sessionWithoutPatch() async throws {
        _ = try environment.folder.write("format: 1\ntitle: Mine\nqueue:\n  - patch: nowhere\n", to: "mine.yaml")
        let run = try await check("./mine.yaml")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.errors.contains("warning: There is no patch named 'nowhere'"), "\(run.summary)")
    }
}
