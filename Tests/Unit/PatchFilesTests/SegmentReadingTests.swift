import PatchFiles
import Patches
import Testing

@Suite("Reading the segments of sound files")
struct SegmentReadingTests {
    private static func text(_ keys: String) -> String { "layers:\n  - {name: river, file: {path: river.ogg, \(keys)}}\n" }

    @Test(
        "Segments are read with their defaults, and a file keeps them",
        arguments: [
            ("segments: {}", SoundSegments()), ("segments: {length: 8}", SoundSegments(lengths: 8...8)),
            (
                "segments: {length: [4, 12], crossfade: 0.2, streams: 2}, seed: 3",
                SoundSegments(lengths: 4...12, crossfade: 0.2, streams: 2)
            ),
            ("segments: {length: 1}", SoundSegments(lengths: 1...1, crossfade: 0.5)),
            ("segments: {length: 1, crossfade: 0.1}", SoundSegments(lengths: 1...1, crossfade: 0.1)),
            ("segments: {crossfade: 60}", SoundSegments(crossfade: 60)), ("segments: {streams: 1}", SoundSegments()),
            (
                "segments: {streams: 2, exchange: false, from: 0:10, to: 1:20.5, intro: true}",
                SoundSegments(streams: 2, exchangesEars: false, start: 10, end: 80.5, playsIntro: true)
            ),
            ("loop: true, segments: {length: 5, to: 30}", SoundSegments(lengths: 5...5, end: 30)),
            ("segments: {intro: false}", SoundSegments()),
        ])
    func reading(keys: String, segments: SoundSegments) throws {
        let patch = try Patch.parse(Self.text(keys), file: "x")
        #expect(patch.layers[0].segments == segments)
        #expect(try Patch.parse(patch.yaml, file: "x") == patch, "\(patch.yaml)")
    }

    @Test("Segments and seed may be next to the kind")
    func beside() throws {
        let patch = try Patch.parse("layers:\n  - file: {path: a.wav}\n    segments: {length: 4}\n    seed: 9\n", file: "x")
        #expect(patch.layers[0].segments == SoundSegments(lengths: 4...4) && patch.layers[0].seed == 9)
        #expect(try Patch.parse("layers: [{file: {path: a.wav}}]\n", file: "x").layers[0].segments == nil)
    }

    @Test(
        "What is wrong with segments is a fault at its place",
        arguments: [
            ("segments: 4", "expected a mapping of `length`"), ("segments: {lengths: 4}", "`lengths`"),
            ("segments: {length: 0}", "the length of a segment is 0 s"), ("segments: {length: -4}", "the length of a segment is -4 s"),
            ("segments: {length: 0.09}", "expected 0.1 to 86400 s"), ("segments: {length: .inf}", "finite"),
            ("segments: {length: .nan}", "finite"), ("segments: {length: long}", "found `long`"),
            ("segments: {length: []}", "the number of lengths is 0"), ("segments: {length: [4]}", "the number of lengths is 1"),
            ("segments: {length: [4, 5, 6]}", "the number of lengths is 3"), ("segments: {length: [12, 4]}", "the longest segment is 4 s"),
            ("segments: {length: [0, 4]}", "the shortest segment is 0 s"), ("segments: {length: [1, 86401]}", "the longest segment"),
            ("segments: {length: {from: 1}}", "expected"), ("segments: {length: 4, crossfade: 2.1}", "crossfade is 2.1 s"),
            ("segments: {length: 4, crossfade: 0}", "expected 0.02 to 2 s"), ("segments: {crossfade: 61}", "crossfade is 61 s"),
            ("segments: {crossfade: -1}", "crossfade is -1 s"), ("segments: {streams: 0}", "found `0`"),
            ("segments: {streams: 3}", "found `3`"), ("segments: {streams: 1.5}", "found `1.5`"),
            ("segments: {exchange: 1}", "found `1`"), ("segments: {from: -1}", "found `-1`"), ("segments: {to: soon}", "found `soon`"),
            ("segments: {from: 10, to: 10}", "`to` is 10 s"), ("segments: {from: 10, to: 4}", "expected 10.1 to"),
            ("segments: {to: 0}", "`to` is 0 s"), ("segments: {intro: true}", "`segments` has no `from`"),
            ("segments: {length: 4}, loop: false", "`loop`"), ("segments: {}, seed: -1", "found `-1`"),
        ])
    func faults(keys: String, words: String) {
        expectFault(in: Self.text(keys), at: "x:2:", words)
    }

    @Test("Only a file has segments", arguments: ["tone: {carrier: 200, segments: {}}", "noise: {segments: {}}", "input: {segments: {}}"])
    func kinds(layer: String) {
        #expect(throws: Diagnostics.self) { try Patch.parse("layers:\n  - {name: a, \(layer)}\n", file: "x") }
    }
}
