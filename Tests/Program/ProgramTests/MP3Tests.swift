import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("MP3")
struct MP3Tests {
    let environment: IsolatedEnvironment

    init() throws {
        environment = try IsolatedEnvironment()
        _ = try environment.folder.write(
            """
            title: Évening 深
            artist: Somebody
            composer: Nobody
            comment: To fall asleep.
            duration: 30
            layers: [{name: bed, binaural: {carrier: 200, beat: 10}, gain: -20}]
            chapters: [{at: 0, title: Settle}, {at: 10, title: Drøp}]
            """, to: "evening.yaml")
        _ = try environment.folder.write("format: 1\ntitle: Night\nqueue: [{patch: ../evening.yaml}]\n", to: "sessions/night.yaml")
    }

    private func render(_ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            try PackageRoot.program(), ["render"] + arguments, environment: environment.variables, folder: environment.folder.path)
    }

    private func tool(_ name: String, _ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            name, arguments, environment: ProcessInfo.processInfo.environment, folder: environment.folder.path)
    }

    @Test("an MP3 file has its title, album, track, chapters and picture in any script, as ffmpeg reads them, and its length")
    func details() async throws {
        let run = try await render("night", "-o", "album/", "--format", "mp3", "--quality", "0.8")
        guard run.exit == .code(0) else {
            // libsndfile before 1.1, or built without LAME.
            #expect(run.exit == .code(73), "\(run.summary)")
            #expect(run.errors.contains("cannot write MP3, which needs version 1.1 or later"), "\(run.summary)")
            return
        }
        let file = "album/01 Évening 深.mp3"
        #expect(run.output == "\(file): 0:30, 48000 Hz, MP3", "\(run.summary)")
        let tags = try await tool(
            "ffprobe", "-v", "error", "-show_entries", "format_tags=title,artist,composer,comment,album,track", "-of", "default=nw=1", file)
        #expect(
            Set(tags.outputLines) == [
                "TAG:title=Évening 深", "TAG:artist=Somebody", "TAG:composer=Nobody", "TAG:comment=To fall asleep.", "TAG:album=Night",
                "TAG:track=1/1",
            ], "\(tags.summary)")
        #expect(tags.errors.isEmpty, "\(tags.summary)")
        let chapters = try await tool(
            "ffprobe", "-v", "error", "-show_entries", "chapter=start_time,end_time:chapter_tags=title", "-of", "csv=p=0", file)
        #expect(chapters.outputLines == ["0.000000,10.000000,Settle", "10.000000,30.000000,Drøp"], "\(chapters.summary)")
        let streams = try await tool("ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width", "-of", "csv=p=0", file)
        #expect(Set(streams.outputLines.map { $0.trimmingCharacters(in: [","]) }) == ["mp3", "png,900"], "\(streams.summary)")
        // Decoded without a complaint, in its own length.
        let decoded = try await tool("ffmpeg", "-v", "warning", "-i", file, "-map", "0:a", "-y", "decoded.wav")
        #expect(decoded.exit == .code(0), "\(decoded.summary)")
        #expect(decoded.errors.isEmpty, "\(decoded.summary)")
        let length = try await tool("soxi", "-s", "decoded.wav")
        #expect(length.output == "1440000", "\(length.summary)")
    }

    @Test("chapters with long titles in any script are read by ffmpeg")
    func longTitles() async throws {
        let long = String(repeating: "é深", count: 70)
        let titles = ["Settle", long, String(repeating: "long ", count: 60) + "end"]
        let chapters = titles.enumerated().map { "{at: \($0 * 5), title: \($1)}" }.joined(separator: ", ")
        _ = try environment.folder.write(
            "duration: 20\nlayers: [{name: bed, binaural: {carrier: 200, beat: 10}, gain: -20}]\nchapters: [\(chapters)]\n", to: "long.yaml"
        )
        let run = try await render("long.yaml", "-o", "long.mp3")
        guard run.exit == .code(0) else {
            #expect(run.exit == .code(73), "\(run.summary)")
            #expect(run.errors.contains("cannot write MP3"), "\(run.summary)")
            return
        }
        let read = try await tool("ffprobe", "-v", "error", "-show_entries", "chapter_tags=title", "-of", "csv=p=0", "long.mp3")
        #expect(read.outputLines == titles, "\(read.summary)")
    }

    @Test("a sample rate that MP3 does not have is an error that lists those that it has")
    func sampleRate() async throws {
        let odd = try await render("evening.yaml", "-o", "b.mp3", "--sample-rate", "96000")
        #expect(odd.exit == .code(64), "\(odd.summary)")
        #expect(odd.errors.contains("MP3 needs a sample rate of 8000,"), "\(odd.summary)")
        #expect(!FileManager.default.fileExists(atPath: environment.folder.file("b.mp3")))
    }
}
