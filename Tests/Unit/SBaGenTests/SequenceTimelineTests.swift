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
        // A tone-set may have the name of a move.
        #expect(try sequence("step: 200+10/20\n0:00 step\n").dialect == .sbagen)
        #expect(try sequence("step: 200+10/20\n0:00 pink/5 step\n").lines[0].set.voices.count == 2)
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
