import PatchFiles
import Patches
import Testing

@Suite("Reading patches") struct PatchReadingTests {
    @Test("a patch with every kind of field is read")
    func everything() throws {
        let patch = try Patch.parse(
            """
            title: Deep alpha
            artist: Somebody
            album: Waves
            composer: Somebody else
            genre: Ambient
            comment: |
              Two lines:
              the second.
            artwork: cover.png
            duration: 30:00
            fade: {in: 5, out: {over: 0:10, ease: sineInOut}}
            layers:
              - name: bed
                binaural: {note: A3, beat: 10}
                gain: -20
              - noise: {color: pink, correlation: 0.5, seed: 18446744073709551615}
                pan: -0.5
              - isochronic: {}
            chapters:
              - {at: 0:00, title: Settle}
              - at: 5:00
                title: "10"
                over: 10:00
                ease: sineInOut
                set: {bed.beat: 4, noise2.gain: -26, isochronic3.note: C4}
            """, file: "a.yaml")
        var details = Patch.Details(title: "Deep alpha")
        details.artist = "Somebody"
        details.album = "Waves"
        details.composer = "Somebody else"
        details.genre = "Ambient"
        details.comment = "Two lines:\nthe second.\n"
        details.artwork = "cover.png"
        #expect(patch.details == details)
        #expect(patch.duration == 1800)
        #expect(patch.fade == Patch.Fade(in: 5, out: 10, easeOut: .sineInOut))
        var bed = Layer(name: "bed", kind: .binaural, values: [.carrier: 220, .beat: 10, .gain: -20])
        bed.note = Note(name: "A3")
        #expect(patch.layers[0] == bed)
        #expect(patch.layers[1] == Layer(name: "noise2", kind: .noise, values: [.correlation: 0.5, .pan: -0.5], color: .pink, seed: .max))
        #expect(patch.layers[2] == Layer(name: "isochronic3", kind: .isochronic))
        let c4 = Tuning().frequency(ofNote: 60)
        #expect(
            patch.chapters == [
                Chapter(start: 0, title: "Settle"),
                Chapter(
                    start: 300, title: "10", over: 600, ease: .sineInOut,
                    settings: [
                        Setting(layer: 0, parameter: .beat, value: 4), Setting(layer: 1, parameter: .gain, value: -26),
                        Setting(layer: 2, parameter: .carrier, value: c4, note: Note(name: "C4")),
                    ]),
            ])
    }

    @Test("the smallest patch is one layer with all defaults, endless and without a fade")
    func smallest() throws {
        let patch = try Patch.parse("layers: [{tone: {}}]", file: "a.yaml")
        #expect(patch == Patch(layers: [Layer(name: "tone1", kind: .tone)]))
    }

    @Test("an end of the fade that is not given is the shortest one")
    func halfFade() throws {
        let patch = try Patch.parse("fade: {in: 3}\nlayers: [{tone: {}}]", file: "a.yaml")
        #expect(patch.fade == Patch.Fade(in: 3, out: 0.02))
    }

    @Test("parameters may be beside the kind or inside it")
    func eitherPlace() throws {
        let inside = try Patch.parse("layers: [{binaural: {carrier: 100, beat: 4, gain: -30, pan: 1}}]", file: "a")
        let beside = try Patch.parse("layers: [{binaural: {}, carrier: 100, beat: 4, gain: -30, pan: 1}]", file: "a")
        #expect(inside == beside)
    }

    @Test("a byte order mark, Windows line ends and a document marker are accepted", arguments: ["\u{FEFF}", "---\r\n", "# comment\r\n"])
    func lenience(prefix: String) throws {
        let patch = try Patch.parse(prefix + "title: Über\r\nlayers:\r\n  - tone: {carrier: 100}\r\n", file: "a")
        #expect(patch.details.title == "Über")
        #expect(patch.layers[0].values == [.carrier: 100])
    }
}
