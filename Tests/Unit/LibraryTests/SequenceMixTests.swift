import Foundation
import Library
import Patches
import Testing

/// The sound file of a sequence, `-m`.
@Suite("Sound files of sequences") struct SequenceMixTests {
    private let folder: Folder
    private let library: Library

    init() throws {
        folder = try Folder()
        library = Library(
            places: Places(
                workingFolder: folder.file("here"), dataHome: folder.file("home"), dataFolders: [], shipped: [],
                stateHome: folder.file("state"), configHome: folder.file("config"), cacheHome: folder.file("cache")))
        try folder.write("-m river.flac\na: mix/50 200+10/20\nNOW a\n", to: "there/night.sbg")
    }

    private var layer: Layer {
        get throws {
            let patch = try library.loadPatch(folder.file("there/night.sbg")).patch
            return try #require(patch.layers.first { $0.kind == .file })
        }
    }

    @Test("it is looked for beside the sequence, then in the working folder; without one, the message names the first place")
    func places() throws {
        #expect(try layer.path == folder.file("there/river.flac"))
        try folder.write("x", to: "here/river.flac")
        #expect(try layer.path == folder.file("here/river.flac"))
        try folder.write("x", to: "there/river.flac")
        #expect(try layer.path == folder.file("there/river.flac"))
    }

    @Test("its sound file and its file of formulas are among the files that it is made from")
    func inputs() throws {
        try folder.write("beat = 8\n", to: "there/f.sbgf")
        try folder.write("x", to: "here/river.flac")
        try folder.write("-m river.flac\n-p curve t10,0,0 f.sbgf 00as/20\n", to: "there/night.sbg")
        let loaded = try library.loadPatch(folder.file("there/night.sbg"))
        let inputs = Set(OutputRecord.inputs(of: loaded.patch, from: loaded.entry.path, in: library))
        #expect(inputs == [loaded.entry.path, folder.file("here/river.flac"), folder.file("there/f.sbgf")])
    }

    /// A file with a comment, of which only the header is right.
    private func write(_ comments: [String], isOgg: Bool) throws {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let list = number(4) + Array("Test".utf8) + number(comments.count) + comments.flatMap { number($0.utf8.count) + Array($0.utf8) }
        var bytes: [UInt8]
        if isOgg {
            // The comments begin on the second page and continue on the third.
            let packet = [3] + Array("vorbis".utf8) + list + [1]
            func page(_ segments: [UInt8], _ content: [UInt8]) -> [UInt8] {
                Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [UInt8(segments.count)] + segments + content
            }
            bytes =
                page([30], [UInt8](repeating: 1, count: 30)) + page([255], Array(packet.prefix(255)))
                + page([UInt8(packet.count - 255)], Array(packet.dropFirst(255)))
        } else {
            let length = { (count: Int) in [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)] }
            bytes = Array("fLaC".utf8) + [0] + length(34) + [UInt8](repeating: 0, count: 34) + [0x84] + length(list.count) + list
        }
        try Data(bytes).write(to: URL(filePath: folder.file("there/river.flac")))
    }

    @Test(
        "its track gain of ReplayGain applies, less 3 dB; a file without one, or a damaged one, is played as it is",
        arguments: [false, true])
    func trackGain(isOgg: Bool) throws {
        try folder.write("", to: "there/river.flac")
        let plain = try #require(try layer.values[.gain])
        #expect(abs(plain - (-6 - 6.0206)) < 1e-3)
        let filler = "TITLE=" + String(repeating: "a river ", count: 40)
        for (text, gain) in [("+4.30 dB", 1.3), ("-7.5 dB", -10.5), ("4.3", 1.3), ("100 dB", 12.0206), ("", 0), ("loud", 0), ("nan", 0)] {
            try write([filler, "replaygain_track_gain=\(text)", "ARTIST="], isOgg: isOgg)
            let found = try #require(try layer.values[.gain])
            #expect(abs(found - plain - gain) < 1e-3, "\(text): \(found)")
        }
        try write([filler, "REPLAYGAIN_TRACK_GAIN=-7.5 dB"], isOgg: isOgg)
        let whole = try Data(contentsOf: URL(filePath: folder.file("there/river.flac")))
        for count in stride(from: 0, to: whole.count, by: 7) {
            try whole.prefix(count).write(to: URL(filePath: folder.file("there/river.flac")))
            let found = try #require(try layer.values[.gain])
            #expect([plain, plain - 10.5].contains { abs($0 - found) < 1e-3 })
        }
    }

    @Test(
        "its SBAGEN_LOOPER gives all of its layers the same segments; the number behind its name chooses what holds",
        arguments: [false, true])
    func looper(isOgg: Bool) throws {
        let filler = "TITLE=" + String(repeating: "a river ", count: 40)
        try write([filler, "sbagen_looper=s4-12 f0.2 #0 c2 #1 c1", "REPLAYGAIN_TRACK_GAIN=-7.5 dB"], isOgg: isOgg)
        for (option, streams) in [
            ("river.flac", 2), ("river.flac#0", 2), ("river.flac#1", 1), ("river.flac #1", 2), ("river.flac#1st", 2),
            ("river.flac#1 -q 60", 1), ("river.flac# 1", 2), ("river.flac##1", 2), ("river.flac#99999999999999999999", 2),
        ] {
            try folder.write("-m \(option)\na: mix/50 mixpulse:4/50 200+10/20\nNOW a\n", to: "there/night.sbg")
            let files = try library.loadPatch(folder.file("there/night.sbg")).patch.layers.filter { $0.kind == .file }
            #expect(files.count == 2)
            for layer in files {
                #expect(layer.segments == SoundSegments(lengths: 4...12, crossfade: 0.2, streams: streams), "\(option)")
                #expect(layer.seed == 0 && layer.path == folder.file("there/river.flac"))
            }
        }
    }

    private func remarks() throws -> [String] {
        try library.loadPatch(library.find(.patches, folder.file("there/night.sbg")), file: "night.sbg").remarks.map(\.warning)
    }

    @Test("an invalid SBAGEN_LOOPER is ignored, and a warning at -m says so without its text")
    func badLooper() throws {
        try write(["SBAGEN_LOOPER=s4 private"], isOgg: false)
        #expect(try layer.segments == nil && layer.seed == nil)
        let found = try remarks()
        #expect(found.count == 1 && found[0].hasPrefix("night.sbg:1:2: warning: the tag `SBAGEN_LOOPER`"), "\(found)")
        #expect(!found[0].contains("private"))
        try write(["SBAGEN_LOOPER=s4"], isOgg: false)
        #expect(try remarks().isEmpty)
        try write(["TITLE=x"], isOgg: false)
        #expect(try layer.segments == nil && remarks().isEmpty)
    }
}
