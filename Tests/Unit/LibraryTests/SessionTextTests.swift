import Library
import PatchFiles
import Patches
import Playback
import TestSupport
import Testing

private let full = """
    format: 1 # the last line is ...
    title: "Evening: two"
    queue:
      - patch: welcome
        rating: 4.5
        liked: true
        bookmarks: [1:00, 2:30.5]
        muted: [rain]
        waves: {bed: square}
        edits:
          - {at: 0:12.5, set: {bed.beat: 4}}
          - {at: 1:00, set: {bed.spin: 0.25}}
        course:
          - {set: {bed.carrier: 210}}
          - {chapter: 2:00, start: 2:10.25}
          - {chapter: 2:00, over: 0:30}
          - {cue: 3:00, number: 2, set: {bed.beat: 6.5}}
        sticker: {color: red, at: [1, 2]}
      - patch: ./mine.yaml
        liked: false
    play:
      item: 2
      state: paused
      repeat: all
      shuffle: true
      seed: 18446744073709551615
      first: 2
      order: [2, 1]
      rate: 0.5
      transport: lead
      touch: return
      jingle: "10"
    master: {gain: -3, mute: true}
    tuning: {a4: 432}
    presets:
      - name: quiet
        patch: welcome
        set: {bed.gain: -40, rain.gain: -50}
        waves: {bed: square}
        icon: moon
    connections:
      - {port: out_left, to: system:playback_1}
      - {port: out_right, to: "Built-in Audio, Analog:playback_FR", seen: 2026-11-23}
      - {port: out_right, to: other:in, seen: 2026-10-01, reported: true}
    weather:
      - rain
      - {wind: strong}
    # checksum: 08cfc046a556da70
    ...

    """

@Suite("Session text") struct SessionTextTests {
    @Test("every key of a session is read")
    func reads() throws {
        let session = try Session.parse(full, file: "a")
        #expect(session.title == "Evening: two")
        #expect(session.items.map(\.patch) == ["welcome", "./mine.yaml"])
        let item = session.items[0]
        #expect(item.rating == 4.5)
        #expect(item.liked == true)
        #expect(item.bookmarks == [60, 150.5])
        #expect(item.mutedLayers == ["rain"])
        #expect(item.waves == ["bed": .square])
        #expect(
            item.edits == [
                .init(value: .init(layer: "bed", parameter: "beat", value: 4), position: 12.5),
                .init(value: .init(layer: "bed", parameter: "spin", value: 0.25), position: 60),
            ])
        #expect(
            item.course == [
                .value(.start, layer: "bed", parameter: "carrier"): 210, .start(.chapter(at: 120)): 130.25, .over(.chapter(at: 120)): 30,
                .value(.cue(at: 180, number: 1), layer: "bed", parameter: "beat"): 6.5,
            ])
        #expect(session.items[1].liked == false)
        #expect(session.items[1].rating == nil)
        #expect(session.current == 1)
        #expect(session.state == .paused)
        #expect(session.repeatMode == .all)
        #expect(session.shuffle)
        #expect(session.shuffleSeed == .max)
        #expect(session.shuffleFirst == 1)
        #expect(session.shuffleOrder == [1, 0])
        #expect(session.rate == 0.5)
        #expect(session.transport == .lead)
        #expect(session.touch == .return)
        #expect(session.masterGain == -3)
        #expect(session.isMuted)
        #expect(session.a4 == 432)
        try #require(session.presets.map(\.name) == ["quiet"])
        #expect(session.presets[0].values.count == 2)
        #expect(session.presets[0].waves == ["bed": .square])
        #expect(session.connections?.map(\.other) == ["system:playback_1", "Built-in Audio, Analog:playback_FR", "other:in"])
    }

    @Test("a connection has the day on which its port was last seen; an invalid day is a mistake with its place")
    func connections() throws {
        let connections = try #require(Session.parse(full, file: "a").connections)
        #expect(connections.map(\.seen) == [nil, Day("2026-11-23"), Day("2026-10-01")])
        #expect(connections.map(\.isReported) == [false, false, true])
        for seen in ["yesterday", "2026-02-30", "\"\"", "[1]", "20261123"] {
            let text = "format: 1\nqueue: []\nconnections:\n  - {port: out_left, to: a:b, seen: \(seen)}\n"
            let error = #expect(throws: Diagnostics.self) { try Session.parse(text, file: "a") }
            #expect(error?.all.first?.place.line == 4, "\(seen): \(String(describing: error))")
        }
    }

    @Test("connections that were all removed differ from connections that were never made")
    func noConnections() throws {
        #expect(try Session.parse("format: 1\nqueue: []\n...\n", file: "a").connections == nil)
        var session = Session(title: "a")
        #expect(!session.yaml.contains("connections"))
        session.connections = []
        #expect(try Session.parse(session.yaml, file: "a").connections == [])
    }

    @Test("a session is written as it was read, with the keys of a newer version in their places")
    func writes() throws {
        #expect(try Session.parse(full, file: "a").yaml == full)
        let small = try Session.parse("format: 1\nqueue: []\n", file: "a")
        #expect(small == Session())
        #expect(small.yaml == "format: 1 # the last line is ...\nqueue: []\nplay: {state: stopped}\n# checksum: d4e20333e8bf67b0\n...\n")
    }

    @Test("a session truncated anywhere is refused")
    func cutShort() throws {
        let bytes = Array(full.utf8)
        for count in 0..<(bytes.count - 1) {
            #expect(throws: Diagnostics.self, "\(count)") { try Session.parse(bytes: Array(bytes[..<count]), file: "a") }
        }
    }

    @Test("a session in which any bit has changed since it was written is refused, or is known to have changed")
    func bits() throws {
        let bytes = Array(session("evening", rating: 4).yaml.utf8)
        #expect(try !Session.parse(bytes: bytes, file: "a").isAltered)
        let (whole, notice) = (try Session.parse(bytes: bytes, file: "a").session, bytes.count - 33)
        for bit in 0..<(8 * bytes.count) {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            guard let read = try? Session.parse(bytes: changed, file: "a") else { continue }
            // If the line of the checksum itself is another, nothing is lost.
            let isSame = read.session.items == whole.items && read.session.title == whole.title
            #expect(read.isAltered || bit / 8 >= notice && isSame, "bit \(bit)")
        }
    }

    @Test("a key that resembles a known one is named, wherever it is; other unknown keys are a newer version's")
    func misspelt() throws {
        let text = """
            format: 1
            titel: x
            weather: rain
            queue: [{patch: a, mdits: [], edits: [{at: 1, sett: {}}]}]
            play: {stat: playing}
            master: {gian: -3}
            presets: [{name: a, patch: b, seet: {}}]
            controllers: [{controller: 1, moves: master/gain, chanel: 2}]
            connections: [{port: out_left, to: a:b, sen: 2026-11-23}]

            """
        let doubts = try Session.parse(bytes: Array(text.utf8), file: "a").doubts
        let words = doubts.map { $0.fault.words }
        #expect(
            words.map(\.found) == [
                "unknown key `titel` in the session", "unknown key `sett` in edit 1", "unknown key `mdits` in item 1",
                "unknown key `seet` in preset 1",
                "unknown key `sen` in connection 1", "unknown key `chanel` in controller 1", "unknown key `stat` in `play`",
                "unknown key `gian` in `master`",
            ])
        #expect(words.first?.advice?.hasSuffix("did you mean `title`?") == true)
    }

    @Test("a key with an invisible character is reported and kept, and the session is read")
    func invisible() throws {
        let text = "format: 1\nqueue: [{patch: a}]\nwea\u{200C}ther: rain\n"
        let parsed = try Session.parse(bytes: Array(text.utf8), file: "a")
        #expect(parsed.session.items.map(\.patch) == ["a"])
        #expect(parsed.session.yaml.contains(": rain\n"))
        #expect(parsed.doubts.map(\.place) == [.init(line: 3, column: 4)])
    }

    @Test("an edit finds its layer by name, and one without a matching layer is kept")
    func edits() throws {
        let patch = Patch(layers: [Layer(name: "rain", kind: .noise), Layer(name: "bed", kind: .binaural)])
        let item = try Session.parse(full, file: "a").items[0]
        var queued = item.queueItem(.success(patch))
        #expect(queued.edits == [LiveEdit(setting: Setting(layer: 1, parameter: .beat, value: 4), position: 12.5)])
        queued.edits.append(LiveEdit(setting: Setting(layer: 0, parameter: .gain, value: -30), position: 1))
        #expect(queued.namedChanges.edits.contains(NamedEdit(value: .init(layer: "rain", parameter: "gain", value: -30), position: 1)))
        let without = item.queueItem(.success(Patch(layers: [Layer(name: "other", kind: .tone)])))
        #expect(without.edits.isEmpty)
        #expect(without.namedChanges == item.changes)
        #expect(NamedSetting(layer: "bed", parameter: "gain", value: 12).setting(in: patch)?.value == 0)
    }

    @Test("a missing item is skipped")
    func shortened() throws {
        #expect(try Session.parse("format: 1\nqueue: []\nplay: {item: 3}\n", file: "a").current == nil)
    }

    @Test("a tuning may be given by its frequency alone, and its faults have their place")
    func tuning() throws {
        #expect(try Session.parse("format: 1\nqueue: []\ntuning: 432\n", file: "a").a4 == 432)
        let error = #expect(throws: Diagnostics.self) { try Session.parse("format: 1\nqueue: []\ntuning: 44\n", file: "a.yaml") }
        #expect(error?.description.hasPrefix("a.yaml:3:9: tuning is 44 Hz") == true, "\(error?.description ?? "")")
        #expect(throws: Diagnostics.self) { try Session.parse("format: 1\nqueue: []\ntuning: concert\n", file: "a.yaml") }
    }

    @Test("an invalid session is answered with every fault at its place")
    func faults() {
        let error = #expect(throws: Diagnostics.self) {
            try Session.parse(
                "format: 1\nqueue:\n  - patch: a\n    rating: 6\n  - rating: 1\nplay: {repeat: twice}\ntuning: {a4: 44}\n", file: "a.yaml")
        }
        #expect(
            error?.description == """
                a.yaml:4:13: rating is 6
                        rating: 6
                                ^
                  expected 0 to 5
                a.yaml:5:5: item 2 has no `patch`
                      - rating: 1
                        ^
                  write the name of a patch, or its path
                a.yaml:6:16: unknown repeat mode `twice`
                    play: {repeat: twice}
                                   ^
                  expected off, one or all
                a.yaml:7:14: a4 is 44 Hz
                    tuning: {a4: 44}
                                 ^
                  expected 200 to 900 Hz
                """)
    }

    @Test("a newer format is read as far as possible, and an unreadable one is reported only as such")
    func newer() throws {
        #expect(try Session.parse(bytes: Array("format: 2\nqueue: []\n".utf8), file: "a").isNewer)
        let error = #expect(throws: Diagnostics.self) { try Session.parse("format: 2\nqueue: {}\n", file: "a") }
        #expect(error?.all.contains { $0.fault as? TextFault == .newerFormat(2, supported: 1) } == true)
        #expect(throws: Diagnostics.self) { try Session.parse("format: 0\nqueue: []\n", file: "a") }
    }

    @Test("the examples in docs/files.md are sessions, and every key in the longer one is explained there")
    func documented() throws {
        let text = try String(contentsOfFile: PackageRoot.file("docs/files.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```yaml\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        let examples = blocks.filter { $0.hasPrefix("format: 1") }
        #expect(try Session.parse(#require(examples.first), file: "docs/files.md").items.count == 2)
        let example = try #require(examples.last)
        let session = try Session.parse(example, file: "docs/files.md")
        #expect(session.items.count == 2)
        #expect(session.presets.count == 1)
        #expect(session.connections?.count == 1)
        #expect(try Session.parse(session.yaml, file: "") == session)
        for key in example.matches(of: /([a-z0-9]+):/).map({ String($0.1) }) where Int(key) == nil && key != "system" {
            #expect(text.contains("`\(key)`") || ["bed", "rain", "beat", "carrier", "gain"].contains(key), "\(key) is not explained")
        }
    }
}
