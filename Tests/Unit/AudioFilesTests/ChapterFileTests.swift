import Foundation
import TestSupport
import Testing

@testable import AudioFiles

/// Titles of any length and any number of chapters, in files read by other programs.
@Suite("Chapters in sound files, as other programs read them")
struct ChapterFileTests {
    private let folder: TemporaryFolder
    private static let frames = 600

    init() throws { folder = try TemporaryFolder() }

    /// A written file, and its chapters, which start at frames.
    private struct Written {
        let path: String
        let chapters: [SoundFileReading.Chapter]

        var titles: [String] { chapters.map(\.title) }
    }

    /// A text of this many bytes of UTF-8, with characters of one to four bytes.
    private static func title(_ bytes: Int, _ seed: Int) -> String {
        let characters = [["x"], ["é", "ß"], ["深", "い"], ["𝄞", "🎧"]][seed % 4]
        var title = ""
        for index in seed... {
            let next = characters[index % characters.count]
            guard title.utf8.count + next.utf8.count <= bytes else { break }
            title += next
        }
        return title + String(repeating: "y", count: bytes - title.utf8.count)
    }

    private func write(_ name: String, _ encoding: AudioFileWriter.Encoding, titles: [String], frames: Int = frames) throws -> Written {
        var details = FileDetails(title: name)
        details.chapters = titles.enumerated().map { .init(frame: Int64($0 * frames / max(titles.count, 1)), title: $1) }
        let path = folder.file(name)
        let writer = try AudioFileWriter(path: path, sampleRate: 8000, encoding, details)
        let samples = (0..<frames).map { Float(0.25 * sin(Double($0) / 3)) }
        try samples.withUnsafeBufferPointer { try writer.write(left: $0, right: $0) }
        try writer.finish()
        return Written(path: path, chapters: details.chapters.map { .init(Double($0.frame), $0.title) })
    }

    /// Every length of a title from 0 to 40 bytes, alone and behind others; every number of chapters from 0 to 60. In a stress run, each number with
    /// each length of the last title.
    private static var lists: [[String]] {
        func titles(_ count: Int, last: Int) -> [String] {
            (0..<count).map { title($0 == count - 1 ? last : ($0 * 7 + count) % 41, $0 + last + count) }
        }
        if isStress { return (0...60).flatMap { count in (0...(count == 0 ? 0 : 40)).map { titles(count, last: $0) } } }
        return (0...40).map { titles(1, last: $0) } + (0...40).map { titles(2, last: $0) } + (0...60).map { titles($0, last: $0 % 41) }
    }

    private func writeAll(_ encoding: AudioFileWriter.Encoding, frames: Int = frames) throws -> [Written] {
        try Self.lists.enumerated().map { try write("\($0).\(encoding.format.rawValue)", encoding, titles: $1, frames: frames) }
    }

    @Test("WAV of any depth is read by libsndfile, sox, ffmpeg and Python, with every chapter", arguments: SampleFormat.allCases)
    func wave(depth: SampleFormat) async throws {
        let files = try writeAll(.init(.wav, depth))
        let paths = files.map(\.path)
        for path in paths {
            let sound = try SoundFile(path: path)
            #expect(sound.frameCount == Self.frames, "\(path)")
        }
        let information = try await ForeignReaders.sndfileInfo(paths)
        for (file, reading) in zip(files, information) {
            // It prints at most nine.
            #expect(reading.frames == Self.frames, "\(file.titles)")
            #expect(reading.chapters.map(\.title) == Array(file.titles.prefix(9)), "\(file.titles)")
        }
        let sox = try await ForeignReaders.sox(paths)
        #expect(sox.frames == paths.map { _ in Self.frames })
        // sox expects another length of the floating-point format chunk.
        #expect(sox.warnings == (depth == .float32 ? ["WARN wav: wave header missing extended part of fmt chunk"] : []))
        let isNewPython = try await ForeignReaders.pythonVersion() >= 312
        let format = [2, depth == .int16 ? 2 : depth == .int24 ? 3 : 4, 8000, Self.frames]
        for (file, reading) in zip(files, try await ForeignReaders.python(paths)) {
            #expect(reading.chapters == file.chapters, "\(file.titles)")
            #expect(reading.isFilled, "\(file.titles)")
            // 16 bits are plain PCM. The others are written with WAVE_FORMAT_EXTENSIBLE, 65534, which Python's module knows since 3.12, and
            // there of whole numbers alone; the chunks are all that it wants.
            switch reading.wave {
            case .success(let found):
                #expect(isNewPython || depth == .int16)
                #expect(depth != .float32)
                #expect(found == format)
            case .failure(let error):
                #expect(depth != .int16)
                #expect("\(error)".hasPrefix(isNewPython ? "unknown extended format" : "unknown format: 65534"))
                #expect(!isNewPython || depth == .float32)
            }
            #expect(try reading.plain.get() == format)
        }
        // One run for each file: of one depth, and in a stress run of all files.
        for (index, file) in files.enumerated() where isStress || (depth == .int16 && index % 3 == 0) {
            let reading = try await ForeignReaders.ffprobe(file.path)
            #expect(reading.frames == Self.frames, "\(file.titles)")
            #expect(reading.chapters.map(\.title) == file.titles, "\(file.titles)")
            #expect(zip(reading.chapters, file.chapters).allSatisfy { abs($0.start - $1.start / 8000) < 1e-6 }, "\(reading.chapters)")
        }
    }

    /// The silence in the file is a hole.
    @Test("Other programs read RF64 files with titles of any length modulo 4", arguments: SampleFormat.allCases, 13...16)
    func rf64(depth: SampleFormat, length: Int) async throws {
        var details = FileDetails(title: "Big")
        details.chapters = [.init(frame: 0, title: "Begin"), .init(frame: 0xFFFF_FFFF / 8, title: Self.title(length, length))]
        let bytes = depth == .int16 ? 4 : depth == .int24 ? 6 : 8
        let frames = (4 << 30) / bytes + 8000
        let path = folder.file("big.wav")
        let writer = try AudioFileWriter(path: path, sampleRate: 48_000, .init(.wav, depth), details)
        let samples = (0..<600).map { Float(0.25 * sin(Double($0) / 3)) }
        try samples.withUnsafeBufferPointer { try writer.write(left: $0, right: $0) }
        #expect(seek(try #require(writer.handle), Int64(frames - 600), SEEK_SET) == Int64(frames - 600))
        try samples.withUnsafeBufferPointer { try writer.write(left: $0, right: $0) }
        try writer.finish()

        let chapters = details.chapters.map { SoundFileReading.Chapter(Double($0.frame), $0.title) }
        let sound = try SoundFile(path: path)
        #expect(sound.frameCount == Int64(frames))
        var read = [[Float]](repeating: .init(repeating: .nan, count: 600), count: 2)
        try read[0].withUnsafeMutableBufferPointer { left in
            var right = [Float](repeating: .nan, count: 600)
            try right.withUnsafeMutableBufferPointer { right in
                try sound.read(from: Int64(frames - 600), left: left.baseAddress!, right: right.baseAddress!, count: 600)
            }
        }
        #expect(zip(read[0], samples).allSatisfy { abs($0 - $1) < 1e-4 })
        let probe = try await ForeignReaders.ffprobe(path)
        #expect(probe.frames == frames, "\(probe)")
        #expect(probe.chapters.map(\.title) == chapters.map(\.title), "\(probe)")
        let python = try #require(try await ForeignReaders.python([path]).first)
        #expect(python.chapters == chapters)
        #expect(python.isFilled)
        let information = try #require(try await ForeignReaders.sndfileInfo([path]).first)
        #expect(information.frames == frames, "\(information)")
        #expect(information.chapters.map(\.title) == chapters.map(\.title), "\(information)")
        // sox takes minutes to count them.
        if isStress { #expect(try await ForeignReaders.sox([path]).frames == [frames]) }
        // It does not support RF64.
        for reading in [python.wave, python.plain] {
            let failure = #expect(throws: ProgramFailure.self) { try reading.get() }
            #expect(failure?.description == "file does not start with RIFF id")
        }
    }

    @Test("flac and metaflac accept FLAC files, with every chapter", arguments: [SampleFormat.int16, .int24])
    func flac(depth: SampleFormat) async throws {
        let files = try writeAll(.init(.flac, depth))
        for (file, reading) in zip(files, try await ForeignReaders.flac(files.map(\.path))) {
            #expect(reading.frames == Self.frames)
            expect(reading, file)
        }
    }

    @Test("ogginfo and opusinfo accept Ogg Vorbis and Opus files, with every chapter", arguments: [FileFormat.ogg, .opus])
    func ogg(format: FileFormat) async throws {
        let files = try writeAll(.init(format))
        let paths = files.map(\.path)
        let readings = format == .ogg ? try await ForeignReaders.ogginfo(paths) : try await ForeignReaders.opusinfo(paths)
        for (file, reading) in zip(files, readings) { expect(reading, file) }
    }

    /// Vorbis comments count in milliseconds.
    private func expect(_ reading: SoundFileReading, _ file: Written) {
        #expect(reading.chapters.map(\.title) == file.titles)
        #expect(zip(reading.chapters, file.chapters).allSatisfy { abs($0.start - $1.start / 8000) < 6e-4 }, "\(reading.chapters)")
    }
}

/// Uses `sf_seek`: the gap is a hole in the file, which reads as zeros.
@_silgen_name("sf_seek")
private func seek(_ handle: OpaquePointer, _ frame: Int64, _ whence: Int32) -> Int64
