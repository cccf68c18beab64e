import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("render to standard output")
struct StreamTests {
    let environment: IsolatedEnvironment

    init() throws {
        environment = try IsolatedEnvironment()
        try environment.folder.write("title: Tone\nduration: 3\nlayers:\n  - {tone: {carrier: 200}, gain: -20}\n", to: "tone.yaml")
    }

    /// Runs a shell command with the program as `$0`.
    private func shell(_ command: String) async throws -> FinishedProgram {
        try await RunningProgram.run(
            "bash", ["-c", command, try PackageRoot.program()], environment: environment.variables, folder: environment.folder.path)
    }

    private func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: environment.folder.file(name)))) }

    @Test("-o - writes WAV with the samples of the file, and messages to standard error", arguments: ["16", "24", "32f"])
    func wave(depth: String) async throws {
        let run = try await shell(
            "\"$0\" render tone.yaml tone.yaml -o - --depth \(depth) > a.bin && \"$0\" render tone.yaml tone.yaml -o b.wav --depth \(depth)"
        )
        #expect(run.exit == .code(0), "\(run.summary)")
        let name = depth == "32f" ? "32-bit float" : "\(depth) bits"
        #expect(run.errorLines == ["standard output: 0:06, 48000 Hz, \(name)"])
        #expect(run.outputLines == ["b.wav: 0:06, 48000 Hz, \(name)"])
        let (stream, file) = (
            try WaveFile(contentsOf: environment.folder.file("a.bin")), try WaveFile(contentsOf: environment.folder.file("b.wav"))
        )
        #expect(stream.sampleRate == 48_000)
        #expect(stream.channels == file.channels)
        #expect(stream.frameCount == 6 * 48_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: environment.folder.path).contains("-") == false)
    }

    @Test("other programs read the stream, also a raw one", arguments: ["16", "24", "32f"])
    func readers(depth: String) async throws {
        let raw = depth == "16" ? "s16le" : depth == "24" ? "s24le" : "f32le"
        let bits = depth == "32f" ? "-e floating-point -b 32" : "-e signed -b \(depth)"
        let run = try await shell(
            """
            set -o pipefail
            "$0" render tone.yaml -o - --depth \(depth) | ffmpeg -v error -i - -f f32le ffmpeg.bin &&
            "$0" render tone.yaml -o - --format raw --depth \(depth) | ffmpeg -v error -f \(raw) -ar 48000 -ac 2 -i - -f f32le raw.bin &&
            "$0" render tone.yaml -o - --depth \(depth) | sox -V1 -t wav - sox.wav &&
            "$0" render tone.yaml -o - --format raw --depth \(depth) > plain.bin &&
            sox -V1 -t raw -r 48000 -c 2 \(bits) plain.bin sox2.wav
            """)
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(run.errorLines.allSatisfy { $0.hasPrefix("standard output: ") }, "\(run.summary)")
        #expect(try bytes("ffmpeg.bin") == bytes("raw.bin"))
        #expect(try bytes("ffmpeg.bin").count == 3 * 48_000 * 8)
        #expect(try bytes("plain.bin").count == 3 * 48_000 * 2 * (depth == "16" ? 2 : depth == "24" ? 3 : 4))
        let (one, two) = (
            try WaveFile(contentsOf: environment.folder.file("sox.wav")), try WaveFile(contentsOf: environment.folder.file("sox2.wav"))
        )
        #expect(one.channels == two.channels)
        #expect(one.frameCount == 3 * 48_000)
    }

    @Test("a stream beyond 4 GiB has no size, and readers read it to its end")
    func endless() async throws {
        // The reader ends after a second of sound, and the program with it, without a message.
        let run = try await shell(
            "\"$0\" render rain -o - --to 10:00:00 --depth 32f 2> errors | head -c 384058 > a.bin; echo ${PIPESTATUS[0]}; cat errors >&2")
        #expect(run.outputLines == ["141"], "\(run.summary)")
        #expect(run.errorLines == [], "\(run.summary)")
        let head = try bytes("a.bin")
        #expect(Array(head[4..<8]) == [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(Array(head[54..<58]) == [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try WaveFile(contentsOf: environment.folder.file("a.bin")).frameCount == 48_000)
        let probe = try await shell("ffprobe -v error -show_entries stream=codec_name,channels,sample_rate -of csv=p=0 a.bin")
        #expect(probe.outputLines == ["pcm_f32le,48000,2"], "\(probe.summary)")
    }

    static let refusals: [(arguments: String, sentence: String)] = [
        ("-o - --format flac", "Standard output takes --format wav or raw, since FLAC needs a file"),
        ("-o - --format ogg", "Standard output takes --format wav or raw, since Ogg Vorbis needs a file"),
        ("-o tone.raw --format raw", "--format raw is for standard output: use -o -"),
        ("-o tone.wav --format raw", "--format raw is for standard output: use -o -"),
        ("-o - --format mp3", "Standard output takes --format wav or raw, since MP3 needs a file"),
        ("-o - --quality 1", "--quality is for Ogg, Opus and MP3: WAV is lossless."),
    ]

    @Test("formats that a stream cannot have are refused, and nothing is written", arguments: refusals)
    func refused(arguments: String, sentence: String) async throws {
        let run = try await shell("\"$0\" render tone.yaml \(arguments)")
        #expect(run.exit == .code(64), "\(run.summary)")
        #expect(run.errors.hasPrefix("binaural: error: \(sentence)"), "\(run.summary)")
        #expect(run.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: environment.folder.file("tone.raw")))
    }

    @Test("a terminal is refused as the destination, and a full disk is reported")
    func badDestinations() async throws {
        // script(1) runs the command on a terminal of its own.
        let terminal = try await shell("script -qec \"'$0' render tone.yaml -o -\" /dev/null")
        #expect(terminal.exit == .code(64), "\(terminal.summary)")
        #expect(terminal.output.contains("The sound would be written to the terminal: send it to another program or a file"))
        let full = try await shell("\"$0\" render tone.yaml -o - > /dev/full")
        #expect(full.exit == .code(74), "\(full.summary)")
        #expect(full.errors.contains("Cannot write the sound to standard output: no space left on device."), "\(full.summary)")
    }

    @Test("a file or folder named - is reached as ./-")
    func fileOfThatName() async throws {
        try FileManager.default.createDirectory(atPath: environment.folder.file("-"), withIntermediateDirectories: false)
        let stream = try await shell("\"$0\" render tone.yaml -o - | wc -c")
        #expect(stream.outputLines == ["864044"], "\(stream.summary)")
        let folder = try await shell("\"$0\" render tone.yaml -o ./-")
        #expect(folder.outputLines == ["./-/01 Tone.wav: 0:03, 48000 Hz, 24 bits"], "\(folder.summary)")
    }
}
