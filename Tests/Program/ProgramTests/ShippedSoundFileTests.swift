import Foundation
import PatchFiles
import Patches
import ProgramSupport
import TestSupport
import Testing

/// Patches and sessions of this repository in every format: all of them in `make stress`.
@Suite("The shipped patches as sound files, read by other programs")
struct ShippedSoundFileTests {
    struct Format: Sendable, CustomTestStringConvertible {
        let ending: String
        var depth: String?

        var testDescription: String { ending + (depth ?? "") }
    }

    private static let formats = [
        Format(ending: "wav", depth: "16"), Format(ending: "wav", depth: "24"), Format(ending: "wav", depth: "32f"),
        Format(ending: "flac", depth: "16"), Format(ending: "flac", depth: "24"), Format(ending: "ogg"), Format(ending: "opus"),
        Format(ending: "mp3"),
    ]
    /// A sample rate that all formats support and that is fast.
    private static let sampleRate = 8000.0

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: PackageRoot.file(folder)).filter { $0.hasSuffix(".yaml") }.sorted()
            .map { PackageRoot.file("\(folder)/\($0)") }
    }

    /// The chapters that a patch has up to that time, in its first round and in those that follow.
    private func chapters(of path: String, until seconds: Double) throws -> [SoundFileReading.Chapter] {
        let patch = try Patch.parse(bytes: Array(Data(contentsOf: URL(filePath: path))), file: path)
        let rounds = patch.loops ? Array(stride(from: 0, to: seconds, by: patch.duration ?? seconds)) : [0]
        let titled = rounds.flatMap { round in patch.chapters.filter { !$0.title.isEmpty }.map { ($0.start + round, $0.title) } }
        return titled.filter { $0.0 < min(seconds, patch.loops ? seconds : patch.duration ?? seconds) }.map { .init($0.0, $0.1) }
    }

    @Test("each of them is valid for every program that knows the format, and has its chapters", arguments: formats)
    func shipped(format: Format) async throws {
        let environment = try IsolatedEnvironment()
        defer { keepAlive(environment) }
        let seconds = isStress ? 3600.0 : 30
        let options =
            ["--format", format.ending, "--sample-rate", "8000", "--to", "\(Int(seconds))", "--jobs", "2"]
            + (format.depth.map { ["--depth", $0] } ?? [])
        func render(_ items: [String], to output: String) async throws -> [String] {
            let run = try await RunningProgram.run(
                try PackageRoot.program(), ["render"] + items + ["-o", output] + options, environment: environment.variables,
                folder: environment.folder.path, worksLong: true)
            guard run.exit == .code(0) else { throw ProgramFailure(run.summary) }
            return run.outputLines.map { environment.folder.file(String($0.prefix { $0 != ":" })) }
        }
        // In the gate every tenth patch and one session: what differs between them are the chapters, which ChapterFileTests vary.
        let patches = try names("patches").enumerated().filter { isStress || $0.offset % 10 == 0 }.map(\.element)
        let files = try await render(patches, to: "patches/")
        #expect(files.count == patches.count)
        let readings = try await readings(files, format)
        for (patch, reading) in zip(patches, readings) {
            let expected = try chapters(of: patch, until: seconds)
            #expect(reading.chapters.map(\.title) == expected.map(\.title), "\(patch)")
            #expect(zip(reading.chapters, expected).allSatisfy { abs($0.start - $1.start) < 1e-3 }, "\(patch) \(reading.chapters)")
        }
        for session in try names("sessions").prefix(isStress ? .max : 1) {
            let items = try await render([session], to: "\(URL(filePath: session).lastPathComponent)/")
            let all = try await render([session], to: "all.\(format.ending)")
            let parts = try await self.readings(items, format)
            let whole = try #require(try await self.readings(all, format).first)
            // In one file the items are the chapters, each where the one before it ends.
            #expect(whole.chapters.count == items.count)
            // The other programs do not report an exact length.
            guard ["wav", "flac"].contains(format.ending) else { continue }
            var start = 0.0
            for (chapter, part) in zip(whole.chapters, parts) {
                #expect(abs(chapter.start - start) < 1e-3, "\(session) \(whole.chapters)")
                start += Double(part.frames ?? 0) / Self.sampleRate
            }
        }
    }

    /// The chapters as read by all programs, which must agree; starts in seconds.
    private func readings(_ paths: [String], _ format: Format) async throws -> [SoundFileReading] {
        var readings: [SoundFileReading] = []
        for path in paths { readings.append(try await ForeignReaders.ffprobe(path)) }
        func expectAlike(_ others: [SoundFileReading]) {
            for (one, other) in zip(readings, others) {
                #expect(one.chapters.map(\.title) == other.chapters.map(\.title))
                #expect(zip(one.chapters, other.chapters).allSatisfy { abs($0.start - $1.start) < 6e-4 })
            }
        }
        switch format.ending {
        case "wav":
            let information = try await ForeignReaders.sndfileInfo(paths)
            for (one, other) in zip(readings, information) { #expect(one.chapters.prefix(9).map(\.title) == other.chapters.map(\.title)) }
            #expect(information.map(\.frames) == readings.map(\.frames))
            #expect(try await ForeignReaders.sox(paths).frames == readings.map { $0.frames ?? -1 })
            let python = try await ForeignReaders.python(paths)
            expectAlike(
                python.map { .init(frames: nil, chapters: $0.chapters.map { .init($0.start / Self.sampleRate, $0.title) }) })
            for (reading, frames) in zip(python, readings.map(\.frames)) {
                #expect(try reading.plain.get().last == frames)
                #expect(reading.isFilled)
            }
        case "flac":
            let flac = try await ForeignReaders.flac(paths)
            expectAlike(flac)
            #expect(flac.map(\.frames) == readings.map(\.frames))
        case "ogg": expectAlike(try await ForeignReaders.ogginfo(paths))
        case "opus": expectAlike(try await ForeignReaders.opusinfo(paths))
        // Only ffprobe reads the chapters of an ID3 tag.
        default: break
        }
        // The program's own reader: a layer can play each of them.
        let layers = paths.enumerated().map { "  - {name: f\($0), file: {path: \"\($1)\"}}\n" }.joined()
        let patch = try TemporaryFolder()
        let check = try await binaural("check", try patch.write("layers:\n\(layers)", to: "all.yaml"))
        // The expected warning: so many layers together are loud.
        #expect(check.exit == .code(0), "\(check.summary)")
        return readings
    }
}
