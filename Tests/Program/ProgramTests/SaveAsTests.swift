import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("save-as", .ownThread)
struct SaveAsTests {
    private static func saveAs(_ run: PlayRun, _ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), ["save-as", "--client", run.server.clientName] + arguments, environment: run.environment.variables,
            folder: run.folder.path)
    }

    @Test("says how to play the patch and where its file is, or why it cannot save, with an exit status")
    func says() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "session.yaml", "--paused")
            let peer = try await Asker(program)
            #expect(try peer.perform("layer/1/gain", .float(-33)) == 0)
            let saved = try await Self.saveAs(run, "dusk")
            #expect(saved.exit == .code(0), "\(saved.summary)")
            let path = try run.environment.variables["XDG_DATA_HOME"].orThrow("no data home") + "/binaural/patches/dusk.yaml"
            #expect(saved.outputLines == ["Saved. Play it with 'binaural play dusk'.", "Its file is \(path)."], "\(saved.summary)")
            #expect(try String(contentsOfFile: path, encoding: .utf8).contains("gain: -33"))
            let quoted = try await Self.saveAs(run, "my patch")
            #expect(quoted.outputLines.first == "Saved. Play it with 'binaural play 'my patch''.", "\(quoted.summary)")
            for (name, words) in [
                ("dusk", "or overwrite your patch 'dusk' with --force"),
                ("rain", "or hide the shipped patch 'rain' with --force"),
            ] {
                let again = try await Self.saveAs(run, name)
                #expect(again.exit == .code(1), "\(again.summary)")
                #expect(again.errors.contains(words), "\(again.summary)")
            }
            #expect(try await Self.saveAs(run, "dusk", "--force").exit == .code(0))
            let refused = try await Self.saveAs(run, "a/b")
            #expect(refused.exit == .code(64), "\(refused.summary)")
            #expect(refused.errors.contains("cannot be the name of a patch"), "\(refused.summary)")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
            #expect(try await Self.saveAs(run, "later").exit == .code(69))
        }
    }
}

@Suite("new")
struct NewTests {
    @Test("writes a commented patch that is valid and plays, and never replaces a file")
    func writes() async throws {
        let folder = try TemporaryFolder()
        let isolated = try IsolatedEnvironment()
        defer { keepAlive(folder, isolated) }
        func run(_ arguments: String...) async throws -> FinishedProgram {
            try await RunningProgram.run(
                try PackageRoot.program(), arguments, environment: isolated.variables, folder: folder.path)
        }
        try folder.write("", to: "sub/keep")
        let homeless = try await run("new", "gone/evening")
        #expect(homeless.exit == .code(73), "\(homeless.summary)")
        #expect(homeless.errors.contains("/gone: create it, or choose another place."), "\(homeless.summary)")
        let cases = [
            (["evening"], "evening.yaml"), (["./night.yaml", "--like", "deep-alpha"], "night.yaml"), (["sub/v1.2"], "sub/v1.2.yaml"),
            (["my night.yml", "--like", "evening.yaml"], "my night.yml"), (["keys", "--like", "keys"], "keys.yaml"),
        ]
        for (arguments, file) in cases {
            let new = try await RunningProgram.run(
                try PackageRoot.program(), ["new"] + arguments, environment: isolated.variables, folder: folder.path)
            #expect(new.exit == .code(0), "\(new.summary)")
            #expect(new.output.contains("play it with 'binaural play "), "\(new.summary)")
            let text = try folder.read(file)
            #expect(text.hasPrefix("# A patch for binaural."))
            let check = try await run("check", folder.file(file))
            #expect(check.exit == .code(0), "\(check.summary)")
            let again = try await run("new", file)
            #expect(again.exit == .code(73), "\(again.summary)")
            #expect(again.errors.contains("the file exists. Choose another name, or replace the file with --force."), "\(again.summary)")
            #expect(try folder.read(file) == text)
        }
        #expect(try folder.read("night.yaml").contains("set: {bed.beat: 10, octave.beat: 10}"))
        for name in ["", "sub/", "night.sbg", ".hidden", "preferences", "sub/-x"] {
            #expect(try await run("new", name).exit == .code(64), "\(name)")
        }
        #expect(try await run("new", "nowhere/x").exit == .code(73))
        #expect(try await run("new", "x", "--like", "no-such-patch").exit == .code(66))
    }
}
