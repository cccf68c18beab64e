import Engine
import Foundation
import Patches
import TestSupport
import Testing

@testable import AudioFiles

/// Sound files as layers play them.
@Suite("Sound files")
struct SoundFileTests {
    private let folder: TemporaryFolder
    /// Frames of a chunk.
    private static let chunk = 8192

    init() throws { folder = try TemporaryFolder() }

    /// A sine in each ear, of different frequencies.
    private static func tones(_ count: Int, sampleRate: Int = 48_000) -> [[Float]] {
        [441.3, 1000.7].map { frequency in
            (0..<count).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / Double(sampleRate))) }
        }
    }

    /// Noise in each ear, which no decoder predicts.
    private static func noise(_ count: Int) -> [[Float]] {
        var state: UInt64 = 1
        return (0..<2).map { _ in
            (0..<count).map { _ -> Float in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return 0.3 * Float(Int32(truncatingIfNeeded: state >> 32)) / Float(Int32.max)
            }
        }
    }

    private func write(_ data: Data, _ name: String = "a.wav") throws -> String {
        try data.write(to: URL(filePath: folder.file(name)))
        return folder.file(name)
    }

    private func write(_ channels: [[Float]], _ name: String, _ encoding: AudioFileWriter.Encoding, sampleRate: Int = 48_000) throws
        -> String
    {
        let writer = try AudioFileWriter(path: folder.file(name), sampleRate: sampleRate, encoding)
        for start in stride(from: 0, to: channels[0].count, by: 4096) {
            let end = min(start + 4096, channels[0].count)
            try channels[0][start..<end].withUnsafeBufferPointer { left in
                try channels[1][start..<end].withUnsafeBufferPointer { right in try writer.write(left: left, right: right) }
            }
        }
        try writer.finish()
        return folder.file(name)
    }

    private func reader(_ path: String, loops: Bool = true, at rate: Double = 48_000) throws -> SoundFileReader {
        try SoundFileReader(SoundName(path: path, loops: loops), sampleRate: rate)
    }

    private struct Stretch: Equatable {
        var left: [Float]
        var right: [Float]
    }

    private func read(_ reader: SoundFileReader, chunk number: Int) throws -> Stretch {
        var stretch = Stretch(left: .init(repeating: .nan, count: Self.chunk), right: .init(repeating: .nan, count: Self.chunk))
        try stretch.left.withUnsafeMutableBufferPointer { left in
            try stretch.right.withUnsafeMutableBufferPointer { right in
                try reader.read(
                    from: Int64(number * Self.chunk), left: left.baseAddress!, right: right.baseAddress!, count: Self.chunk)
            }
        }
        return stretch
    }

    private func read(_ reader: SoundFileReader, chunks: Range<Int>) throws -> Stretch {
        try chunks.reduce(into: Stretch(left: [], right: [])) { whole, number in
            let part = try read(reader, chunk: number)
            whole.left += part.left
            whole.right += part.right
        }
    }

    // MARK: Sound

    @Test("Lossless formats are heard with their samples unchanged", arguments: ["a.wav", "a.flac"])
    func lossless(name: String) throws {
        let tones = Self.tones(100_000)
        let path = try write(tones, name, .init(FileFormat(fileExtension: String(name.split(separator: ".")[1]))!, .int24))
        let heard = try read(reader(path, loops: false), chunks: 0..<13)
        for frame in 0..<99_000 {
            #expect(abs(heard.left[frame] - tones[0][frame]) < 3e-7)
            #expect(abs(heard.right[frame] - tones[1][frame]) < 3e-7)
        }
        #expect(heard.left[100_000...].allSatisfy { $0 == 0 })
    }

    @Test(
        "A chunk has the same bits regardless of what was read before it, in every format and also at another sample rate",
        arguments: ["a.wav", "a.flac", "a.ogg", "a.opus", "a.mp3"], [48_000.0, 44_100, 96_000])
    func pure(name: String, rate: Double) async throws {
        let noise = Self.noise(200_000)
        let path: String
        if name.hasSuffix("mp3") {
            path = try await encodeMP3(noise)
        } else {
            let format = try #require(FileFormat(fileExtension: String(name.split(separator: ".")[1])))
            path = try write(noise, name, .init(format, .int16))
        }
        let count = Int(200_000 * rate / 48_000) / Self.chunk
        let inOrder = try reader(path, at: rate)
        let chunks = try (0..<count).map { try read(inOrder, chunk: $0) }
        let other = try reader(path, at: rate)
        for number in [count - 1, 0, 3, 2, count / 2, count - 2, 1, 3] {
            #expect(try read(other, chunk: number) == chunks[number], "chunk \(number)")
            let alone = try reader(path, at: rate)
            #expect(try read(alone, chunk: number) == chunks[number], "chunk \(number) first")
        }
    }

    @Test(
        "Ogg Vorbis is heard as the whole file decodes, in order, around the loop and after jumps, whatever its length and encoder",
        arguments: ["binaural", "oggenc", "ffmpeg"])
    func vorbis(encoder: String) async throws {
        // Noise that gets loud and soft, for which Vorbis takes blocks of both lengths.
        let bursts = Self.noise(576_000).map { $0.enumerated().map { $1 * ($0 / 7777 % 3 == 0 ? 1 : 0.1) } }
        for tenths in stride(from: 1, through: 120, by: encoder == "binaural" ? 5 : 17) {
            let path = try await encodeVorbis(bursts.map { Array($0[..<(4800 * tenths)]) }, encoder)
            let file = try SoundFile(path: path)
            let count = Int(file.frameCount)
            var (left, right) = ([Float](repeating: .nan, count: count), [Float](repeating: .nan, count: count))
            try file.read(from: 0, left: &left, right: &right, count: count)
            // Its frames over and over, for as long as the chunks that begin in them.
            let times = 1 + (count + Self.chunk) / count
            let looped = [left, right].map { channel in (0..<times).flatMap { _ in channel } }
            let reader = try reader(path)
            let inOrder = Array(0...count * 3 / 2 / Self.chunk)
            // Back to the start, and forward by 0.3 to 3 seconds again and again.
            let jumps = [2, 5, 9, 13, 18].flatMap { step in stride(from: 0, to: count / Self.chunk, by: step) }
            for number in inOrder + jumps {
                let heard = try read(reader, chunk: number)
                let frames = number * Self.chunk % count..<number * Self.chunk % count + Self.chunk
                let isSame = heard.left == Array(looped[0][frames]) && heard.right == Array(looped[1][frames])
                #expect(isSame, "\(tenths) tenths of a second, chunk \(number)")
            }
        }
    }

    /// An Ogg Vorbis file by the program, oggenc or ffmpeg.
    private func encodeVorbis(_ channels: [[Float]], _ encoder: String) async throws -> String {
        if encoder == "binaural" { return try write(channels, "a.ogg", .init(.ogg)) }
        let source = try write(WaveBytes.file(channels, sampleRate: 48_000), "source.wav")
        let path = folder.file("a.ogg")
        let run =
            if encoder == "oggenc" {
                try await RunningProgram.run("oggenc", ["--quiet", "--output", path, source])
            } else {
                try await RunningProgram.run("ffmpeg", ["-loglevel", "error", "-y", "-i", source, "-codec:a", "libvorbis", path])
            }
        guard run.exit == .code(0) else {
            throw ProgramFailure("\(encoder) writes no Ogg Vorbis here, so that nothing is shown of it: \(run.errors)")
        }
        return path
    }

    /// ffmpeg's MP3, since nothing here writes it.
    ///
    /// - Throws: where ffmpeg cannot write one, or libsndfile, from 1.1 on with mpg123, cannot read it.
    private func encodeMP3(_ channels: [[Float]]) async throws -> String {
        let source = try write(WaveBytes.file(channels, sampleRate: 48_000), "source.wav")
        let path = folder.file("a.mp3")
        let run = try await RunningProgram.run("ffmpeg", ["-loglevel", "error", "-y", "-i", source, "-b:a", "192k", path])
        guard run.exit == .code(0) else { throw ProgramFailure("ffmpeg writes no MP3 here, so that nothing is shown of it: \(run.errors)") }
        do { _ = try SoundFile(path: path) } catch {
            throw ProgramFailure("libsndfile reads no MP3 here, so that nothing is shown of it; Debian 12's does: \(error)")
        }
        return path
    }

    @Test(
        "Lossy formats are close to the original, without a jump where decoding restarts", arguments: ["a.ogg", "a.opus", "a.mp3"])
    func lossy(name: String) async throws {
        let tones = Self.tones(200_000)
        let path: String
        if name.hasSuffix("mp3") {
            path = try await encodeMP3(tones)
        } else {
            path = try write(
                tones, name, .init(try #require(FileFormat(fileExtension: String(name.split(separator: ".")[1]))), quality: 0.9))
        }
        let heard = try read(reader(path, loops: false), chunks: 0..<23)
        let worst = (5000..<180_000).map { abs(heard.left[$0] - tones[0][$0]) }.max()!
        #expect(worst < 0.03, "\(worst)")
        // The error changes no faster where decoding restarts, every 32768 frames, than anywhere else.
        let lost = zip(heard.left, tones[0]).map { $0 - $1 }
        var (atSeams, elsewhere): (Float, Float) = (0, 0)
        for frame in 5000..<180_000 {
            let step = abs(lost[frame] - lost[frame - 1])
            if frame % 32_768 < 2 { atSeams = max(atSeams, step) } else { elsewhere = max(elsewhere, step) }
        }
        #expect(atSeams < elsewhere, "\(atSeams), \(elsewhere)")
    }

    @Test("A file loops without a gap, even if it is shorter than a chunk", arguments: [1, 7, 5000, 8192, 100_000])
    func loop(frames: Int) throws {
        let tones = Self.tones(frames)
        let path = try write(WaveBytes.file(tones, sampleRate: 48_000))
        let count = 2 * frames / Self.chunk + 3
        let heard = try read(reader(path), chunks: 0..<count)
        #expect(heard.left == (0..<count * Self.chunk).map { tones[0][$0 % frames] })
        #expect(heard.right == (0..<count * Self.chunk).map { tones[1][$0 % frames] })
    }

    @Test(
        "A whole number of periods loops without a seam, also at another sample rate",
        arguments: [44_100, 22_050, 96_000, 8000, 47_999])
    func loopAtAnotherRate(rate: Int) throws {
        // Five seconds of 400 Hz.
        let tone = (0..<5 * rate).map { Float(0.5 * sin(2 * .pi * 400 * Double($0) / Double(rate))) }
        let path = try write(WaveBytes.file([tone, tone], sampleRate: rate))
        let heard = try read(reader(path), chunks: 0..<71)
        for channel in [heard.left, heard.right] {
            let measured = try #require(measureSine(channel[20_000..<560_000].map(Double.init)[...], sampleRate: 48_000))
            #expect(abs(measured.frequency - 400) < 1e-6, "\(measured)")
            #expect(abs(measured.amplitude - 0.5) < 1e-3, "\(measured)")
            // The residual without the sine: seams of chunks and of the loop, and the converter's own errors.
            #expect(measured.residualInDecibels < -100, "\(measured)")
        }
    }

    @Test("A mono file is heard in both ears, and of eight channels the first two are heard, also at 192 kHz")
    func channels() throws {
        let tones = Self.tones(20_000)
        let mono = try read(reader(write(WaveBytes.file([tones[0]], sampleRate: 48_000))), chunk: 0)
        #expect(mono.left == Array(tones[0][..<Self.chunk]))
        #expect(mono.right == mono.left)
        let eight = Self.tones(200_000, sampleRate: 192_000) + (2..<8).map { _ in [Float](repeating: 1, count: 200_000) }
        let path = try write(WaveBytes.file(eight, sampleRate: 192_000), "eight.wav")
        let heard = try read(reader(path), chunks: 0..<5)
        let left = try #require(measureSine(heard.left[4000...].map(Double.init)[...], sampleRate: 48_000))
        let right = try #require(measureSine(heard.right[4000...].map(Double.init)[...], sampleRate: 48_000))
        #expect(abs(left.frequency - 441.3) < 1e-3)
        #expect(abs(right.frequency - 1000.7) < 1e-3)
    }

    @Test("A file that ends in the middle of a wave fades out, unless it loops")
    func ending() throws {
        let steady = [Float](repeating: 1, count: 20_000)
        let heard = try read(reader(write(WaveBytes.file([steady], sampleRate: 48_000)), loops: false), chunks: 0..<3)
        #expect(heard.left[19_040] == 1)
        #expect(heard.left[19_999] < 1e-6)
        #expect(heard.left[20_000...].allSatisfy { $0 == 0 })
        #expect(zip(heard.left, heard.left.dropFirst()).allSatisfy { abs($0 - $1) < 0.003 })
    }

    // MARK: Bad input

    @Test("NaN samples never leave the reader", arguments: [48_000.0, 44_100])
    func notNumbers(rate: Double) throws {
        var tone = Self.tones(40_000)[0]
        for (index, value) in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude].enumerated() {
            for repetition in 0..<100 { tone[1000 * index + 3 * repetition] = value }
        }
        let heard = try read(reader(write(WaveBytes.file([tone], sampleRate: 48_000)), at: rate), chunks: 0..<4)
        #expect(heard.left.allSatisfy { $0.isFinite })
        #expect(heard.right.allSatisfy { $0.isFinite })
    }

    @Test("A file that is not a sound file is an error with its name and the reason")
    func refused() throws {
        func error(_ path: String) -> SoundFileError? {
            do {
                _ = try SoundFile(path: path)
                return nil
            } catch { return error }
        }
        let gone = folder.file("gone.wav")
        #expect(error(gone) == .notThere(path: gone))
        #expect(error(folder.path) == .notAFile(path: folder.path, reason: "it is a folder, not a file"))
        let pipe = folder.file("pipe.wav")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(error(pipe) == .notAFile(path: pipe, reason: "it is a named pipe, not a file"))
        for (name, bytes) in [("empty.wav", Data()), ("text.wav", Data("title: no sound\n".utf8)), ("half.wav", Data("RIFF".utf8))] {
            guard case .notSound(_, let reason) = error(try write(bytes, name)) else {
                Issue.record("\(name): \(String(describing: error(folder.file(name))))")
                continue
            }
            #expect(!reason.isEmpty)
        }
        let silent = try write(WaveBytes.file([[]], sampleRate: 48_000), "none.wav")
        #expect(error(silent) == .noFrames(path: silent))
        let fast = try write(WaveBytes.file([[0, 0, 0]], sampleRate: 20_000_000), "fast.wav")
        #expect(throws: SoundFileError.sampleRate(path: fast, 20_000_000)) { try reader(fast) }
    }

    @Test(
        "A file whose header claims more frames than any recording has is refused, and one just below that opens at any rate",
        arguments: ["ogg", "opus"])
    func impossiblyLong(name: String) throws {
        let format = try #require(FileFormat(fileExtension: name))
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: write(Self.tones(500_000), "true.\(name)", .init(format)))))
        for frames in [Int64.max, Int64.max - 1, 1 << 62, 1 << 61, 1 << 53, 1 << 48, 1 << 41] {
            let path = try write(Data(OggPages.claiming(frames, in: bytes)), "long.\(name)")
            for rate in [8000.0, 44_100, 48_000, 96_000, 192_000] {
                #expect {
                    try SoundFileReader(SoundName(path: path, loops: true, segments: SoundSegments()), sampleRate: rate)
                } throws: { error in
                    guard case .tooLong(path, _)? = error as? SoundFileError else { return false }
                    return true
                }
            }
        }
        let path = try write(Data(OggPages.claiming(1 << 40, in: bytes)), "long.\(name)")
        for rate in [8000.0, 44_100, 48_000, 192_000] {
            let reader = try reader(path, at: rate)
            #expect(Double(reader.frameCount) > 0.99 * 0x1p40 * rate / 48_000)
            // Both are answered, with samples or an error.
            for chunk in [0, Int(reader.frameCount / Int64(Self.chunk)) - 1] {
                #expect(throws: Never.self) { do { _ = try read(reader, chunk: chunk) } catch is SoundFailure {} }
            }
        }
    }

    /// Pages of an Ogg stream, as in RFC 3533.
    private enum OggPages {
        /// The stream with another position in its last page, which gives its length.
        static func claiming(_ frames: Int64, in bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            var (start, next) = (0, 0)
            while next < bytes.count {
                start = next
                let segments = Int(bytes[start + 26])
                next += 27 + segments + bytes[start + 27..<start + 27 + segments].reduce(0) { $0 + Int($1) }
            }
            for index in 0..<8 { bytes[start + 6 + index] = UInt8(truncatingIfNeeded: frames >> (8 * index)) }
            for index in 22..<26 { bytes[start + index] = 0 }
            let sum = checksum(bytes[start...])
            for index in 0..<4 { bytes[start + 22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
            return bytes
        }

        private static func checksum(_ page: ArraySlice<UInt8>) -> UInt32 {
            page.reduce(0) { sum, byte in
                (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31) * 0x04C1_1DB7 }
            }
        }
    }

    @Test("A truncated file is heard up to its end")
    func cutShort() throws {
        let tone = Self.tones(30_000)[0]
        let path = try write(WaveBytes.file([tone], sampleRate: 48_000, claimed: 1_000_000))
        let heard = try read(reader(path, loops: false), chunks: 0..<4)
        #expect(Array(heard.left[..<29_000]) == Array(tone[..<29_000]))
        #expect(heard.left[30_000...].allSatisfy { $0 == 0 })
    }

    @Test("A file that is removed or replaced while it plays continues to play; a truncated one ends with an error")
    func changed() throws {
        let tones = Self.tones(400_000)
        let path = try write(WaveBytes.file(tones, sampleRate: 48_000))
        let removed = try reader(path)
        _ = try read(removed, chunk: 0)
        try FileManager.default.removeItem(atPath: path)
        _ = try write(WaveBytes.file([[Float](repeating: 0, count: 100)], sampleRate: 8000))
        #expect(try read(removed, chunk: 30).left == Array(tones[0][30 * Self.chunk..<31 * Self.chunk]))

        let other = try write(WaveBytes.file(tones, sampleRate: 48_000), "b.wav")
        let cut = try reader(other)
        _ = try read(cut, chunk: 0)
        #expect(truncate(other, 100_000) == 0)
        #expect(throws: SoundFailure.self) { try read(cut, chunk: 30) }
    }
}
