import Foundation
import TestSupport
import Testing

@Suite("render")
struct RenderTests {
    let environment: IsolatedEnvironment

    init() throws {
        environment = try IsolatedEnvironment()
        _ = try environment.folder.write("title: Tone\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n", to: "tone.yaml")
        _ = try environment.folder.write(
            """
            title: Moving
            duration: 20
            fade: {in: 2, out: 3}
            layers:
              - name: bed
                binaural: {carrier: 200, beat: 10}
                gain: -20
              - name: rain
                noise: {color: pink}
                gain: -30
            chapters:
              - {at: 4, over: 10, ease: sineInOut, set: {bed.beat: 4, rain.gain: -24}}
            """, to: "moving.yaml")
    }

    private func render(_ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), ["render"] + arguments, environment: environment.variables, folder: environment.folder.path)
    }

    private func wave(_ name: String) throws -> WaveFile { try WaveFile(contentsOf: environment.folder.file(name)) }

    @Test("a rendered tone has its frequency and nothing else")
    func tone() async throws {
        let run = try await render("tone.yaml", "-o", "tone.wav", "--to", "0:11", "--depth", "32f", "--sample-rate", "44100")
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.outputLines == ["tone.wav: 0:11, 44100 Hz, 32-bit float"])
        let wave = try wave("tone.wav")
        #expect(wave.sampleRate == 44_100)
        #expect(wave.frameCount == 11 * 44_100)
        for channel in wave.channels {
            let sine = try #require(measureSine(channel[44_100...], sampleRate: 44_100, near: 200))
            #expect(abs(sine.frequency / 200 - 1) < 1e-9)
            #expect(abs(decibels(sine.amplitude) + 20) < 1e-4)
            #expect(sine.residualInDecibels < -138)
        }
    }

    @Test("what begins later has the very samples of what was played through")
    func from() async throws {
        #expect(try await render("moving.yaml", "-o", "whole.wav", "--depth", "32f").exit == .code(0))
        #expect(try await render("moving.yaml", "-o", "part.wav", "--depth", "32f", "--from", "0:07.5", "--to", "12").exit == .code(0))
        let whole = try wave("whole.wav")
        let part = try wave("part.wav")
        #expect(whole.frameCount == 20 * 48_000)
        #expect(part.frameCount == 216_000)
        for channel in 0..<2 { #expect(Array(whole.channels[channel][360_000..<576_000]) == part.channels[channel]) }
    }

    @Test("each depth has as many bits as it says", arguments: [("16", 16), ("24", 24)])
    func depth(option: String, bits: Int) async throws {
        let run = try await render("tone.yaml", "-o", "x.wav", "--to", "1", "--depth", option)
        #expect(run.outputLines == ["x.wav: 0:01, 48000 Hz, \(bits) bits"])
        let samples = try wave("x.wav").channels[0]
        let steps = samples.map { $0 * Double(1 << (bits - 1)) }
        #expect(steps.allSatisfy { $0 == $0.rounded() })
        // Dither reaches the last bit.
        #expect(steps.contains { Int($0) % 2 != 0 })
    }

    static let failures: [(arguments: [String], code: Int32, sentence: String)] = [
        (["tone.yaml", "-o", "x.wav"], 64, "'Tone' is endless: say with --to where the file is to end"),
        (["moving.yaml", "-o", "x.wav", "--from", "21"], 64, "There is nothing to render"),
        (["moving.yaml", "-o", "x.wav", "--from", "0:30", "--to", "0:10"], 64, "There is nothing to render"),
        (["moving.yaml", "-o", "x.flac"], 64, "WAV is what is written"),
        (["moving.yaml"], 64, "Missing expected argument '--output <file>'"),
        (["moving.yaml", "-o", "x.wav", "--to", "1:99"], 64, "The value '1:99' is invalid for '--to <time>'"),
        (["moving.yaml", "-o", "x.wav", "--depth", "8"], 64, "The value '8' is invalid for '--depth"),
        (["moving.yaml", "-o", "x.wav", "--sample-rate", "100"], 64, "--sample-rate takes 8000 to 384000 Hz, not 100"),
        (["moving.yaml", "-o", "x.wav", "--kernel", "fast"], 64, "The value 'fast' is invalid for '--kernel"),
        (["moving.yaml", "-o", "x.wav", "--ceiling", "3"], 64, "--ceiling takes a level from -60 to 0 dBFS, not 3"),
        (["gone.yaml", "-o", "x.wav"], 66, "There is no file"),
        (["movin", "-o", "x.wav"], 66, "There is no patch named 'movin'"),
        (["moving.yaml", "-o", "nowhere/x.wav"], 73, "Cannot create 'nowhere/x.wav': no such file or directory"),
    ]

    @Test("what cannot be rendered is told in a sentence, with the status for it, and leaves nothing", arguments: failures)
    func failure(arguments: [String], code: Int32, sentence: String) async throws {
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["render"] + arguments, environment: environment.variables, folder: environment.folder.path)
        #expect(run.exit == .code(code), "\(run.summary)")
        #expect(run.errors.hasPrefix("binaural: error: \(sentence)"), "\(run.summary)")
        #expect(!FileManager.default.fileExists(atPath: environment.folder.file("x.wav")))
    }

    @Test("a patch with faults is 65, with their places")
    func faults() async throws {
        _ = try environment.folder.write("layers:\n  - tone: {carier: 200}\n", to: "wrong.yaml")
        let run = try await render("wrong.yaml", "-o", "x.wav", "--to", "1")
        #expect(run.exit == .code(65))
        #expect(run.errors.hasPrefix("wrong.yaml:2:12: unknown key `carier`"), "\(run.summary)")
    }

    @Test("a file that cannot grow is 74, and what was there before is whole")
    func full() async throws {
        let old = try environment.folder.write("old", to: "x.wav")
        // A file may have 100 KiB; going beyond is an error for the writer, not the end of the program.
        let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" render tone.yaml -o x.wav --to 10"
        let run = try await RunningProgram.run(
            "bash", ["-c", script, try PackageRoot.program()], environment: environment.variables, folder: environment.folder.path)
        #expect(run.exit == .code(74), "\(run.summary)")
        #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
        #expect(try files().filter { $0.contains(".part") } == [])
    }

    @Test("Ctrl-C and SIGTERM leave what was there before, and no half file", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) async throws {
        let old = try environment.folder.write("old", to: "x.wav")
        // Long in the making, so that it is not done before the signal comes.
        let layers = (1...200).map { "  - {binaural: {carrier: \(100 + $0)}, gain: -80}\n" }.joined()
        _ = try environment.folder.write("title: Slow\nlayers:\n" + layers, to: "slow.yaml")
        let program = try RunningProgram(
            try PackageRoot.program(), ["render", "slow.yaml", "-o", "x.wav", "--to", "40:00:00"],
            environment: environment.variables, folder: environment.folder.path)
        _ = try await program.line(containing: "Slow: ")
        program.send(signal: signal)
        #expect(try await program.exit() == .code(128 + signal), "\(program.transcript)")
        #expect(program.errorLines.last == "binaural: error: Stopped before the end; x.wav is as it was.")
        #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
        #expect(try files().filter { $0.contains(".part") } == [])
    }

    @Test("a sound that reaches the ceiling is warned about")
    func ceiling() async throws {
        let run = try await render("tone.yaml", "-o", "x.wav", "--to", "1", "--ceiling", "-30", "--depth", "32f")
        #expect(run.exit == .code(0))
        #expect(run.errors.contains("warning: the ceiling of -30 dBFS was reached"), "\(run.summary)")
        let peak = try wave("x.wav").channels[0].map(abs).max() ?? 0
        #expect(abs(decibels(peak) + 30) < 0.01)
    }

    @Test("a layer that puts out a steady voltage is muted, and the others go on")
    func steadyVoltage() async throws {
        let good = "layers:\n  - {name: good, binaural: {carrier: 200, beat: 10}, gain: -26}\n"
        _ = try environment.folder.write(good, to: "good.yaml")
        // Left: 50 - 50 Hz, stopped at a quarter of its cycle.
        let bad = good + "  - {name: bad, binaural: {carrier: 50, beat: -100, phase: 90}, gain: -30}\n"
        _ = try environment.folder.write(bad, to: "bad.yaml")
        for name in ["good", "bad"] {
            let run = try await render("\(name).yaml", "-o", "\(name).wav", "--to", "9", "--depth", "32f")
            #expect(run.exit == .code(0), "\(run.summary)")
        }
        let muted = try wave("bad.wav").channels.map { $0.suffix(48_000) }
        let alone = try wave("good.wav").channels.map { $0.suffix(48_000) }
        #expect(muted == alone)
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: environment.folder.path) }
}
