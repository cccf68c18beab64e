import Foundation
import ProgramSupport
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

    @Test("a layer that is played live is silent in a file, and a warning says so")
    func playedLayers() async throws {
        _ = try environment.folder.write(
            "title: Played\nlayers:\n  - {name: bed, tone: {}}\n  - {name: lead, keys: {}}\n  - {name: mic, input: {}}\n", to: "played.yaml"
        )
        let run = try await render("played.yaml", "-o", "played.wav", "--to", "1")
        #expect(run.exit == .code(0))
        #expect(
            run.errorLines.filter { $0.contains("warning") } == [
                "Played: warning: layer `lead` plays notes from MIDI, and is silent in a file",
                "Played: warning: layer `mic` plays JACK's inputs, and is silent in a file",
            ], "\(run.summary)")
    }

    @Test("a note is rendered at the frequency that `notes` prints for the tuning of its patch, or of its session")
    func tuning() async throws {
        let notes = try await binaural("notes", "--a4", "432").outputLines.map { $0.split(separator: " ").map(String.init) }
        let a3 = try #require(notes.first { $0.dropFirst().first == "A3" }?.last.flatMap { Double($0) })
        let layers = "layers:\n  - {tone: {note: A3}, gain: -20}\n"
        _ = try environment.folder.write("tuning: 432\n" + layers, to: "own.yaml")
        _ = try environment.folder.write(layers, to: "plain.yaml")
        for (name, tuning) in [("flat", "tuning: 432"), ("sharp", "tuning: {a4: 460}")] {
            _ = try environment.folder.write(
                "format: 1\nqueue: [{patch: ../plain.yaml}, {patch: ../own.yaml}]\n\(tuning)\n", to: "sessions/\(name).yaml")
        }
        for (item, expected) in [("own.yaml", a3), ("plain.yaml", 220), ("flat", a3), ("sharp", 230)] {
            let run = try await render(item, "-o", "a.wav", "--to", "4", "--depth", "32f")
            #expect(run.exit == .code(0), "\(run.summary)")
            let channel = try wave("a.wav").channels[0]
            let sine = try #require(measureSine(channel[24_000..<168_000], sampleRate: 48_000, near: expected))
            #expect(abs(sine.frequency / expected - 1) < 1e-9, "\(item): \(sine.frequency)")
            guard channel.count > 192_000 else { continue }
            // The patch's own tuning takes precedence over its session's.
            let second = try #require(measureSine(channel[216_000..<360_000], sampleRate: 48_000, near: a3))
            #expect(abs(second.frequency / a3 - 1) < 1e-9, "\(item): \(second.frequency)")
        }
    }

    @Test("a render from a later start has exactly the samples of the whole")
    func from() async throws {
        #expect(try await render("moving.yaml", "-o", "whole.wav", "--depth", "32f").exit == .code(0))
        #expect(try await render("moving.yaml", "-o", "part.wav", "--depth", "32f", "--from", "0:07.5", "--to", "12").exit == .code(0))
        let whole = try wave("whole.wav")
        let part = try wave("part.wav")
        #expect(whole.frameCount == 20 * 48_000)
        #expect(part.frameCount == 216_000)
        for channel in 0..<2 { #expect(Array(whole.channels[channel][360_000..<576_000]) == part.channels[channel]) }
    }

    @Test("each depth has its number of bits", arguments: [("16", 16), ("24", 24)])
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
        (["tone.yaml", "-o", "x.wav"], 64, "'Tone' is endless: set the end of the file with --to"),
        (["moving.yaml", "-o", "x.wav", "--from", "21"], 64, "There is nothing to render: --from 0:21 is not before the end at 0:20."),
        (["moving.yaml", "-o", "x.wav", "--from", "0:30", "--to", "0:10"], 64, "There is nothing to render"),
        (["moving.yaml", "tone.yaml", "-o", "x.wav"], 64, "'Tone' is endless: set the end of the file with --to"),
        (["moving.yaml", "moving.yaml", "-o", "x.wav", "--loop"], 64, "A loop has only one item: give --output a folder"),
        (["moving.yaml", "-o", "nowhere/there/"], 73, "Cannot create 'nowhere/there/': no such file or directory"),
        (["moving.yaml", "-o", "moving.yaml/"], 73, "Cannot create 'moving.yaml/"),
        (["gone.yaml", "-o", "x.wav"], 66, "There is no file"),
        (["movin", "-o", "x.wav"], 66, "There is no patch named 'movin'"),
        (["moving.yaml", "-o", "nowhere/x.wav"], 73, "Cannot create 'nowhere/x.wav': no such file or directory"),
    ]

    @Test("failures are reported in a sentence, with the right status, and leave no file", arguments: failures)
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

    @Test("a file that cannot grow is 74, and the existing one stays complete", arguments: ["wav", "flac", "ogg", "opus"])
    func full(format: String) async throws {
        let old = try environment.folder.write("old", to: "x.\(format)")
        // Files are limited to 100 KiB; exceeding that is a write error and does not end the program.
        let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" render moving.yaml moving.yaml -o x.\(format) --force"
        let run = try await RunningProgram.run(
            "bash", ["-c", script, try PackageRoot.program()], environment: environment.variables, folder: environment.folder.path)
        #expect(run.exit == .code(74), "\(run.summary)")
        #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
        #expect(try files().filter { $0.contains(".part") } == [])
    }

    /// Takes minutes to render, so that it is not finished before the signal comes.
    private func writeSlowPatch() throws {
        let layers = (1...200).map { "  - {bilateral: {carrier: \(100 + $0)}, gain: -80}\n" }.joined()
        _ = try environment.folder.write("title: Slow\nlayers:\n" + layers, to: "slow.yaml")
    }

    static let interruptions: [(signal: Int32, format: String)] =
        [(SIGTERM, "wav"), (SIGINT, "opus"), (SIGKILL, "flac")]

    @Test("Ctrl-C, SIGTERM and a kill leave the existing file, and no partial file under that name", arguments: interruptions)
    func interrupted(signal: Int32, format: String) async throws {
        let old = try environment.folder.write("old", to: "x.\(format)")
        try writeSlowPatch()
        let outputs = ["x.\(format)"] + (format == "wav" ? ["new.wav"] : [])
        for output in outputs {
            let program = try RunningProgram(
                try PackageRoot.program(), ["render", "slow.yaml", "-o", output, "--to", "4:00:00", "--force"],
                environment: environment.variables, folder: environment.folder.path)
            // It has begun to write the file.
            _ = try await eventually { try files().contains { $0.hasPrefix(".\(output).") && $0.hasSuffix(".part") } || program.hasEnded }
            program.send(signal: signal)
            let exit = try await program.exit()
            if signal == SIGKILL {
                #expect(exit == .signal(SIGKILL))
            } else {
                #expect(exit == .code(128 + signal), "\(program.transcript)")
                #expect(program.errorLines.last == "binaural: error: Cancelled; \(output) was not written.")
            }
        }
        #expect(try String(contentsOfFile: old, encoding: .utf8) == "old")
        #expect(!FileManager.default.fileExists(atPath: environment.folder.file("new.wav")))
        // A killed program cannot clean up: the partial file is hidden.
        let left = try files().filter { $0.contains(".part") }
        #expect(left.count == (signal == SIGKILL ? outputs.count : 0), "\(left)")
        #expect(left.allSatisfy { $0.hasPrefix(".") }, "\(left)")
        #expect(try await render("tone.yaml", "-o", "x.\(format)", "--to", "2", "--force").exit == .code(0))
        #expect(try Data(contentsOf: URL(filePath: old)).count > 1000)
    }

    @Test("as many files are rendered at once as --jobs says, no more, and each of them grows", arguments: [1, 3])
    func atOnce(jobs: Int) async throws {
        try writeSlowPatch()
        let program = try RunningProgram(
            try PackageRoot.program(),
            ["render"] + Array(repeating: "slow.yaml", count: 5) + ["-o", "album/", "--to", "3:00:00", "--jobs", "\(jobs)"],
            environment: environment.variables, folder: environment.folder.path)
        /// Bytes written so far, by name.
        func sizes() throws -> [String: Int] {
            let folder = environment.folder.file("album")
            let parts = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".part") }
            return try parts.reduce(into: [:]) { sizes, name in
                sizes[name] = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.size] as? Int
            }
        }
        var first: [String: Int] = [:]
        var last: [String: Int] = [:]
        // Waits until all of them have grown since all of them existed.
        _ = try await eventually {
            last = try sizes()
            if first.count < jobs { first = last }
            #expect(last.count <= jobs)
            return last.count == jobs && last.allSatisfy { $0.value > first[$0.key] ?? .max } || program.hasEnded
        }
        #expect(last.count == jobs, "\(first) \(last)")
        #expect(Set(last.keys) == Set(first.keys), "\(first) \(last)")
        program.send(signal: SIGTERM)
        #expect(try await program.exit() == .code(128 + SIGTERM), "\(program.transcript)")
        #expect(
            program.errorLines.last == "binaural: error: Cancelled; 0 of 5 files were written.")
        #expect(try FileManager.default.contentsOfDirectory(atPath: environment.folder.file("album")) == [])
    }

    @Test("a sound above the ceiling gets a warning")
    func ceiling() async throws {
        let run = try await render("tone.yaml", "-o", "x.wav", "--to", "1", "--ceiling", "-30", "--depth", "32f")
        #expect(run.exit == .code(0))
        #expect(run.errors.contains("warning: the ceiling of -30 dBFS was exceeded"), "\(run.summary)")
        let peak = try wave("x.wav").channels[0].map(abs).max() ?? 0
        #expect(abs(decibels(peak) + 30) < 0.01)
    }

    @Test("a layer that outputs a DC offset is muted, and the others keep playing")
    func dcOffset() async throws {
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

    @Test("FLAC and WAV of equal depth have equal samples, and the file name chooses the format")
    func formats() async throws {
        for name in ["x.wav", "x.flac", "x.ogg", "x.opus"] {
            let run = try await render("moving.yaml", "-o", name)
            let kind = name == "x.ogg" ? "Vorbis" : name == "x.opus" ? "Opus" : "24 bits"
            #expect(run.outputLines == ["\(name): 0:20, 48000 Hz, \(kind)"], "\(run.summary)")
        }
        let named = try await render("moving.yaml", "-o", "late", "--format", "flac")
        #expect(named.outputLines == ["late.flac: 0:20, 48000 Hz, 24 bits"], "\(named.summary)")
        for (name, codec) in [("x.flac", "flac"), ("late.flac", "flac"), ("x.ogg", "vorbis"), ("x.opus", "opus")] {
            let probe = try await tool(
                "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=codec_name,sample_rate,channels", "-of",
                "csv=p=0", name)
            #expect(probe.outputLines == ["\(codec),48000,2"], "\(probe.summary)")
        }
        #expect(try await tool("ffmpeg", "-v", "error", "-i", "x.flac", "-c:a", "pcm_s24le", "-y", "y.wav").exit == .code(0))
        #expect(try wave("x.wav").channels == wave("y.wav").channels)
    }

    @Test("a patch's details and chapters are in the file, counted from its start")
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

    @Test("for a session, a folder gets a file for each item, with its edits, and a file gets all of them, sample for sample")
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
        #expect(abs(sine.frequency - 300) < 1e-6)
        #expect(abs(decibels(sine.amplitude) + 26) < 1e-3)
        #expect(parts[1].channels[0].last.map { abs($0) < 1e-4 } == true, "an item that is cut ends in a fade")
        #expect(try files().filter { $0.contains(".part") } == [])
        // Files that are there already are replaced, also by several at once.
        let again = try await render("night", "-o", "album", "--to", "5", "--format", "flac", "--jobs", "8")
        #expect(again.outputLines.count == 2, "\(again.summary)")
        #expect(again.exit == .code(0), "\(again.summary)")
        _ = try environment.folder.write("format: 1\nqueue:\n  - patch: gone\n", to: "sessions/gone.yaml")
        let gone = try await render("gone", "-o", "all.wav")
        #expect(gone.exit == .code(66), "\(gone.summary)")
        #expect(gone.errors.contains("'gone' of the session 'gone' cannot be rendered"), "\(gone.summary)")
    }

    @Test("a session's rate, mutes and chapters are in the files; in a single file, the items are the chapters")
    func sessionChapters() async throws {
        let bed = "  - {name: bed, binaural: {carrier: 200, beat: 10}, gain: -20}\n"
        let rain = "  - {name: rain, noise: {color: pink}, gain: -30}\n"
        let chapters = "chapters:\n  - {at: 0, title: Settle}\n  - {at: 8, title: Drop, over: 4, set: {bed.beat: 4}}\n"
        _ = try environment.folder.write("title: Evening\nduration: 20\nlayers:\n" + bed + rain + chapters, to: "evening.yaml")
        // The same, twice as fast, without the muted layers.
        _ = try environment.folder.write(
            "title: Alone\nduration: 10\nlayers:\n" + bed
                + "chapters:\n  - {at: 0, title: Settle}\n  - {at: 4, title: Drop, over: 2, set: {bed.beat: 4}}\n", to: "alone.yaml")
        _ = try environment.folder.write(
            """
            format: 1
            title: Night
            play: {rate: 2}
            queue:
              - {patch: ../evening.yaml, muted: [rain]}
              - {patch: ../evening.yaml, muted: [bed, rain]}
            """, to: "sessions/night.yaml")
        for (name, format) in [("album/", "wav"), ("album/", "flac")] {
            let run = try await render("night", "-o", name, "--format", format, "--depth", format == "wav" ? "32f" : "24")
            #expect(run.exit == .code(0), "\(run.summary)")
            #expect(run.outputLines.count == 2, "\(run.summary)")
        }
        #expect(try await render("alone.yaml", "-o", "alone.wav", "--depth", "32f").exit == .code(0))
        let first = try wave("album/01 Evening.wav")
        #expect(first.channels == (try wave("alone.wav")).channels)
        #expect(try wave("album/02 Evening.wav").channels.joined().allSatisfy { $0 == 0 })
        func metadata(_ name: String) async throws -> [String] {
            try await tool("ffprobe", "-v", "error", "-show_entries", "chapter=start_time:chapter_tags=title", "-of", "csv=p=0", name)
                .outputLines
        }
        #expect(try await metadata("album/01 Evening.flac") == ["0.000000,Settle", "4.000000,Drop"])
        #expect(try await render("night", "-o", "all.flac").exit == .code(0))
        #expect(try await metadata("all.flac") == ["0.000000,Evening", "10.000000,Evening"])
    }

    private func tool(_ name: String, _ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            name, arguments, environment: ProcessInfo.processInfo.environment, folder: environment.folder.path)
    }

    private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: environment.folder.path) }
}
