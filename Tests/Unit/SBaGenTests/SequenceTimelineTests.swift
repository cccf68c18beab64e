import PatchFiles
import Patches
import Testing

@testable import SBaGen

@Suite("Timelines of sequences") struct SequenceTimelineTests {
    @Test("there are at least 60 files, with one for every pair of codes, for tones, for a single pitch and for noise")
    func enough() {
        #expect(SequenceFixture.names.count >= 60)
        for out in ["down", "plain", "slide"] {
            for into in ["up", "plain", "slide"] {
                for family in ["tones", "same", "pink"] { #expect(SequenceFixture.names.contains("codes-\(family)-\(out)-\(into).sbg")) }
            }
        }
    }

    @Test("the pieces of every voice match those computed by hand", arguments: SequenceFixture.names)
    func pieces(name: String) throws {
        let fixture = try SequenceFixture(name)
        let timeline = SequenceTimeline(try fixture.sequence)
        #expect(fixture.pieces.keys.sorted() == Array(timeline.voices.indices))
        for (voice, expected) in fixture.pieces {
            #expect(timeline.voices[voice].count == expected.count)
            for (piece, wanted) in zip(timeline.voices[voice], expected) { #expect(piece == wanted, "voice \(voice + 1)") }
        }
    }

    @Test("a file is read as SBaGenX does from the first thing on that only SBaGenX reads, which a remark names; it can be overridden")
    func dialects() throws {
        func sequence(_ text: String, _ dialect: SequenceDialect? = nil) throws -> SBaGenSequence {
            try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg", dialect: dialect)
        }
        let plain = "a: 200+10/20\nb: 300/10\n0:00 == a ->\n0:10 <> b\n"
        #expect(try sequence(plain).dialect == .sbagen)
        #expect(try sequence(plain).remarks.isEmpty)
        #expect(try sequence(plain, .sbagen).dialect == .sbagen)
        let corners = try sequence(plain, .sbagenx)
        #expect(SequenceTimeline(corners).voices[0][0] == .init(0, 600, corners.lines[0].set.voices[0], corners.lines[1].set.voices[0]))
        for (line, what) in [
            ("0:20 a ==", "a code behind the name"), ("0:20 == <> a", "a code behind another one"), ("0:20 a step", "`step`"),
            ("0:20 a b", "several names in a time line"), ("0:20 a pink/3", "a voice in a time line"),
            ("0:20 pink/3", "a voice in a time line"),
        ] {
            let found = try sequence(plain + line + "\n")
            #expect(found.dialect == .sbagenx, "\(line)")
            #expect(found.remarks.map { $0.fault as? SequenceFault } == [.dialect(what)])
            let error = #expect(throws: Diagnostics.self) { try sequence(plain + line + "\n", .sbagen) }
            #expect(error?.all.map { $0.fault as? SequenceFault } == [.otherDialect(what)])
        }
        for (text, what) in [
            ("2nd: pink/5\n0:00 2nd\n", "the name `2nd`"), ("a.b: pink/5\n0:00 a.b\n", "the name `a.b`"),
            ("größe: pink/5\n0:00 größe\n", "the name `größe`"), ("a: pink/5 // soft\n0:00 a\n", "a comment behind `;` or `//`"),
            ("; soft\na: pink/5;soft\n0:00 a; soft ## no description\n", "a comment behind `;` or `//`"),
            ("-SE ; both\na: pink/5\n0:00 a\n0:10 a\n", "a comment behind `;` or `//`"),
        ] {
            let found = try sequence(text)
            #expect(found.remarks.map { $0.fault as? SequenceFault } == [.dialect(what)], "\(text)")
            #expect(found.lines[0].set.voices == [SequenceFixture.voice("pink/5")])
            #expect(found.description.isEmpty)
            let error = #expect(throws: Diagnostics.self) { try sequence(text, .sbagen) }
            #expect(error?.all.allSatisfy { $0.fault as? SequenceFault == .otherDialect(what) } == true, "\(text)")
        }
        // A file name may look like a comment.
        let file = try sequence("-m //host/a;b.flac\na: mix/5\n0:00 a\n")
        #expect(file.dialect == .sbagen && file.options.mixFile == "//host/a;b.flac")
        // A tone-set may have the name of a move.
        #expect(try sequence("step: 200+10/20\n0:00 step\n").dialect == .sbagen)
        #expect(try sequence("step: 200+10/20\n0:00 pink/5 step\n").lines[0].set.voices.count == 2)
    }

    @Test(
        "a bell that the change before its line struck is silence in the slide from there on; one that is struck at the line rings into it")
    func bellBeforeASlide() throws {
        func sequence(_ lines: String) throws -> SBaGenSequence {
            try SBaGenSequence.parse(
                bytes: Array(("a: bell+400/20\nb: 200/40\nc: bell+600/20\noff: -\n" + lines).utf8), file: "a.sbg")
        }
        func slide(_ lines: String) throws -> [SequenceTimeline.Piece] {
            SequenceTimeline(try sequence(lines)).voices[0].filter { 10 <= $0.start && $0.end <= 30 }
        }
        func voice(_ text: String) -> SequenceVoice { SequenceFixture.voice(text) }
        let rise = [SequenceTimeline.Piece(10, 30, voice("200+0/0"), voice("200+0/40"))]
        #expect(try slide("0:00 off\n0:00:10 a ->\n0:00:30 b\n") == rise)
        #expect(try slide("0:00 b\n0:00:10 a ->\n0:00:30 b\n") == rise)
        #expect(try slide("0:00 off\n0:00:10 a ->\n0:00:30 c\n") == [.init(10, 30, .off, .off)])
        let ringing = [
            SequenceTimeline.Piece(10, 20, voice("bell+400/20"), voice("bell+400/0")), .init(20, 30, voice("200+0/0"), voice("200+0/40")),
        ]
        #expect(try slide("0:00 off ->\n0:00:10 a ->\n0:00:30 b\n") == ringing)
        // So does one that the sequence begins with.
        let first = SequenceTimeline(try sequence("NOW a ->\n+0:00:20 b\n")).voices[0]
        #expect(first[0] == .init(0, 10, voice("bell+400/20"), voice("bell+400/0")))
        // Started in its slide, it is silent.
        for (time, count) in [("0:00:00", 1), ("0:00:20", 0)] {
            let patch = try SBaGenSequence.parse(
                bytes: Array(("-T \(time) -E\na: bell+400/20\nb: 200/40\noff: -\n" + "0:00 off\n0:00:10 a ->\n0:00:40 b\n").utf8),
                file: "a.sbg"
            ).patch()
            let bells = patch.layers.indices.filter { patch.layers[$0].kind == .bell }
            #expect(bells.flatMap { patch.strikes(ofLayer: $0).filter { $0 > 0 } }.count == count, "\(time)")
        }
    }

    @Test("where the change to a line that slides has no time left, its bell is not struck")
    func bellWithoutTime() throws {
        let text = "-SE\na: 200/10\nb: bell+400/20\nc: bell+600/20\n0:00 a\n0:01 b\n0:01:30 c ->\n0:03 a\n"
        let patch = try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg").patch()
        let bell = try #require(patch.layers.firstIndex { $0.kind == .bell })
        #expect(patch.strikes(ofLayer: bell).filter { $0 > 0 } == [60])
        #expect(!(patch.chapters + patch.cues).contains { $0.settings.contains { $0.layer == bell && $0.parameter == .carrier } })
    }

    @Test("the patch has the length and the clock computed by hand", arguments: SequenceFixture.names)
    func span(name: String) throws {
        let fixture = try SequenceFixture(name)
        let patch = try fixture.sequence.patch()
        if fixture.facts.isEmpty { return }
        if fixture.facts["endless"] != nil { #expect(patch.duration == nil) }
        if let duration = fixture.facts["duration"] {
            #expect(patch.duration == SequenceFixture.time(duration))
            #expect(patch.loops == (fixture.facts["loops"] != nil))
            #expect(patch.clock == fixture.facts["clock"].flatMap { SequenceFixture.time($0) })
        }
    }

    /// Every layer of the patch, at eight places of each piece, has the values of its voice's pieces.
    @Test("the patch moves like the pieces, from its start on", arguments: SequenceFixture.names)
    func patch(name: String) throws {
        let fixture = try SequenceFixture(name)
        let sequence = try fixture.sequence
        let patch = try Patch.parse(sequence.patch().yaml, file: name)
        let begins =
            fixture.facts["begins"].flatMap { SequenceFixture.time($0) } ?? fixture.facts["clock"].map { _ in firstClock(sequence) } ?? nil
        // The levels of `-c` have a test of their own.
        guard sequence.options.headphones.isFlat, let begins = begins ?? (patch.clock == nil ? 0 : firstClock(sequence)) else { return }
        let volume = sequence.options.volume / 100
        for (voice, pieces) in fixture.pieces {
            let layers = patch.layers.indices.filter { patch.layers[$0].kind != .bell }.filter {
                patch.layers[$0].name == "voice\(voice + 1)" || patch.layers[$0].name.hasPrefix("voice\(voice + 1)-")
            }
            // A bell does not follow its pieces: it rings from a strike on.
            for piece in pieces where piece.kind != .bell && piece.kind != .mix {
                for part in stride(from: 0.0625, to: 1, by: 0.125) {
                    let time = piece.start + (piece.end - piece.start) * part
                    let position =
                        (time - begins + 2 * Patch.day).truncatingRemainder(dividingBy: Patch.day) / (sequence.options.speed ?? 1)
                    if let duration = patch.duration, position >= duration { continue }
                    let voice = piece.voice(at: time)
                    // The level of the layers together: all but one of them are silent.
                    let level = layers.reduce(0) {
                        $0 + Amplitude.ratio(patch.value(of: .gain, layer: $1, at: position, edits: [])!)
                    }
                    // The gain of a noise is its level, 13.29 dB below its amplitude, which bounds its peaks.
                    let isNoise =
                        switch voice.kind {
                        case .noise, .spin: true;
                        default: false
                        }
                    let wanted = voice.amplitude / 100 * volume * Amplitude.ratio(isNoise ? -19.29 : -6)
                    #expect(abs(level - wanted) <= 1e-5, "at \(time): \(level) in place of \(wanted)")
                    guard wanted > 0.002,
                        let layer = layers.max(by: {
                            patch.value(of: .gain, layer: $0, at: position, edits: [])! < patch.value(
                                of: .gain, layer: $1, at: position, edits: [])!
                        })
                    else { continue }
                    for (parameter, value) in voice.kind.pitches(.whole) {
                        let found = patch.value(of: parameter, layer: layer, at: position, edits: [])!
                        #expect(abs(found - value(voice)) < 1e-9, "at \(time): \(parameter) \(found)")
                    }
                }
            }
        }
    }

    /// Seconds from the first time to midnight.
    private func firstClock(_ sequence: SBaGenSequence) -> Double? {
        (86_400 - Double(sequence.lines[0].time.seconds(now: 0))).truncatingRemainder(dividingBy: 86_400)
    }

    @Test("the vector of peaks in percent is the maximum of each second, within its digits")
    func peaks() throws {
        let timeline = SequenceTimeline(try SequenceFixture("vector-levels.sbg").sequence)
        func amplitude(_ time: Double) -> Double {
            timeline.voices[0].first { $0.start <= time && time <= $0.end }.map { $0.voice(at: time).amplitude } ?? .nan
        }
        for (time, percent, tolerance) in [
            (119.0, 0.0, 0.0), (135, 21, 0.5), (151, 40, 0), (269, 40, 0), (285, 20, 0.5), (299, 1.3, 0.05), (310, 29, 0.5), (331, 80, 0),
            (449, 80, 0), (465, 40, 0.5), (479, 2.7, 0.05),
        ] {
            // For straight lines, the maximum is at one end of the second.
            let peak = max(amplitude(time), amplitude(time + 1))
            #expect(abs(peak - percent) <= tolerance, "\(time) s: \(peak) %")
        }
    }
}
