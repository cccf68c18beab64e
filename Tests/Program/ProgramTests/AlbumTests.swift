import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("render, an album")
struct AlbumTests {
    let environment: IsolatedEnvironment

    init() throws {
        environment = try IsolatedEnvironment()
        _ = try environment.folder.write(
            """
            title: Évening 深
            artist: Somebody
            duration: 5
            layers: [{name: bed, binaural: {carrier: 200, beat: 10}, gain: -20}]
            chapters: [{at: 0, title: Settle}, {at: 2, title: Drop, over: 1, set: {bed.beat: 4}}]
            """, to: "evening.yaml")
        _ = try environment.folder.write("title: Tone\nalbum: Tones\nduration: 4\nlayers: [{tone: {carrier: 300}}]\n", to: "tone.yaml")
        _ = try environment.folder.write(
            "format: 1\ntitle: Night\nqueue: [{patch: ../evening.yaml}, {patch: ../tone.yaml}]\n", to: "sessions/night.yaml")
    }

    private func tool(_ name: String, _ arguments: String...) async throws -> FinishedProgram {
        try await RunningProgram.run(
            name, arguments, environment: ProcessInfo.processInfo.environment, folder: environment.folder.path)
    }

    private func render(_ arguments: String...) async throws {
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["render"] + arguments, environment: environment.variables, folder: environment.folder.path)
        #expect(run.exit == .code(0), "\(run.summary)")
        #expect(!run.errors.contains("warning"), "\(run.summary)")
    }

    /// Width and height of the picture in a file, as ffmpeg shows it.
    private func picture(_ file: String) async throws -> [String] {
        try await tool(
            "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
            "stream=codec_name,width,height:stream_disposition=attached_pic",
            "-of", "default=nw=1:nk=1", file
        ).outputLines
    }

    @Test(
        "FLAC files of a session have its title as their album, their numbers in it, and a picture of their patch, as metaflac reads them")
    func flac() async throws {
        try await render("night", "-o", "album/", "--format", "flac")
        for (file, tags) in [
            ("album/01 Évening 深.flac", ["TITLE=Évening 深", "ARTIST=Somebody", "ALBUM=Night", "TRACKNUMBER=1", "TRACKTOTAL=2"]),
            ("album/02 Tone.flac", ["TITLE=Tone", "ALBUM=Tones", "TRACKNUMBER=2", "TRACKTOTAL=2"]),
        ] {
            #expect(try await tool("flac", "--test", "--silent", "--warnings-as-errors", file).exit == .code(0))
            let read = try await tool("metaflac", "--export-tags-to=-", file).outputLines
            #expect(Set(tags).isSubset(of: read), "\(read)")
            let blocks = try await tool("metaflac", "--list", "--block-type=PICTURE", "--data-format=text", file).output
            for line in ["type: 3 (Cover (front))", "MIME type: image/png", "width: 900", "height: 900"] { #expect(blocks.contains(line)) }
            #expect(try await tool("metaflac", "--export-picture-to=cover.png", file).exit == .code(0))
            let cover = try Data(contentsOf: URL(filePath: environment.folder.file("cover.png")))
            #expect(cover.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
            #expect(try await picture(file) == ["png", "900", "900", "1"])
            // Editing keeps the sound.
            #expect(try await tool("metaflac", "--remove", "--block-type=PICTURE", file).exit == .code(0))
            #expect(try await tool("flac", "--test", "--silent", file).exit == .code(0))
        }
    }

    @Test(
        "--split chapters writes a file for each chapter, which join to the whole in every bit, also of the dither",
        arguments: ["16", "32f"])
    func chapters(depth: String) async throws {
        try environment.folder.write(
            """
            title: Long evening
            duration: 5
            fade: {out: 2}
            layers: [{name: bed, binaural: {carrier: 200, beat: 10}, gain: -20}, {name: rain, noise: {color: pink}, gain: -30}]
            chapters: [{at: 1.00003, title: Settle}, {at: 2, set: {bed.beat: 6}}, {at: 3.3, title: Drop, over: 1, set: {bed.beat: 4}}]
            """, to: "long.yaml")
        try await render("long.yaml", "-o", "whole.wav", "--depth", depth)
        try await render("long.yaml", "-o", "parts/", "--split", "chapters", "--depth", depth, "--jobs", "3", "--quiet")
        let folder = environment.folder.file("parts")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["01 Long evening, part 1.wav", "02 Settle.wav", "03 Long evening, part 3.wav", "04 Drop.wav"])
        let parts = try names.map { try WaveFile(contentsOf: "\(folder)/\($0)") }
        #expect(parts.map(\.frameCount) == [48_001, 47_999, 62_400, 81_600])
        let whole = try WaveFile(contentsOf: environment.folder.file("whole.wav"))
        for channel in 0..<2 { #expect(parts.flatMap { $0.channels[channel] } == whole.channels[channel]) }
        // Two items, each with the gain of the whole item.
        try await render("long.yaml", "evening.yaml", "-o", "album/", "--split", "chapters", "--loudness", "-30", "--jobs", "2")
        let album = try FileManager.default.contentsOfDirectory(atPath: environment.folder.file("album")).sorted()
        #expect(album.suffix(2) == ["05 Settle.wav", "06 Drop.wav"])
        try await render("long.yaml", "-o", "loud.wav", "--loudness", "-30")
        let loud = try WaveFile(contentsOf: environment.folder.file("loud.wav")).channels[0]
        #expect(try album.prefix(4).flatMap { try WaveFile(contentsOf: environment.folder.file("album/\($0)")).channels[0] } == loud)
    }

    @Test("--split needs a folder and no loop; --quiet prints nothing; progress is shown only on a terminal")
    func splitRefused() async throws {
        for (arguments, words) in [
            (["-o", "a.wav", "--split", "chapters"], "give --output a folder"),
            (["-o", "a/", "--split", "chapters", "--loop"], "--split and --loop contradict each other"),
        ] {
            let run = try await RunningProgram.run(
                try PackageRoot.program(), ["render", "evening.yaml"] + arguments, environment: environment.variables,
                folder: environment.folder.path)
            #expect(run.exit == .code(64))
            #expect(run.errors.contains(words), "\(run.summary)")
        }
        let run = try await RunningProgram.run(
            try PackageRoot.program(), ["render", "evening.yaml", "-o", "a.wav", "--quiet"], environment: environment.variables,
            folder: environment.folder.path)
        #expect((run.exit, run.output, run.errors) == (.code(0), "", ""), "\(run.summary)")
    }

    @Test("Ogg and Opus files have the same, as ogginfo, opusinfo and ffprobe read them", arguments: ["ogg", "opus"])
    func ogg(format: String) async throws {
        try await render("night", "-o", "album/", "--format", format)
        let file = "album/01 Évening 深.\(format)"
        let read = try await tool(format == "ogg" ? "ogginfo" : "opusinfo", file)
        #expect(read.exit == .code(0), "\(read.summary)")
        for text in ["ALBUM=Night", "TRACKNUMBER=1", "TRACKTOTAL=2", "TITLE=Évening 深", "CHAPTER002NAME=Drop"] {
            #expect(read.output.contains(text), "\(text) in \(read.output)")
        }
        #expect(!read.output.localizedCaseInsensitiveContains("warning"), "\(read.output)")
        let picture = try await picture(file)
        #expect(picture.first == "png", "\(picture)")
        #expect(picture.count == 4, "\(picture)")
        let probe = try await tool(
            "ffprobe", "-v", "error", "-show_entries", "stream=codec_type:stream_tags=track,album", "-of", "csv", file)
        #expect(probe.output.contains("Night"), "\(probe.summary)")
        #expect(probe.errors.isEmpty, "\(probe.summary)")
    }

    @Test("A patch's own artwork is the picture; without a session there is a track, but no album")
    func artwork() async throws {
        #expect(
            try await tool("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=red:s=64x48", "-frames:v", "1", "art.jpg").exit == .code(0))
        for name in ["a", "b"] {
            _ = try environment.folder.write(
                "title: \(name)\nartwork: art.jpg\nduration: 1\nlayers: [{tone: {carrier: 300}}]\n", to: "\(name).yaml")
        }
        try await render("a.yaml", "b.yaml", "-o", "out/", "--format", "flac")
        #expect(try await picture("out/02 b.flac").prefix(3) == ["mjpeg", "64", "48"])
        let tags = try await tool("metaflac", "--export-tags-to=-", "out/02 b.flac").outputLines
        #expect(tags.contains("TRACKNUMBER=2"), "\(tags)")
        #expect(!tags.contains { $0.hasPrefix("ALBUM") }, "\(tags)")
        _ = try environment.folder.write("not a picture", to: "art.jpg")
        try await render("a.yaml", "-o", "alone.ogg")
        #expect(try await picture("alone.ogg").first == "png")
        let alone = try await tool("ogginfo", "alone.ogg")
        #expect(!alone.output.contains("TRACKNUMBER"))
    }

    @Test("A file of a whole session has its title as album and the picture of its first patch; WAV files have their track")
    func oneFile() async throws {
        _ = try environment.folder.write(
            "format: 1\nqueue: [{patch: ../evening.yaml}, {patch: ../evening.yaml}]\n", to: "sessions/twice.yaml")
        try await render("twice", "-o", "all.flac")
        let tags = try await tool("metaflac", "--export-tags-to=-", "all.flac").outputLines
        #expect(tags.contains("ALBUM=twice"), "\(tags)")
        #expect(!tags.contains { $0.hasPrefix("TRACK") }, "\(tags)")
        #expect(try await picture("all.flac").first == "png")
        try await render("twice", "-o", "waves/")
        let wave = try await tool(
            "ffprobe", "-v", "error", "-show_entries", "format_tags=track,album", "-of", "default=nw=1:nk=1", "waves/02 Évening 深.wav")
        #expect(wave.outputLines.sorted() == ["2/2", "twice"], "\(wave.summary)")
    }
}
