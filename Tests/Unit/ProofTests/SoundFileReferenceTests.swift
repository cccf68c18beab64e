import AudioFiles
import Engine
import Foundation
import Patches
import SBaGen
import TestSupport
import Testing

/// Sound files as the engine plays them, against other programs that decode them.
@Suite("Sound files, against other decoders", .ownThread) struct SoundFileReferenceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let sampleRate = 48_000
    /// Lengths of files in tenths of a second. In Vorbis files of 4 and of 9.1 s, libsndfile seeks to wrong frames.
    private static let tenths = isStress ? Array(1...120) : [1, 7, 40, 91]

    /// Noise that gets loud and soft, for which Vorbis takes blocks of both lengths.
    private static let noise: [[Float]] = {
        var random = SplitMix64(seed: 35)
        return (0..<2).map { _ in
            (0..<12 * sampleRate).map { .random(in: -0.3...0.3, using: &random) * ($0 / 7777 % 3 == 0 ? 1 : 0.1) }
        }
    }()

    /// How a file is played.
    private enum Way: CaseIterable {
        case once, looped, inSegments, withIntro, crossfaded, inSequence, fromTheMiddle, afterSeeks, atAnotherRate
    }

    @Test(
        "A file is heard as another program decodes it: once, looped, in segments with and without an intro, in a sequence, from any position, after live seeks and at another sample rate (every length in steps of 0.1 s up to 12 s in a stress run)",
        arguments: [
            ("binaural", "ogg"), ("oggenc", "ogg"), ("ffmpeg", "ogg"), ("binaural", "opus"), ("opusenc", "opus"), ("ffmpeg", "opus"),
            ("binaural", "mp3"), ("ffmpeg", "mp3"), ("binaural", "flac"), ("flac", "flac"), ("ffmpeg", "flac"), ("sox", "aiff"),
            ("ffmpeg", "aiff"),
        ])
    func table(encoder: String, format: String) async throws {
        var worst: Float = 0
        for tenths in Self.tenths {
            let frames = tenths * Self.sampleRate / 10
            let path = try await encode(frames: frames, encoder, format)
            let reference = try await decode(path)
            #expect(try SoundFile(path: path).frameCount == Int64(frames), "\(tenths) tenths of a second")
            #expect(try SoundFile(path: reference).frameCount == Int64(frames), "\(tenths) tenths of a second")
            for way in Way.allCases {
                let (heard, decoded) = (try play(path, way, frames), try play(reference, way, frames))
                let (frame, difference) = Self.difference(heard, decoded)
                // Half a step of the 16 bits of oggdec, and rounding; a frame in another place is off by a hundred times as much.
                #expect(difference < 1e-4, "\(tenths) tenths of a second, \(way), frame \(frame)")
                #expect(heard[0].contains { abs($0) > 0.1 }, "\(tenths) tenths of a second, \(way)")
                worst = max(worst, difference)
            }
        }
        print("figure: \(format) by \(encoder) as it is heard, against another decoder: differences of at most \(worst)")
    }

    // MARK: Files

    private func encode(frames: Int, _ encoder: String, _ format: String) async throws -> String {
        let (path, source) = (folder.file("encoded.\(format)"), folder.file("source.wav"))
        let channels = Self.noise.map { Array($0[..<frames]) }
        try WaveBytes.file(channels, sampleRate: Self.sampleRate, .int16).write(to: URL(filePath: source))
        switch encoder {
        case "binaural":
            let writer = try AudioFileWriter(path: path, sampleRate: Self.sampleRate, .init(#require(FileFormat(fileExtension: format))))
            try channels[0].withUnsafeBufferPointer { left in
                try channels[1].withUnsafeBufferPointer { right in try writer.write(left: left, right: right) }
            }
            try writer.finish()
        case "oggenc": try await run("oggenc", "vorbis-tools", "--quiet", "--output", path, source)
        case "opusenc": try await run("opusenc", "opus-tools", "--quiet", source, path)
        case "flac": try await run("flac", "flac", "--silent", "--force", "--output-name", path, source)
        case "sox": try await run("sox", "sox", source, path)
        case _ where format == "ogg": try await run("ffmpeg", "ffmpeg", "-v", "error", "-y", "-i", source, "-codec:a", "libvorbis", path)
        default: try await run("ffmpeg", "ffmpeg", "-v", "error", "-y", "-i", source, path)
        }
        return path
    }

    /// Decodes a file from its start to its end.
    ///
    /// - Returns: A WAV file, of which any frame can be read alone.
    private func decode(_ path: String) async throws -> String {
        let reference = folder.file("reference.wav")
        switch URL(filePath: path).pathExtension {
        // ffmpeg loses or adds frames if a Vorbis file has one page only.
        case "ogg": try await run("oggdec", "vorbis-tools", "--quiet", "--output", reference, path)
        // ffmpeg has a decoder of its own, with samples of its own.
        case "opus": try await run("opusdec", "opus-tools", "--quiet", "--float", "--rate", "\(Self.sampleRate)", path, reference)
        default: try await run("ffmpeg", "ffmpeg", "-v", "error", "-y", "-i", path, "-codec:a", "pcm_f32le", reference)
        }
        return reference
    }

    private func run(_ program: String, _ package: String, _ arguments: String...) async throws {
        let run = try await RunningProgram.run(requireTool(program, package: package), arguments)
        guard run.exit == .code(0) else { throw ProgramFailure("\(program), so that nothing is shown of its files: \(run.errors)") }
    }

    // MARK: Playing

    /// The samples of both ears, from a file of `frames` frames.
    private func play(_ path: String, _ way: Way, _ frames: Int) throws -> [[Float]] {
        let rate = way == .atAnotherRate ? 44_100 : Self.sampleRate
        let plan = PlanCompiler.compile(try patch(path, way), sampleRate: Double(rate))
        switch way {
        case .afterSeeks:
            return playLive(plan, at: [0, 0.9, 0.3, 0.5, 0.97, 0.05, 0.99].map { Int64($0 * Double(frames)) })
        case .fromTheMiddle:
            let parts = [0.37, 0.9, 0.99, 1.3].map { render(plan, from: Int64($0 * Double(frames)), count: 20_000) }
            return (0..<2).map { channel in parts.flatMap { $0[channel] } }
        default: return render(plan, from: 0, count: (frames * 5 / 4 + Self.sampleRate / 4) * rate / Self.sampleRate)
        }
    }

    private func patch(_ path: String, _ way: Way) throws -> Patch {
        if way == .inSequence {
            let text = "-SE -m \(path)\na: mix/100\n0:00 a\n0:01 a\n"
            return try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg").patch()
        }
        var layer = Layer(name: "one", kind: .file, values: [.gain: 0], seed: 3)
        layer.path = path
        layer.loops = way != .once
        switch way {
        case .inSegments: layer.segments = SoundSegments(lengths: 0.3...1.1, crossfade: 0.1)
        case .withIntro: layer.segments = SoundSegments(lengths: 0.3...1.1, crossfade: 0.1, start: 0.05, playsIntro: true)
        case .crossfaded: layer.segments = SoundSegments(crossfade: 0.02)
        default: break
        }
        return Patch(layers: [layer])
    }

    private func render(_ plan: Plan, from frame: Int64, count: Int) -> [[Float]] {
        let renderer = OfflineRenderer(plan, from: frame, ceiling: 0, sounds: SoundFileReader.open)
        var (left, right) = ([Float](repeating: .nan, count: count), [Float](repeating: .nan, count: count))
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
        }
        #expect(renderer.takeSoundNotices().isEmpty)
        return [left, right]
    }

    /// Seeks to one position after the other, each of which is heard for a quarter of a second.
    private func playLive(_ plan: Plan, at positions: [Int64]) -> [[Float]] {
        let (cycle, cycles) = (256, 47)
        let engine = EngineControl(sampleRate: plan.sampleRate, ceiling: 0, sounds: SoundFileReader.open)
        var heard = [[Float]](repeating: [], count: 2)
        var (left, right) = ([Float](repeating: .nan, count: cycle), [Float](repeating: .nan, count: cycle))
        for position in positions {
            engine.start(plan, at: PlanFrame(position))
            for _ in 0..<cycles {
                engine.handle.waitForSounds(frames: cycle)
                flushingDenormals {
                    engine.handle.render(left: &left, right: &right, frames: cycle, hostTime: 0)
                }
                _ = engine.poll()
                heard[0] += left
                heard[1] += right
            }
        }
        #expect(engine.takeSoundNotices().isEmpty)
        return heard
    }

    /// The frame with the largest difference in one of the ears, and that difference; infinity where one is not a number.
    private static func difference(_ one: [[Float]], _ other: [[Float]]) -> (frame: Int, Float) {
        var worst: (frame: Int, difference: Float) = (0, 0)
        for (one, other) in zip(one, other) where one != other {
            guard one.count == other.count else { return (min(one.count, other.count), .infinity) }
            for frame in one.indices {
                let difference = abs(one[frame] - other[frame])
                if !(difference <= worst.difference) { worst = (frame, difference.isNaN ? .infinity : difference) }
            }
        }
        return worst
    }
}
