import Foundation
import OSC
import PatchFiles
import Patches
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

    @Test("writes what plays with its live edits as a patch of the user's, which renders as the plan that is heard")
    func saves() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            let text = """
                # Four seconds
                duration: 0:04
                layers:
                  - {name: a, binaural: {carrier: 200, beat: 10}, gain: -30}
                  - {name: b, tone: {carrier: 300}, gain: -30}
                  - {name: f, file: {path: sea.wav}, gain: -30}
                chapters:
                  - {at: 0, title: One}
                  - {at: 2, title: Two, over: 1, set: {a.beat: 4, b.gain: -40}}
                """
            try run.folder.write(text, to: "mine.yaml")
            let sox = try await RunningProgram.run(
                "sox", ["-n", "-r", "48000", "-c", "2", run.folder.file("sea.wav"), "synth", "2", "sine", "100"])
            #expect(sox.exit == .code(0), "\(sox.summary)")
            let program = try run.start("mine.yaml", "--session", "session.yaml", "--paused")
            let peer = try await Asker(program)
            #expect(try peer.perform("layer/1/carrier", .float(220)) == 0)
            #expect(try peer.perform("layer/2/wave", .string("triangle")) == 0)
            #expect(try peer.perform("position", .float(2.5)) == 0)
            #expect(try peer.perform("layer/1/beat", .float(6)) == 0)

            let saved = try await Self.saveAs(run, "dusk")
            #expect(saved.exit == .code(0), "\(saved.summary)")
            #expect(saved.outputLines.first == "Saved. Play it with 'binaural play dusk'.", "\(saved.summary)")
            let path = try run.environment.variables["XDG_DATA_HOME"].orThrow("no data home") + "/binaural/patches/dusk.yaml"
            #expect(saved.outputLines.last == "Its file is \(path).", "\(saved.summary)")
            let quoted = try await Self.saveAs(run, "my patch")
            #expect(quoted.outputLines.first == "Saved. Play it with 'binaural play 'my patch''.", "\(quoted.summary)")
            let writtenText = try String(contentsOfFile: path, encoding: .utf8)
            #expect(writtenText.hasPrefix("# Four seconds\n"), "\(writtenText)")
            let written = try Patch.parse(writtenText, file: path)
            #expect(written.layers[2].path == run.folder.file("sea.wav"))
            #expect(written.chapters.map(\.title) == ["One", "Two"])
            #expect(peer.heard.allSatisfy { $0.address != "error" })

            // The same patch, written by hand.
            let expected =
                text.replacingOccurrences(of: "carrier: 200", with: "carrier: 220")
                .replacingOccurrences(of: "{carrier: 300}", with: "{carrier: 300, wave: triangle}")
                .replacingOccurrences(of: "a.beat: 4, ", with: "") + "\ncues:\n  - {at: 2, set: {a.beat: 6}}\n"
            try run.folder.write(expected, to: "expected.yaml")
            for (patch, output) in [("dusk", "saved.wav"), ("expected.yaml", "expected.wav")] {
                let render = try await RunningProgram.run(
                    try PackageRoot.program(), ["render", patch, "-o", output, "--to", "0:04"], environment: run.environment.variables,
                    folder: run.folder.path)
                #expect(render.exit == .code(0), "\(render.summary)")
            }
            #expect(
                try WaveFile(contentsOf: run.folder.file("saved.wav")).channels
                    == WaveFile(contentsOf: run.folder.file("expected.wav")).channels)
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0), "\(program.transcript)")
        }
    }

    @Test("never replaces a file unless forced, and says why it cannot save")
    func refusals() async throws {
        try await JACKServer.run { server in
            let run = try PlayRun(server)
            defer { run.keep() }
            try run.folder.write(PlayTests.tone, to: "tone.yaml")
            let program = try run.start("tone.yaml", "--session", "mine.yaml", "--paused")
            let peer = try await Asker(program)
            #expect(try await Self.saveAs(run, "mine").exit == .code(0))
            #expect(try peer.perform("layer/1/gain", .float(-33)) == 0)
            let path = try run.environment.variables["XDG_DATA_HOME"].orThrow("no data home") + "/binaural/patches/mine.yaml"
            let before = try String(contentsOfFile: path, encoding: .utf8)
            for (name, words) in [
                ("mine", "or overwrite your patch 'mine' with --force"),
                ("rain", "or hide the shipped patch 'rain' with --force"),
                ("welcome", "Choose another name"),
            ] {
                let again = try await Self.saveAs(run, name)
                #expect(again.exit == .code(1), "\(again.summary)")
                #expect(again.errors.contains(words), "\(again.summary)")
            }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
            #expect(try await Self.saveAs(run, "mine", "--force").exit == .code(0))
            #expect(try String(contentsOfFile: path, encoding: .utf8).contains("gain: -33"))
            for name in ["a/b", "../a", ".a", "a.yaml", "preferences", ""] {
                let refused = try await Self.saveAs(run, name)
                #expect(refused.exit == .code(64), "\(refused.summary)")
                #expect(refused.errors.contains("cannot be the name of a patch"), "\(refused.summary)")
            }
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
