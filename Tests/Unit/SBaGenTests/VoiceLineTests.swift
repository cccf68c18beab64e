import PatchFiles
import Patches
import SBaGen
import TestSupport
import Testing

@Suite("Files of SBaGenX's library (.sbxseq)")
struct VoiceLineTests {
    private func sequence(_ text: String, file: String = "night.sbxseq", dialect: SequenceDialect? = nil) throws -> SBaGenSequence {
        try SBaGenSequence.parse(bytes: Array(text.utf8), file: file, dialect: dialect)
    }

    @Test("Each line is a corner: it moves over the whole time to the next one without going through silence, and the last one ends it")
    func corners() throws {
        let text = "; Two tones\n0 200+10/20 ramp\n90s 300+4/10  # slower\n2m 300+4/10 step // jumps\n0.05h 100+2/10;end\n"
        let sequence = try sequence(text)
        #expect(sequence.dialect == .sbagenx && sequence.remarks.isEmpty)
        #expect(sequence.lines.map(\.time) == [.now(0), .now(90), .now(120), .now(180)])
        #expect(sequence.lines.map(\.move) == [.direct, .direct, .hold, .direct])
        let timeline = SequenceTimeline(sequence)
        func voice(_ time: Double) throws -> SequenceVoice {
            try #require(timeline.voices[0].first { $0.start <= time && time < $0.end }).voice(at: time)
        }
        #expect(try voice(45).carrier == 250 && voice(45).beat == 7 && voice(45).amplitude == 15)
        #expect(try voice(179).carrier == 300)
        let patch = sequence.patch(now: 0)
        #expect(patch.duration == 180 && !patch.loops)
    }

    @Test("Where the next voice is of another kind, a voice stays as it is and jumps there")
    func kinds() throws {
        let sequence = try sequence("0 200+10/20\n60 pink/30 linear\n120 -\n180 square:200+10/20\n240 square:300+10/20\n")
        let pieces = SequenceTimeline(sequence).voices[0].prefix(4)
        #expect(pieces.map(\.start) == [0, 60, 120, 180] && pieces.prefix(3).allSatisfy { $0.from == $0.to })
        #expect(pieces.map(\.from.amplitude) == [20, 30, 0, 20] && pieces[3].to.carrier == 300)
    }

    @Test("The first voice sounds from 0 on, and one line at 0 has no end")
    func beginning() throws {
        let sequence = try sequence("10 200+10/20\n20 300+10/20\n")
        #expect(sequence.lines.map(\.time) == [.now(0), .now(10), .now(20)] && sequence.patch(now: 0).duration == 20)
        #expect(try self.sequence("0 200+10/20\n").patch(now: 0).duration == nil)
    }

    @Test(
        "What is not a time and one voice is a fault at its place",
        arguments: [
            ("x 200+10/20", "`x` is not a time"), ("1.5 200+10/20", "`1.5` is not a time"), ("-1 200+10/20", "`-1` is not a time"),
            ("24h 200+10/20", "`24h` is not a time"), ("1e3 200+10/20", "`1e3` is not a time"),
            ("1..5m 200+10/20", "`1..5m` is not a time"),
            ("0:30 200+10/20", "`0:30` is not a time"), ("nan 200+10/20", "`nan` is not a time"), ("s 200+10/20", "`s` is not a time"),
            ("99999999999999999999h 200+10/20", "is not a time"), ("10 200+10/20\n5 200+10/20", "`5` is not later than the line above"),
            ("0 200+10/20\n0s 200+10/20", "`0s` is not later"),
            ("10 200+10/20 100+5/10", "found `100+5/10` after the voice"), ("10", "the time has no voice"),
            ("10 bed", "the time has no voice"),
            ("10 200+10/20 soon", "found `soon` after the voice"), ("10 200+10/20 step hold", "found `hold` after the voice"),
            ("10 == 200+10/20", "the time has no voice"), ("10 200+10/x", "200+10/x"), ("86399.9999999 200+10/20", "is not a time"),
            ("bed: 200+10/20", "`bed:` is not a time"), ("-SE", "`-SE` is not a time"), ("", "expected a time and a voice"),
            ("# nothing\n", "the sequence has no voices"),
        ])
    func faults(text: String, words: String) {
        do {
            _ = try sequence(text)
            Issue.record("it is read")
        } catch {
            #expect("\(error)".contains(words), "\(error)")
        }
    }

    @Test("A file of any bytes becomes a patch or is refused with a place")
    func mutations() {
        let text = Array("0 200+10/20 ramp\n90s square:300@4/10 # x\n1.5h pink/30 step\n2h bell+400/20\n3h spin:300+4/30 hold\n".utf8)
        var random = SplitMix64(seed: 17)
        var read = 0
        for _ in 0..<3000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: bytes[place...].prefix(5), at: place)
                default: bytes = Array(bytes.prefix(place))
                }
            }
            do {
                let patch = try SBaGenSequence.parse(bytes: bytes, file: "x.sbxseq").patch(now: 0)
                #expect(patch.duration ?? 1 > 0 && !patch.layers.isEmpty)
                read += 1
            } catch {
                #expect(!error.all.isEmpty && !"\(error)".isEmpty)
            }
        }
        #expect(read > 100 && read < 2900, "\(read)")
    }

    @Test("It is SBaGenX's, whatever else is asked for")
    func dialect() {
        #expect(throws: Diagnostics.self) { try sequence("0 200+10/20\n60 200+10/20\n", dialect: .sbagen) }
    }
}
