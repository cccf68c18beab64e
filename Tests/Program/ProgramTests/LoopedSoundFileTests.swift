import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Sound files that a tag plays in segments, through the program.
@Suite("looped sound files")
struct LoopedSoundFileTests {
    let environment: IsolatedEnvironment
    /// Noise of ten seconds, no sample of which is near 0.
    private let noise: [Float]

    init() throws {
        environment = try IsolatedEnvironment()
        var random = SplitMix64(seed: 1)
        noise = (0..<480_000).map { _ in .random(in: 0.1...0.5, using: &random) * (Bool.random(using: &random) ? 1 : -1) }
        try WaveBytes.file([noise, noise.map { -$0 }], sampleRate: 48_000).write(to: URL(filePath: environment.folder.file("river.wav")))
    }

    private func binaural(_ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), arguments, environment: environment.variables, folder: environment.folder.path)
    }

    /// Writes the noise as a file with a tag.
    private func encode(_ name: String, tag: String, _ codec: String) async throws {
        let run = try await RunningProgram.run(
            "ffmpeg",
            [
                "-loglevel", "error", "-y", "-i", environment.folder.file("river.wav"), "-c:a", codec, "-metadata", "SBAGEN_LOOPER=\(tag)",
                environment.folder.file(name),
            ])
        guard run.exit == .code(0) else { throw ProgramFailure("ffmpeg cannot write \(name) here: \(run.errors)") }
    }

    private func render(_ name: String, _ options: String...) async throws -> [[Double]] {
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["render", name, "-o", "out.wav", "--depth", "32f"] + options, environment: environment.variables,
            folder: environment.folder.path)
        #expect(run.exit == .code(0), "\(run.summary)")
        return try WaveFile(contentsOf: environment.folder.file("out.wav")).channels
    }

    @Test("the tag of a FLAC file plays it in segments of the section, the same as an imported patch and in a part of a render")
    func flac() async throws {
        try await encode("river.flac", tag: "s1-2 f0.1 d2-8", "flac")
        _ = try environment.folder.write("-SE -m river.flac\na: mix/50\n22:00 a\n22:01 a\n", to: "river.sbg")
        let check = try await binaural("check", "river.sbg")
        #expect(check.exit == .code(0) && check.errors.isEmpty, "\(check.summary)")
        let whole = try await render("river.sbg")
        #expect(whole[0].count == 60 * 48_000)
        // Where 64 signs of the sound are those of the file, and behind them the next ones.
        let signs = zip(noise.indices, noise.indices.dropFirst(63)).reduce(into: [UInt64: Int]()) { places, range in
            places[noise[range.0...range.1].reduce(0) { $0 << 1 | ($1 > 0 ? 1 : 0) }] = range.0
        }
        let places = stride(from: 4800, to: whole[0].count - 64, by: 480).compactMap { frame in
            signs[whole[0][frame..<frame + 64].reduce(0) { $0 << 1 | ($1 > 0 ? 1 : 0) }].map { (frame: frame, place: $0) }
        }
        // All but the crossfades.
        #expect(places.count > 4500, "\(places.count)")
        #expect(places.allSatisfy { (96_000..<384_000).contains($0.place) })
        let jumps = zip(places, places.dropFirst()).count { $1.place - $0.place != $1.frame - $0.frame }
        #expect((30...60).contains(jumps), "\(jumps)")
        // The right ear has the negative of the left one: nothing is exchanged.
        let isExchanged = zip(whole[0], whole[1]).contains { abs($0 + $1) > 1e-4 }
        #expect(!isExchanged)

        // Not inside `#expect`, which would look for the differences of millions of samples.
        let isSameInPart = try await render("river.sbg", "--from", "20.5", "--to", "24") == whole.map { Array($0[984_000..<1_152_000]) }
        #expect(isSameInPart)
        #expect(try await binaural("import", "river.sbg", "-o", "river.yaml").exit == .code(0))
        let patch = try String(contentsOfFile: environment.folder.file("river.yaml"), encoding: .utf8)
        #expect(patch.contains("segments: {length: [1, 2], crossfade: 0.1, from: 0:02, to: 0:08}"), "\(patch)")
        let isSameAsPatch = try await render("river.yaml") == whole
        #expect(isSameAsPatch)

        let export = try await binaural("export", "river.yaml", "-o", "again.sbg")
        #expect(export.exit == .code(0) && !export.errors.contains("segments"), "\(export.summary)")
        let isSameAgain = try await render("again.sbg") == whole
        #expect(isSameAgain)
        try patch.replacing("1, 2", with: "1, 3").write(toFile: environment.folder.file("other.yaml"), atomically: true, encoding: .utf8)
        let loss = try await binaural("export", "other.yaml", "-o", "other.sbg")
        #expect(loss.exit == .code(0) && loss.errors.contains("its segments are left out"), "\(loss.summary)")
    }

    @Test("the tag of an Ogg file is read as well; an invalid one is ignored with a warning, and a section behind the end is an error")
    func others() async throws {
        try await encode("river.ogg", tag: "s1-2 f0.1 #0 c2 #1 w0 c2", "libvorbis")
        _ = try environment.folder.write("-SE -m river.ogg#1\na: mix/50\n22:00 a\n22:01 a\n", to: "river.sbg")
        #expect(try await binaural("import", "river.sbg", "-o", "river.yaml").exit == .code(0))
        let patch = try String(contentsOfFile: environment.folder.file("river.yaml"), encoding: .utf8)
        #expect(patch.contains("segments: {length: [1, 2], crossfade: 0.1, streams: 2, exchange: false}"), "\(patch)")
        let whole = try await render("river.sbg", "--to", "12")
        let isSameInPart = try await render("river.sbg", "--from", "7.25", "--to", "9") == whole.map { Array($0[348_000..<432_000]) }
        #expect(isSameInPart)

        _ = try environment.folder.write("-SE -m bad.flac\na: mix/50\n22:00 a\n22:01 a\n", to: "bad.sbg")
        try await encode("bad.flac", tag: "s1-2 loud", "flac")
        let check = try await binaural("check", "bad.sbg")
        #expect(check.exit == .code(0), "\(check.summary)")
        #expect(
            check.errorLines.first == "bad.sbg:1:6: warning: the tag `SBAGEN_LOOPER` of the sound file is invalid", "\(check.summary)")

        try await encode("bad.flac", tag: "s1-2 d10", "flac")
        for command in [["check", "bad.sbg"], ["render", "bad.sbg", "-o", "bad.wav"]] {
            let run = try await RunningProgram.run(
                try PackageRoot.program(), command, environment: environment.variables, folder: environment.folder.path)
            #expect(run.exit == .code(65), "\(run.summary)")
            #expect(run.errors.contains("ends at 0:10, before the section that its segments come from"), "\(run.summary)")
        }
    }
}
