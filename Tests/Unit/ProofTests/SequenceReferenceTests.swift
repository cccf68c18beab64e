import Foundation
import Patches
import SBaGen
import TestSupport
import Testing

/// Against ffmpeg's reader of the format (`ffmpeg -f sbg`), which nobody here has written: all files of Tests/Unit/SBaGenTests/Sequences.
@Suite("Sequences, against ffmpeg") struct SequenceReferenceTests {
    /// Files that ffmpeg refuses, and a part of its message.
    private static let refused: [(words: String, files: Set<String>)] = [
        ("unknown option", ["option-c.sbg", "option-rest.sbg", "whole-grammar.sbg"]),
        ("speed factor other than 1 not supported", ["option-q.sbg"]),
        ("immediate sequences not yet implemented", ["option-i.sbg"]),
        ("preprogrammed sequences not yet implemented", ["option-p-drop.sbg", "option-p-slide.sbg"]),
        ("waveform definitions not yet implemented", ["voice-forms.sbg", "voice-waves.sbg"]),
        // `mix`
        ("Type 4 is not implemented", ["voice-mix.sbg"]),
        // Extensions of later programs.
        ("syntax error", ["voice-pulses.sbg", "voice-waveforms.sbg"]),
        // It reads them, but its synthesizer refuses the result.
        (
            "Invalid intervals definitions",
            ["block-codes-dropped.sbg", "block-nested.sbg", "block-simple.sbg", "arrow-bell.sbg", "arrow-tone-bell.sbg"]
        ),
    ]

    /// Files that ffmpeg plays differently from sbg.md: the places, and the rule that it does not follow.
    private static let otherwise: [(rule: String, isSteady: Bool, files: Set<String>)] = [
        (
            "\">\" and \"<\" lead through silence, where pitch and kind stay too (Transitions, 2)", false,
            Set(
                ["same", "pink"].flatMap { family in
                    ["down-plain", "down-slide", "down-up", "plain-up", "slide-up"].map { "codes-\(family)-\($0).sbg" }
                } + ["time-single-faded.sbg"])
        ),
        ("a use takes the latest definition above it (Lexical)", true, ["names-again.sbg", "block-names-again.sbg"]),
        ("the day is a ring: what began before -T sounds (Transitions, 5)", true, ["option-t.sbg"]),
        ("a block's lines get the calling time in front (Times)", true, ["block-relative-call.sbg"]),
        ("a voice that slides into a bell fades over all of the slide (Transitions, 3)", false, ["arrow-bell-alone.sbg"]),
    ]

    /// More changes, and voices that the files have not: the first and the last change of a ring, two close by, odd frequencies.
    private static let texts: [String: String] = [
        "odd": "-SE\na: 60.5+0.5/33\nb: 999.9-30/66\n10:00:00 a\n10:02:00 b\n10:04:00 a\n",
        "below": "-SE\na: 100-3/50\noff: -\nNOW a\n+00:02:00 off\n+00:04:00 a\n+00:06:00 a\n",
        "single": "-SE\na: 432+7.83/25\nNOW a\n+00:03:00 a\n",
        "block": "-SE\na: 210+9/40\nb: 120+2/70\nblock: {\n+00:00:00 a\n+00:02:00 b\n}\nNOW block\n+00:04:00 a\n",
        "two": "-SE\na: 200+10/40 500-4/20\nb: 300+4/60 600+7/30\nNOW == a\n+00:02:00 == b\n+00:04:00 == a\n",
        "off": "-SE\noff: -\na: 200+10/40\nb: 300+10/80\nNOW off\n+00:02 a\n+00:05 b\n+00:08 off\n+00:09 off\n",
        "arrow": "-SE\na: 200+10/40\nb: 300+10/80\nNOW == a\n+00:02 == b\n+00:04 a ->\n+00:06 b\n",
        "narrow": "-SE\na: 200+10/40\nb: 300+10/80\nc: 200+10/80\nNOW a\n+00:01 == b\n+00:01:20 == c\n+00:02 c\n+00:03 c\n",
        "early": "-SE\na: 200+10/40\nb: 300+10/80\nc: 400+10/60\nNOW == a\n+00:00:20 == b\n+00:02 == c\n+00:03 == c\n",
    ]

    /// The number of comparisons, and the largest differences in Hz and dB.
    private struct Findings {
        var steady = (count: 0, frequency: 0.0, level: 0.0)
        var moving = (count: 0, frequency: 0.0, level: 0.0)
        /// Places where the program's own sound differs from the pieces.
        var ours: [String] = []

        static func add(_ figures: inout (count: Int, frequency: Double, level: Double), _ frequency: Double, _ level: Double) {
            figures = (figures.count + 1, max(figures.frequency, abs(frequency)), max(figures.level, abs(level)))
        }
    }

    @Test(
        "Carrier, beat and level of every tone are ffmpeg's, to 1e-3 Hz and 0.1 dB in every second of constant parts of up to five minutes, at both ends and in the middle of longer ones; level and pitch in every tenth of a second of changes, of those longer than a minute in three seconds at both ends and in the middle; except for the listed files, with the rule that ffmpeg does not follow",
        // ffmpeg reads SBaGen's dialect.
        arguments: SequenceReading.names.filter { !$0.hasPrefix("x-") })
    func files(name: String) async throws {
        let reading = try SequenceReading(name)
        let ranges = Self.ranges(reading)
        let (theirs, refusal) = try await reading.theirs(ranges)
        let known = Self.refused.first { $0.files.contains(name) }
        guard let theirs else {
            #expect(known.map { refusal.contains($0.words) } == true, "\(refusal)")
            return
        }
        #expect(known == nil, "it is not refused any more")
        let found = Self.compare(reading, reading.ours(ranges), theirs)
        #expect(found.ours.isEmpty)
        #expect(found.steady.count + found.moving.count > 0 || Self.noises.contains(name), "nothing was compared")
        let difference = Self.otherwise.first { $0.files.contains(name) }
        if difference?.isSteady == true {
            #expect(found.steady.level > 0.1, "it is not played otherwise any more")
        } else {
            Self.expectSame(found.steady, 1e-3)
        }
        if difference != nil {
            #expect(found.moving.level > 0.1, "it is not played otherwise any more")
        } else {
            Self.expectSame(found.moving, 0.02)
        }
        Self.report(name, found)
    }

    @Test(
        "The same holds for texts with odd frequencies, two tones, and changes shortened by the next one",
        arguments: texts.keys.sorted())
    func more(name: String) async throws {
        let reading = try SequenceReading(name, try #require(Self.texts[name]))
        let ranges = Self.ranges(reading)
        let (theirs, refusal) = try await reading.theirs(ranges)
        let found = Self.compare(reading, reading.ours(ranges), try #require(theirs, "\(refusal)"))
        #expect(found.ours.isEmpty)
        #expect(found.steady.count > 0)
        Self.expectSame(found.steady, 1e-3)
        Self.expectSame(found.moving, 0.02)
        Self.report(name, found)
    }

    @Test("Pink noise is as loud as ffmpeg's, over half a minute, to 0.3 dB", arguments: ["pink/40", "spin:300+0.5/40"])
    func noise(voice: String) async throws {
        // Unlike in the other comparisons, noise is not replaced.
        let text = "-SE\na: \(voice)\nNOW a\n+00:05 a\n"
        let reading = try SequenceReading(text: text, name: voice)
        let theirs = try #require(try await reading.theirs([60...90]).stretches)
        let levels = [reading.ours([60...90])[0], theirs[0]].map { stretch in
            decibels((stretch.left.reduce(0) { $0 + Double($1) * Double($1) } / Double(stretch.left.count)).squareRoot())
        }
        #expect(abs(levels[0] - SBaGenSequence.headroom - levels[1]) < 0.3, "\(levels)")
    }

    /// Kinds that change into each other while nothing else sounds, so that both can be measured.
    private static let turning: [String: String] = [
        "noise and tone": "-SE\na: pink/40\nb: 200+10/40\nNOW == a\n+00:03 == b\n+00:06 == a\n+00:08 a\n",
        "noise and tone by slides": "-SE\na: pink/40\nb: 200+10/40\nNOW a\n+00:02 a ->\n+00:05 b ->\n+00:08 a\n+00:09 a\n",
        "noise and silence": "-SE\na: pink/40\noff: -\nb: pink/20\nNOW == a\n+00:03 off\n+00:05 == a\n+00:07 b\n+00:09 a\n",
        "noise and spin": "-SE\na: pink/40\nb: spin:300+0.5/40\nNOW == a\n+00:03 == b\n+00:06 == a\n+00:08 a\n",
    ]

    @Test(
        "Noise that changes into another sound and back is as loud as ffmpeg's in every second, and so is the other sound",
        arguments: turning.keys.sorted())
    func turns(name: String) async throws {
        let reading = try SequenceReading(text: try #require(Self.turning[name]), name: name)
        let range = 0...reading.length
        let (theirs, refusal) = try await reading.theirs([range])
        let (ours, stretches) = (reading.ours([range]), try #require(theirs, "\(refusal)"))
        let tones = Self.compare(reading, ours, stretches)
        #expect(tones.ours.isEmpty)
        Self.expectSame(tones.steady, 1e-3)
        Self.expectSame(tones.moving, 0.02)
        // Each against its own plateau, which is compared below.
        func level(_ stretch: SequenceReading.Stretch, _ second: Int, _ seconds: Int = 1) -> Double {
            let rate = Int(SequenceReading.sampleRate)
            return differenceLevel(stretch.left[second * rate..<(second + seconds) * rate])
        }
        var (count, worst) = (0, 0.0)
        for second in 0..<Int(reading.length) - 1 {
            let pieces = reading.pieces(at: Double(second) + 0.03)
            guard pieces.count == 1, let piece = pieces.first, piece.end >= Double(second) + 0.97 else { continue }
            switch piece.kind {
            case .noise, .spin: break
            default: continue
            }
            let (a, b) = (piece.voice(at: Double(second)).amplitude, piece.voice(at: Double(second + 1)).amplitude)
            let expected = 10 * log10((a * a + a * b + b * b) / 3 / 1600)
            guard expected > -40 else { continue }
            count += 1
            for stretch in [ours[0], stretches[0]] {
                worst = max(worst, abs(level(stretch, second) - level(stretch, 45, 60) - expected))
            }
        }
        print("figure: \(name) against ffmpeg: \(count) seconds of noise within \(worst) dB")
        // Six times what a second of noise is off by chance: a spin's ears hear it between its samples, which takes off some more.
        #expect(count > 60)
        #expect(worst < 0.6)
    }

    /// ffmpeg's falls in straight lines from corner to corner, and from an eighth of its level on slower than the format says: by less than 8 to
    /// 9 % in 50 ms (Voices).
    @Test("A bell is struck when ffmpeg's is, at its pitch and level, and is as loud to 1.3 dB until it has fallen to an eighth")
    func bell() async throws {
        let text = "-SE\noff: -\na: bell+440/40\nb: bell+600/20\nNOW off\n+00:02 == a\n+00:04 == b\n+00:06 off\n"
        let reading = try SequenceReading(text: text, name: "bell")
        let ranges = [119.0...122, 239.0...242]
        let theirs = try #require(try await reading.theirs(ranges).stretches)
        for (index, stretches) in zip(reading.ours(ranges), theirs).enumerated() {
            let frequency = [440.0, 600][index]
            /// A tenth of a second from a time after the strike on, and a twentieth later.
            func measured(_ stretch: SequenceReading.Stretch, _ tenth: Int, later: Int = 0) -> (frequency: Double, amplitude: Double) {
                let first = 8000 + 800 * tenth + later
                return toneMeasured(stretch.left[first..<first + 800], near: frequency, sampleRate: SequenceReading.sampleRate)
            }
            for stretch in [stretches.0, stretches.1] where index == 0 {
                #expect(stretch.left[..<7990].allSatisfy { $0 == 0 }, "nothing sounds before")
            }
            for tenth in 0..<13 {
                let (our, their) = (measured(stretches.0, tenth), measured(stretches.1, tenth))
                #expect(abs(our.frequency - frequency) < 1e-3)
                #expect(abs(their.frequency - frequency) < 1e-3)
                #expect(abs(decibels(our.amplitude / (reading.unit * 100) / their.amplitude)) < 1.3, "after \(tenth) tenths")
                // After its rise of 5 ms.
                let loss = 1 - measured(stretches.0, tenth, later: 400).amplitude / our.amplitude
                if tenth > 0 { #expect((0.08...0.09).contains(loss), "\(loss) in 50 ms") }
            }
        }
    }

    private static func expectSame(_ figures: (count: Int, frequency: Double, level: Double), _ tolerance: Double) {
        #expect(figures.frequency < tolerance, "\(figures)")
        #expect(figures.level < 0.1, "\(figures)")
    }

    private static func report(_ name: String, _ found: Findings) {
        print(
            "figure: \(name) against ffmpeg: \(found.steady.count) steady seconds within \(found.steady.frequency) Hz, \(found.steady.level) dB; \(found.moving.count) tenths in changes within \(found.moving.frequency) Hz, \(found.moving.level) dB"
        )
    }

    /// In these there is no tone to compare.
    private static let noises = ["voice-spins.sbg"]

    // MARK: Where to look, and how

    /// All of each plateau and each change of five minutes at most and of one minute; of a longer one its ends and its middle, since between
    /// its ends nothing changes in a plateau (Transitions, 1), and nothing but along one straight line in a change (Transitions, 6). In a
    /// stress run 40 places of each, and all of those of an hour and of ten minutes.
    private static func ranges(_ reading: SequenceReading) -> [ClosedRange<Double>] {
        let corners = reading.corners
        var ranges: [ClosedRange<Double>] = []
        for (start, end) in zip(corners, corners.dropFirst()) {
            let isSteady = reading.pieces(at: (start + end) / 2).allSatisfy { $0.from == $0.to }
            let places = isStress ? 40 : 1
            let (width, all) = isSteady ? (1.2, isStress ? 3600.0 : 300) : (3.0, isStress ? 600 : 61)
            guard end - start > all else {
                ranges.append(start...end)
                continue
            }
            ranges += [start...(start + width), (end - width)...end]
            for place in 1...places {
                let second = start + ((end - start) * Double(place) / Double(places + 1)).rounded(.down)
                ranges.append(second...min(second + width, end))
            }
        }
        return ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
    }

    /// Seconds between corners in which nothing moves, and tenths in which something does.
    private static func compare(_ reading: SequenceReading, _ ours: [SequenceReading.Stretch], _ theirs: [SequenceReading.Stretch])
        -> Findings
    {
        var found = Findings()
        // Steps take 20 ms.
        let margin = 0.03
        for (our, their) in zip(ours, theirs) {
            let count = min(our.left.count, their.left.count)
            var frame = 0
            while frame < count {
                let time = our.start + Double(frame) / SequenceReading.sampleRate
                let pieces = reading.pieces(at: time)
                let isSteady = pieces.allSatisfy { $0.from == $0.to }
                let room = (pieces.map(\.end).min() ?? time) - time - margin
                let isInside = pieces.allSatisfy { $0.start <= time - margin } || time == 0
                let width = isSteady ? 1.0 : 0.1
                let frames = Int(width * SequenceReading.sampleRate)
                guard isInside, room > width, frame + frames <= count else {
                    frame += Int(0.02 * SequenceReading.sampleRate)
                    continue
                }
                for piece in pieces {
                    guard case .tone = piece.kind else { continue }
                    let expected = piece.voice(at: time + width / 2)
                    // Softer ones are too inaccurate.
                    guard expected.amplitude > 0.5 else { continue }
                    for (ear, ours, theirs) in [(0.5, our.left, their.left), (-0.5, our.right, their.right)] {
                        let frequency = expected.carrier + ear * expected.beat
                        let range = frame..<frame + frames
                        let x = toneMeasured(ours[range], near: frequency, sampleRate: SequenceReading.sampleRate)
                        let y = toneMeasured(theirs[range], near: frequency, sampleRate: SequenceReading.sampleRate)
                        let own = decibels(x.amplitude / (reading.unit * expected.amplitude))
                        let level = decibels(x.amplitude / (reading.unit * 100) / y.amplitude)
                        if abs(own) > 0.1 || abs(x.frequency - frequency) > (isSteady ? 1e-3 : 0.02) {
                            found.ours.append("at \(time) s: \(own) dB, \(x.frequency) Hz for \(frequency)")
                        }
                        if isSteady {
                            Findings.add(&found.steady, x.frequency - y.frequency, level)
                        } else {
                            Findings.add(&found.moving, x.frequency - y.frequency, level)
                        }
                    }
                }
                frame += frames
            }
        }
        return found
    }
}
