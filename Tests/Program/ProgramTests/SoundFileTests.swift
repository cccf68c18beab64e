import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Patches and sequences that play sound files, through the program.
@Suite("sound files")
struct SoundFileTests {
    let environment: IsolatedEnvironment

    init() throws {
        environment = try IsolatedEnvironment()
        let tone = (0..<48_000).map { Float(0.5 * sin(2 * .pi * 300 * Double($0) / 48_000)) }
        try FileManager.default.createDirectory(atPath: environment.folder.file("sounds"), withIntermediateDirectories: true)
        try WaveBytes.file([tone], sampleRate: 48_000).write(to: URL(filePath: environment.folder.file("sounds/tone.wav")))
        _ = try environment.folder.write(
            "title: Tone\nlayers:\n  - {name: bed, file: {path: sounds/tone.wav}, gain: -20}\n", to: "tone.yaml")
    }

    private func binaural(_ arguments: String..., folder: String? = nil) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), arguments, environment: environment.variables, folder: folder ?? environment.folder.path)
    }

    private func wave(_ name: String) throws -> WaveFile { try WaveFile(contentsOf: environment.folder.file(name)) }

    @Test("a path is relative to the patch's folder, and the file loops, at the layer's gain, at any sample rate")
    func render() async throws {
        for (rate, residual) in [("48000", -120.0), ("44100", -100)] {
            let run = try await binaural(
                "render", environment.folder.file("tone.yaml"), "-o", environment.folder.file("out.wav"), "--to", "5", "--depth", "32f",
                "--sample-rate", rate, folder: "/")
            #expect(run.exit == .code(0), "\(run.summary)")
            let wave = try wave("out.wav")
            let sine = try #require(measureSine(wave.channels[0][20_000..<200_000], sampleRate: wave.sampleRate, near: 300))
            #expect(abs(sine.frequency - 300) < 1e-6, "\(sine)")
            #expect(abs(sine.amplitude - 0.05) < 1e-4, "\(sine)")
            #expect(sine.residualInDecibels < residual, "\(sine)")
            #expect(wave.channels[0] == wave.channels[1])
        }
    }

    @Test("a part of a render has the samples of the whole")
    func part() async throws {
        #expect(try await binaural("render", "tone.yaml", "-o", "whole.wav", "--to", "6", "--depth", "32f").exit == .code(0))
        #expect(
            try await binaural("render", "tone.yaml", "-o", "part.wav", "--from", "2.3", "--to", "4", "--depth", "32f").exit == .code(0))
        #expect(try wave("part.wav").channels[0] == Array(try wave("whole.wav").channels[0][110_400..<192_000]))
    }

    @Test("a missing or unreadable sound file is reported by check and render with its layer, and nothing is rendered")
    func faults() async throws {
        for (path, status, words) in [
            ("gone.flac", 66, "There is no sound file"), ("sounds", 65, "it is a folder, not a file"),
            ("tone.yaml", 65, "as a sound file"),
        ] as [(String, Int32, String)] {
            _ = try environment.folder.write("layers:\n  - {name: bed, file: {path: \(path)}}\n  - tone: {}\n", to: "bad.yaml")
            let check = try await binaural("check", "bad.yaml")
            #expect(check.exit == .code(status), "\(check.summary)")
            #expect(check.errors.hasPrefix("bad.yaml: layer `bed`: "), "\(check.summary)")
            #expect(check.errors.contains(words), "\(check.summary)")
            let render = try await binaural("render", "bad.yaml", "-o", "bad.wav", "--to", "1")
            #expect(render.exit == .code(status), "\(render.summary)")
            #expect(render.errors.contains(words), "\(render.summary)")
            #expect(!FileManager.default.fileExists(atPath: environment.folder.file("bad.wav")))
        }
        _ = try environment.folder.write("layers:\n  - {name: bed, file: {}}\n", to: "bad.yaml")
        let check = try await binaural("check", "bad.yaml")
        #expect(check.exit == .code(65), "\(check.summary)")
        #expect(check.errors.contains("`file` has no `path`"), "\(check.summary)")
        #expect(try await binaural("check", "tone.yaml").exit == .code(0))
    }

    @Test("a sequence mixes the file of -m, and sounds the same as a patch, and as a sequence again")
    func sequence() async throws {
        _ = try environment.folder.write(
            "-SE -m sounds/tone.wav\na: mix/50 200+10/20\nb: mix/20\n22:00 a\n22:01 b\n22:02 a\n", to: "mix.sbg")
        let check = try await binaural("check", "mix.sbg")
        #expect(check.exit == .code(0), "\(check.summary)")
        #expect(check.errors.isEmpty, "\(check.summary)")
        let rendered = try await binaural("render", "mix.sbg", "-o", "a.wav", "--depth", "32f")
        #expect(rendered.exit == .code(0), "\(rendered.summary)")
        #expect(try await binaural("import", "mix.sbg", "-o", "mix.yaml").exit == .code(0))
        #expect(try String(contentsOfFile: environment.folder.file("mix.yaml"), encoding: .utf8).contains("path: sounds/tone.wav"))
        #expect(try await binaural("render", "mix.yaml", "-o", "b.wav", "--depth", "32f").exit == .code(0))
        let (first, second) = (try wave("a.wav"), try wave("b.wav"))
        #expect(first.channels == second.channels)
        // In the middle between 22:01 and 22:02 the file alone, at 20 % of half of full scale and 6 dB below.
        let sine = try #require(measureSine(first.channels[0][4_300_000..<4_340_000], sampleRate: 48_000, near: 300))
        #expect(abs(sine.amplitude - 0.1 * pow(10, -0.3)) < 0.01, "\(sine)")
        let export = try await binaural("export", "mix.yaml", "-o", "again.sbg")
        #expect(export.exit == .code(0), "\(export.summary)")
        #expect(try String(contentsOfFile: environment.folder.file("again.sbg"), encoding: .utf8).contains("-m sounds/tone.wav\n"))
        #expect(try await binaural("check", "again.sbg").exit == .code(0))
    }

    @Test(
        "a missing file is reported by name while the session keeps playing; a seek after the file was added is not reported"
    )
    func missingLive() async throws {
        try await JACKServer.run { server in
            let play = try PlayRun(server)
            defer { play.keep() }
            try play.folder.write("layers:\n  - {file: {path: rain.wav}, gain: -20}\n  - {tone: {}, gain: -20}\n", to: "a.yaml")
            let program = try play.start("./a.yaml")
            let notice = try await program.line(containing: "There is no sound file")
            #expect(notice.text.contains("rain.wav"))
            #expect(notice.text.contains("Its layer is silent; the others play."))
            #expect(try await play.value(of: "now/state") == "playing")
            let tone = (0..<48_000).map { Float(sin(2 * .pi * 300 * Double($0) / 48_000)) }
            try WaveBytes.file([tone], sampleRate: 48_000).write(to: URL(filePath: play.folder.file("rain.wav")))
            try await play.ctl("position", "10")
            try await play.ctl("pause")
            program.send(signal: SIGTERM)
            #expect(try await program.exit() == .code(0))
            #expect((program.outputLines + program.errorLines).count { $0.contains("There is no sound file") } == 1)
        }
    }
}
