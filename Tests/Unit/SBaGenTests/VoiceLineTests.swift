import PatchFiles
import Patches
import SBaGen
import Testing

@Suite("Files of SBaGenX's library (.sbxseq)")
struct VoiceLineTests {
    private func sequence(_ text: String, file: String = "night.sbxseq", dialect: SequenceDialect? = nil) throws -> SBaGenSequence {
        try SBaGenSequence.parse(bytes: Array(text.utf8), file: file, dialect: dialect)
    }

    @Test("Each line is a corner: it moves over the whole time to the next one, and the last one ends it")
    func corners() throws {
        let text = "## Two tones\n0 200@10/20 ramp\n90s 300@4/10  # slower\n2m 300@4/10 step\n0.05h 100@2/10\n"
        let sequence = try sequence(text)
        #expect(sequence.dialect == .sbagenx && sequence.remarks.isEmpty)
        #expect(sequence.lines.map(\.time) == [.now(0), .now(90), .now(120), .now(180)])
        #expect(sequence.lines.map(\.move) == [.straight, .straight, .hold, .straight])
        let timeline = SequenceTimeline(sequence)
        func voice(_ time: Double) throws -> SequenceVoice {
            try #require(timeline.voices[0].first { $0.start <= time && time < $0.end }).voice(at: time)
        }
        #expect(try voice(45).carrier == 250 && voice(45).beat == 7 && voice(45).amplitude == 15)
        #expect(try voice(179).carrier == 300)
        let patch = sequence.patch(now: 0)
        #expect(patch.duration == 180 && !patch.loops)
    }

    @Test("The same lines with times of day sound alike in a sequence of SBaGenX's")
    func likeSequences() throws {
        let lines = ["200+10/20 ramp", "300+4/10", "pink/20 hold", "200@8/15"]
        let voices = try sequence(lines.enumerated().map { "\($0 * 60) \($1)" }.joined(separator: "\n"))
        let timed = try sequence(
            "-SE\n" + lines.enumerated().map { "0:0\($0) \($1)" }.joined(separator: "\n"), file: "night.sbg", dialect: .sbagenx)
        #expect(SequenceTimeline(voices).voices == SequenceTimeline(timed).voices)
    }

    @Test("One line has no end")
    func single() throws { #expect(try sequence("0 200+10/20\n").patch(now: 0).duration == nil) }

    @Test(
        "What is not a time and one voice is a fault at its place",
        arguments: [
            ("x 200+10/20", "`x` is not a time"), ("1.5 200+10/20", "`1.5` is not a time"), ("-1 200+10/20", "`-1` is not a time"),
            ("24h 200+10/20", "`24h` is not a time"), ("1e3 200+10/20", "`1e3` is not a time"),
            ("1..5m 200+10/20", "`1..5m` is not a time"),
            ("0:30 200+10/20", "`0:30` is not a time"), ("nan 200+10/20", "`nan` is not a time"), ("s 200+10/20", "`s` is not a time"),
            ("99999999999999999999h 200+10/20", "is not a time"), ("10 200+10/20\n5 200+10/20", "`5` is earlier than the line above"),
            ("10 200+10/20 100+5/10", "`100+5/10`"), ("10", "10"), ("10 bed", "`bed`"), ("10 200+10/20 soon", "`soon`"),
            ("bed: 200+10/20", "`bed:` is not a time"), ("-SE", "`-SE` is not a time"), ("", "empty"), ("# nothing\n", "no time"),
        ])
    func faults(text: String, words: String) {
        do {
            _ = try sequence(text)
            Issue.record("it is read")
        } catch {
            #expect("\(error)".contains(words), "\(error)")
        }
    }

    @Test("It is SBaGenX's, whatever else is asked for")
    func dialect() {
        #expect(throws: Diagnostics.self) { try sequence("0 200+10/20\n60 200+10/20\n", dialect: .sbagen) }
    }
}
