import PatchFiles
import Patches
import TestSupport
import Testing

@testable import SBaGen

/// The tag `SBAGEN_LOOPER` of sound files.
@Suite("Tags of looped sound files") struct LooperTagTests {
    private static let known: [(text: String, section: Int, segments: SoundSegments)] = [
        ("s4-12 f0.2 #0 c2 #1 c1", 0, SoundSegments(lengths: 4...12, crossfade: 0.2, streams: 2)),
        ("s4-12 f0.2 #0 c2 #1 c1", 1, SoundSegments(lengths: 4...12, crossfade: 0.2)),
        ("s4-12 f0.2 #0 c2 #1 c1", 2, SoundSegments(lengths: 4...12, crossfade: 0.2)),
        ("", 0, SoundSegments()), (" \t", 0, SoundSegments()), ("s10", 0, SoundSegments(lengths: 10...10)),
        ("s10f2c2w0", 0, SoundSegments(lengths: 10...10, crossfade: 2, streams: 2, exchangesEars: false)),
        ("w1 c2", 0, SoundSegments(streams: 2)),
        ("i d10-70.5 s5", 0, SoundSegments(lengths: 5...5, start: 10, end: 70.5, playsIntro: true)),
        ("d10", 0, SoundSegments(start: 10)), ("d10-", 0, SoundSegments(start: 10)),
        // Without a part before the section there is no intro.
        ("i s5", 0, SoundSegments(lengths: 5...5)),
        ("#2 i d3-9 #0 d5", 2, SoundSegments(start: 3, end: 9, playsIntro: true)), ("#2 i d3-9 #0 d5", 0, SoundSegments(start: 5)),
        // The later one counts.
        ("s4 s8", 0, SoundSegments(lengths: 8...8)),
        // As in SBaGen, fades have 20 ms at least, segments three fades.
        ("f0 s1", 0, SoundSegments(lengths: 1...1, crossfade: 0.02)), ("s1 f2", 0, SoundSegments(lengths: 6...6, crossfade: 2)),
        ("s1-4", 0, SoundSegments(lengths: 3...4)), ("s12-4", 0, SoundSegments(lengths: 4...4)),
        ("s0.01 f0", 0, SoundSegments(lengths: 0.1...0.1, crossfade: 0.02)),
        ("s100000", 0, SoundSegments(lengths: 86_400...86_400)),
    ]

    @Test(
        "the tag sets segments, crossfade, streams, section and intro; what follows a number holds for that number only",
        arguments: known.indices)
    func good(index: Int) {
        let (text, section, segments) = Self.known[index]
        #expect(SoundSegments(looper: text, section: section) == segments, "\(text)")
    }

    @Test(
        "a tag with anything else is invalid",
        arguments: [
            "loop", "s", "s-4", "s4--12", "f", "f1-2", "c", "c0", "c3", "c1.5", "w", "w2", "d", "d10-10", "d10-4", "#", "#x", "s4,12",
            "s1e3",
            "s4 q1", "i1", "s1.2.3", "s.", "s99999999999999999999", "s٤", "S4", "#1 c7", "\u{0}", "s4 \u{301}",
        ])
    func bad(text: String) {
        #expect(SoundSegments(looper: text, section: 0) == nil, "\(text)")
    }

    @Test("the segments of any tag are within the limits, and a patch keeps them")
    func anything() throws {
        let inputs = Self.known.map { Array($0.text.utf8) }
        var mutations = Mutations(seed: 7, words: ["s", "-", "f", "c2", "w0", "#1", "i ", "d", "0", "9", ".", "1e9", "99999", " "])
        var count = 0
        for _ in 0..<Mutations.count(few: 3000, many: 1_000_000) {
            let text = String(decoding: mutations.next(of: inputs), as: UTF8.self)
            guard let segments = SoundSegments(looper: text, section: Int.random(in: 0...2, using: &mutations.random)) else { continue }
            count += 1
            if let lengths = segments.lengths {
                #expect(SoundSegments.lengthRange.contains(lengths.lowerBound) && SoundSegments.lengthRange.contains(lengths.upperBound))
                #expect(segments.crossfade <= lengths.lowerBound / 2, "\(text)")
            }
            #expect(SoundSegments.crossfadeRange.contains(segments.crossfade) && (1...2).contains(segments.streams), "\(text)")
            #expect(segments.end.map { $0 > segments.start } ?? true && (!segments.playsIntro || segments.start > 0), "\(text)")
            var layer = Layer(name: "river", kind: .file)
            (layer.path, layer.segments) = ("river.ogg", segments)
            let patch = Patch(layers: [layer])
            #expect(try Patch.parse(patch.yaml, file: "x").layers[0].segments == segments, "\(text)")
        }
        #expect(count > 300)
    }
}
