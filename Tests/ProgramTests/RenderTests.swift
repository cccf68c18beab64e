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
        (["moving.yaml", "-o", "x.mp3"], 64, "'x.mp3' ends in none of .wav, .flac, .ogg and .opus: give --output such a name"),
        (["moving.yaml", "-o", "x.wav", "--format", "flac"], 64, "--format flac and the name 'x.wav' contradict each other"),
        (["moving.yaml", "-o", "x.wav", "--format", "mp3"], 64, "The value 'mp3' is invalid for '--format"),
        (["moving.yaml", "-o", "x.flac", "--depth", "32f"], 64, "FLAC has 16 or 24 bits: --depth 32f is for WAV"),
        (["moving.yaml", "-o", "x.opus", "--depth", "16"], 64, "--depth is for WAV and FLAC: what Opus keeps is chosen with --quality"),
        (
            ["moving.yaml", "-o", "x.opus", "--sample-rate", "44100"], 64,
            "Opus has a sample rate of 8000, 12000, 16000, 24000 or 48000 Hz, not 44100"
        ),
        (["moving.yaml", "-o", "x.ogg", "--sample-rate", "384000"], 64, "Ogg Vorbis has a sample rate of 192000 Hz at most, not 384000"),
        (["moving.yaml", "-o", "x.flac", "--quality", "1"], 64, "--quality is for Ogg and Opus: FLAC loses nothing"),
        (["moving.yaml", "-o", "x.ogg", "--quality", "2"], 64, "--quality takes 0 to 1, not 2"),
        (["moving.yaml", "-o", "x.wav", "--jobs", "0"], 64, "--jobs takes 1 to 64, not 0"),
        (["moving.yaml", "tone.yaml", "-o", "x.wav"], 64, "'Tone' is endless: say with --to where the file is to end"),
        (["moving.yaml", "moving.yaml", "-o", "x.wav", "--loop"], 64, "A loop is one item: name a folder with --output"),
        (["moving.yaml", "-o", "nowhere/there/"], 73, "Cannot create 'nowhere/there/': no such file or directory"),
        (["moving.yaml", "-o", "moving.yaml/"], 73, "Cannot create 'moving.yaml/"),
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

    @Test("a file that cannot grow is 74, and what was there before is whole", arguments: ["wav", "flac", "ogg", "opus"])
    func full(format: String) async throws {
        let old = try environment.folder.write("old", to: "x.\(format)")
        // A file may have 100 KiB; going beyond is an error for the writer, not the end of the program.
        let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" render moving.yaml moving.yaml -o x.\(format)"
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

    @Test("FLAC and WAV of equal depth have equal samples, and the end of the name says which it is")
    func formats() async throws {
        for name in ["x.wav", "x.flac", "x.ogg", "x.opus"] {
            let run = try await render("moving.yaml", "-o", name)
            let kind = name == "x.ogg" ? "Vorbis" : name == "x.opus" ? "Opus" : "24 bits"
            #expect(run.outputLines == ["\(name): 0:20, 48000 Hz, \(kind)"], "\(run.summary)")
        }
        #expect(try await render("moving.yaml", "-o", "x", "--format", "flac").exit == .code(0))
        for (name, codec) in [("x.flac", "flac"), ("x", "flac"), ("x.ogg", "vorbis"), ("x.opus", "opus")] {
            let probe = try await tool(
                "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels", "-of", "csv=p=0", name)
            #expect(probe.outputLines == ["\(codec),48000,2"], "\(probe.summary)")
        }
        #expect(try await tool("ffmpeg", "-v", "error", "-i", "x.flac", "-c:a", "pcm_s24le", "-y", "y.wav").exit == .code(0))
        #expect(try wave("x.wav").channels == wave("y.wav").channels)
    }

    @Test("a patch's details and chapters are in the file, from where it begins")
    func details() async throws {
        _ = try environment.folder.write(
            """
            title: Evening
            artist: Somebody
            comment: To fall asleep.
            duration: 30
            layers:
              - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -20}
            chapters:
              - {at: 0, title: Settle}
              - {at: 10, title: Drop}
              - {at: 20, title: Deep}
            """, to: "evening.yaml")
        #expect(try await render("evening.yaml", "-o", "x.flac", "--from", "12").exit == .code(0))
        let probe = try await tool(
            "ffprobe", "-v", "error", "-show_entries", "format_tags=title,artist,comment:chapter=start_time:chapter_tags=title", "-of",
            "default=nw=1:nk=1", "x.flac")
        #expect(
            probe.outputLines.sorted() == ["0.000000", "8.000000", "Deep", "Drop", "Evening", "Somebody", "To fall asleep."],
            "\(probe.summary)")
    }

    @Test("of a session a folder gets a file for each item, with what was changed in it, and a file gets all of them, sample for sample")
    func session() async throws {
        _ = try environment.folder.write(
            """
            format: 1
            title: Night
            master: {gain: -6}
            queue:
              - patch: ../moving.yaml
              - patch: ../tone.yaml
                edits:
                  - {at: 0:00, set: {tone1.carrier: 300}}
            """, to: "sessions/night.yaml")
        let folder = try await render("night", "-o", "album/", "--to", "5", "--depth", "32f", "--jobs", "2")
        #expect(
            folder.outputLines == ["album/01 Moving.wav: 0:05, 48000 Hz, 32-bit float", "album/02 Tone.wav: 0:05, 48000 Hz, 32-bit float"],
            "\(folder.summary)")
        #expect(try await render("night", "-o", "all.wav", "--to", "5", "--depth", "32f").exit == .code(0))
        let all = try wave("all.wav")
        let parts = try ["album/01 Moving.wav", "album/02 Tone.wav"].map { try wave($0) }
        for channel in 0..<2 { #expect(all.channels[channel] == parts[0].channels[channel] + parts[1].channels[channel]) }
        let sine = try #require(measureSine(parts[1].channels[0][48_000..<192_000], sampleRate: 48_000))
        #expect(abs(sine.frequency - 300) < 1e-6 && abs(decibels(sine.amplitude) + 26) < 1e-3)
        #expect(parts[1].channels[0].last.map { abs($0) < 1e-4 } == true, "an item that is cut ends in a fade")
        #expect(try files().filter { $0.contains(".part") } == [])
        // Files that are there already are replaced, also by several at once.
        let again = try await render("night", "-o", "album", "--to", "5", "--format", "flac", "--jobs", "8")
        #expect(again.outputLines.count == 2 && again.exit == .code(0), "\(again.summary)")
        _ = try environment.folder.write("format: 1\nqueue:\n  - patch: gone\n", to: "sessions/gone.yaml")
        let gone = try await render("gone", "-o", "all.wav")
        #expect(gone.exit == .code(66) && gone.errors.contains("'gone' of the session 'gone' cannot be rendered"), "\(gone.summary)")
    }

    @Test("a loop of tones whose phases meet goes on at its beginning as if it had no end")
    func loop() async throws {
        _ = try environment.folder.write(
            """
            title: Bed
            layers:
              - {name: low, binaural: {carrier: 200.1, beat: 7.8}, gain: -20}
              - {name: high, isochronic: {carrier: 330, pulseRate: 4.5}, gain: -30}
            """, to: "bed.yaml")
        let run = try await render("bed.yaml", "-o", "x.wav", "--loop", "--to", "1:00", "--depth", "32f")
        #expect(run.output.hasSuffix("32-bit float, a loop whose phases meet within 0.0001 cycles"), "\(run.summary)")
        let seam = try Seam(try wave("x.wav"))
        #expect(seam.frames > 54 * 48_000 && seam.frames <= 60 * 48_000)
        #expect(seam.jump <= seam.usual * 1.01, "\(seam)")
        #expect(abs(seam.level) < 0.1, "\(seam)")
    }

    @Test("a loop with noise is crossfaded without a seam, and as loud there as elsewhere; a moving patch too")
    func noiseLoop() async throws {
        _ = try environment.folder.write(
            "title: Rain\nlayers:\n  - {name: rain, noise: {color: pink}, gain: -20}\n  - {name: bed, tone: {carrier: 100}, gain: -40}\n",
            to: "rain.yaml")
        for (name, to) in [("rain.yaml", "20"), ("moving.yaml", "20")] {
            let run = try await render(name, "-o", "x.wav", "--loop", "--to", to, "--depth", "32f")
            #expect(run.output.contains("layers are crossfaded over 2 s"), "\(run.summary)")
            let seam = try Seam(try wave("x.wav"))
            #expect(seam.jump <= seam.usual, "\(name): \(seam)")
            #expect(abs(seam.level) < (name == "rain.yaml" ? 1 : 4), "\(name): \(seam)")
        }
    }

    /// How a file goes on from its last frame at its first one.
    private struct Seam {
        let frames: Int
        /// Largest second difference of the three steps across the seam, and of all others.
        let jump: Double
        let usual: Double
        /// RMS of the second around the seam against that of the middle of the file, in dB.
        let level: Double

        init(_ wave: WaveFile) throws {
            let samples = wave.channels[0]
            frames = samples.count
            func bend(_ a: Double, _ b: Double, _ c: Double) -> Double { abs(a - 2 * b + c) }
            let across = Array(samples.suffix(3) + samples.prefix(3))
            jump = (1..<5).map { bend(across[$0 - 1], across[$0], across[$0 + 1]) }.max() ?? 1
            usual = (2..<samples.count).map { bend(samples[$0 - 2], samples[$0 - 1], samples[$0]) }.max() ?? 0
            func power(_ samples: some Collection<Double>) -> Double { samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count) }
            let around = Array(samples.suffix(12_000) + samples.prefix(84_000))
            let middle = samples.count / 2
            level = 10 * log10(power(around) / power(samples[middle - 48_000..<middle + 48_000]))
        }
    }

    private func tool(_ name: String, _ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            name, arguments, environment: ProcessInfo.processInfo.environment, folder: environment.folder.path)
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: environment.folder.path) }
}
