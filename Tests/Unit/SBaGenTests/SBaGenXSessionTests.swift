import Foundation
import PatchFiles
import Patches
import Testing

@testable import SBaGen

/// The sessions of `-p` as SBaGenX plays them, against its formulas, written down here a second time.
@Suite("Sessions of SBaGenX") struct SBaGenXSessionTests {
    private func patch(_ text: String, _ dialect: SequenceDialect? = nil) throws -> Patch {
        try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg", dialect: dialect).patch()
    }

    private func value(_ patch: Patch, _ parameter: Parameter, _ position: Double) throws -> Double {
        try #require(patch.value(of: parameter, layer: 0, at: position, edits: []))
    }

    private func level(_ patch: Patch, _ layer: Int, _ position: Double) throws -> Double {
        100 * Amplitude.ratio(try #require(patch.value(of: .gain, layer: layer, at: position, edits: [])) + 6)
    }

    @Test("a drop follows its formula to 1 mHz at every second, its carrier a straight line on through the hold, and back in the wake")
    func drop() throws {
        let patch = try patch("-p drop t30,20,4 -01b.5s+^/40:S=12 200/10\n")
        #expect(patch.duration == Double((30 + 20 + 4) * 60 + 10))
        #expect(patch.chapters.map(\.title) == ["drop", "hold", "wake"])
        #expect(patch.chapters.map(\.start) == [0, 1800, 3000])
        let (start, target) = (12.0, (3.7 + 3.1) / 2)
        for second in stride(from: 0.0, through: 3240, by: 1) {
            let minutes = second / 60
            let beat =
                second <= 1800
                ? start * pow(target / start, minutes / 30) : second <= 3000 ? target : target + (start - target) * (minutes - 50) / 4
            let low = 207 - 5 * (1 + 20.0 / 30)
            let carrier = second <= 3000 ? 207 - 5 * minutes / 30 : low + (207 - low) * (minutes - 50) / 4
            #expect(abs(try value(patch, .beat, second) - beat) < 1e-3, "\(second) s")
            #expect(abs(try value(patch, .carrier, second) - carrier) < 1e-9, "\(second) s")
        }
        // It begins at once; only the tone fades in the last 10 s.
        #expect(abs(try level(patch, 0, 0) - 40) < 0.01)
        #expect(abs(try level(patch, 0, 3245) - 20) < 0.01)
        #expect(abs(try level(patch, 1, 3249) - 10) < 0.01)
        #expect(try self.patch("-F 4000\n-p drop t1,0,0 00bs/40:S=12\n").duration == 64)
    }

    @Test("steps jump, have the beat of their number, and the carrier of their end")
    func steps() throws {
        // Four minutes make two steps of three, the second one cut.
        let patch = try patch("-p drop t4,5,0 -00a+/40\n")
        #expect(patch.duration == Double(9 * 60 + 10))
        for (second, beat, carrier) in [(0.0, 10.0, 201.25), (179, 10, 201.25), (181, 4.4, 197.5), (359, 4.4, 197.5), (361, 4.4, 193.75)] {
            #expect(abs(try value(patch, .beat, second) - beat) < 1e-9, "\(second)")
            #expect(abs(try value(patch, .carrier, second) - carrier) < 1e-9, "\(second)")
        }
        #expect(abs(try value(try self.patch("-p drop t5,0,0 -00ak\n"), .beat, 150) - 10 * pow(0.44, 0.5)) < 1e-9)
        // A hold shorter than a step has the carrier of the last one.
        let short = try self.patch("-p drop t6,2,1 00d+\n", .sbagenx)
        for (second, carrier) in [(100.0, 202.5), (300, 200), (400, 200), (479, 200)] {
            #expect(abs(try value(short, .carrier, second) - carrier) < 1e-9, "\(second)")
        }
    }

    @Test(
        "a sigmoid follows its formula to 1 mHz at every second",
        arguments: [("", 0.125, 0.0), (":l=0.3:h=-4", 0.3, -4), (":l=0.05:h=7", 0.05, 7)])
    func sigmoid(options: String, slope: Double, shift: Double) throws {
        let patch = try patch("-p sigmoid t40,10,3 05-c.5s+\(options)\n")
        let target = 8.8 - (3.1 + 2.5) / 2
        let (first, last) = (tanh(slope * (-20 - shift)), tanh(slope * (20 - shift)))
        let height = (target - 10) / (last - first)
        for second in stride(from: 0.0, through: 3000, by: 1) {
            let beat = second >= 2400 ? target : height * tanh(slope * (second / 60 - 20 - shift)) + 10 - height * first
            #expect(abs(try value(patch, .beat, second) - beat) < 1e-3, "\(second) s")
        }
    }

    @Test("a drop without a tone is silent, and its beat drives the amplitude modulation of the sound file")
    func noTone() throws {
        let patch = try patch("-m a -p drop t10,0,0 Nas mix/50 mixam:beat\n")
        #expect(patch.layers.map(\.kind) == [.binaural, .file])
        #expect(try value(patch, .gain, 300) == Parameter.off)
        for second in [0.0, 150, 300, 600] {
            let rate = try #require(patch.value(of: .amRate, layer: 1, at: second, edits: []))
            #expect(abs(rate - 10 * pow(0.44, second / 600)) < 1e-3)
        }
    }

    @Test("the hold of a drop in steps has a chapter, and a carrier that arrives at 1 Hz stays there")
    func ends() throws {
        #expect(try patch("-p drop t4,5,2 -00a+^/40\n").chapters.map(\.title) == ["drop", "hold", "wake"])
        let low = try patch("-p drop t5,300,3 -00ds+\n", .sbagenx)
        // 205 Hz less one Hz a minute.
        for (minutes, carrier) in [(0.0, 205.0), (60, 145), (204, 1), (205, 1), (300, 1)] {
            #expect(abs(try value(low, .carrier, 60 * minutes) - carrier) < 0.02, "\(minutes)")
        }
        let wave = try patch("-p slide t1 square:200+10/20\n")
        #expect(wave.layers[0].wave == .square)
    }

    @Test("a bell is struck at its line, not in the rise before it, and at the start only within its own time")
    func bells() throws {
        let text = "a: 200+10/20\nb: bell+300/50\n0:00 a linear\n0:10 b hold\n0:20 a\n"
        func strikes(_ options: String) throws -> [Double] {
            let patch = try patch(options + text)
            let bell = try #require(patch.layers.firstIndex { $0.kind == .bell })
            return patch.strikes(ofLayer: bell).dropFirst().map { $0 }
        }
        #expect(try strikes("-SE\n") == [600])
        #expect(try strikes("-T 0:08 -E\n") == [120])
        #expect(try strikes("-T 0:12 -E\n") == [0])
        // All of the tone, in the first half.
        let fade = try patch("-SE\n" + text.replacing("linear", with: "->"))
        #expect(abs(try level(fade, 0, 150) - 10) < 0.01)
        #expect(abs(try level(fade, 0, 450)) < 0.01)
    }

    @Test("a tone holds until the line of a bell, and is silent until the next line behind it, without codes")
    func bellsBesideTones() throws {
        let text = "a: 100/10\nb: bell+500/40\n0:00 a\n0:00:05 b\n0:00:10 a\n0:00:14 a\n"
        let patch = try patch("-SE\n" + text, .sbagenx)
        for (position, percent) in [(0.1, 10.0), (2.5, 10), (4.9, 10), (5.1, 0), (7.5, 0), (9.9, 0), (10.1, 10), (13, 10)] {
            #expect(abs(try level(patch, 0, position) - percent) < 0.01, "\(position) s")
        }
        #expect(patch.strikes(ofLayer: 1).filter { $0 > 0 } == [5])
    }

    @Test("a `waveNN` is played as SBaGen's, and a remark says that it is an envelope in SBaGenX")
    func waves() throws {
        func remarks(_ dialect: SequenceDialect) throws -> [SequenceFault?] {
            let text = "wave00: 0 1\na: wave00:200+4/20\nb: wave00:300+4/20\nNOW a\n+0:10 b\n"
            return try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg", dialect: dialect).remarks
                .map { $0.fault as? SequenceFault }
        }
        #expect(try remarks(.sbagenx) == [.waveOfTone])
        #expect(try remarks(.sbagen).isEmpty)
    }

    @Test("prefixes that `mixspin` is played without are named")
    func spinPrefixes() throws {
        for (prefix, fault) in [
            ("custom00:", SequenceFault.motionWithoutEnvelope), ("spin00:", .motionAsSine("a drawn motion")),
            ("square:", .motionAsSine("a waveform before `mixspin`")), ("custom00:spin00:", .motionWithoutEnvelope),
        ] {
            let text = "-m a\ncustom00: 0 1\nspin00: 1 -1\na: mix/40 \(prefix)mixspin:300+0.5/50\nNOW a\n"
            let remarks = try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg", dialect: .sbagenx).remarks
            #expect(remarks.map { $0.fault as? SequenceFault } == [fault])
        }
    }

    @Test("the steps of a drawn envelope have their edges in the middle, and without a beat it keeps its first level")
    func envelopeSteps() throws {
        let envelope = try #require(try patch("custom00: e=0 1 0 1 0.5\na: custom00:300@2/20\nNOW a\n").layers[0].envelope)
        let levels = envelope.levels
        #expect(levels.count == 128)
        for (step, from, to) in [(0, 0.5, 1.0), (32, 1, 0), (64, 0, 1), (96, 1, 0.5)] {
            #expect(levels[(step + 127) % 128] == from && levels[step] == (from + to) / 2 && levels[step + 1] == to, "\(step)")
        }
        let still = try patch("custom00: e=0 0.5 1\na: custom00:300+0/20\nNOW a\n")
        #expect(abs(try level(still, 0, 10) - 10) < 0.01)
    }

    @Test("the tone may be isochronic or monaural, in sessions and in tone-sets")
    func tones() throws {
        #expect(try patch("-p drop 00as@\n").layers.map(\.kind) == [.isochronic])
        #expect(try patch("-p drop 00asM\n").layers.map(\.kind) == [.monaural])
        let slide = try patch("-p slide t10 205M10/20\n")
        #expect(slide.layers.map(\.kind) == [.monaural])
        #expect(slide.duration == 610)
        #expect(abs(try value(slide, .carrier, 300) - 105) < 1e-9)
        let set = try patch("a: 200M10/40 square:300m4/5\nNOW a\n")
        #expect(set.layers.map(\.kind) == [.monaural, .monaural])
        #expect(set.layers.map(\.wave) == [.sine, .square])
        #expect(set.layers.map { $0.values[.beat] } == [10, 4])
    }

    @Test(
        "the sound file and its effects keep their level while an envelope, a waveform or the effect changes, or a `mixam` changes its shape, comes or goes; an effect alone comes and goes evenly",
        arguments: [
            ("mix/50 mixam:8:m=pulse:f=0.3", "mix/50 mixam:8:f=0.2", [50.0], [50.0]), ("mix/50", "mix/40 mixam:4", [50], [40]),
            ("mix/30 mixam:4", "mix/50", [30], [50]),
            ("mix/40 custom00:mixpulse:6/50", "mix/40 custom01:mixpulse:6/70", [40, 28], [40, 28]),
            ("mix/40 custom00:mixbeat:4/50", "mix/40 custom01:mixbeat:4/50", [40, 42], [40, 42]),
            ("mix/40 mixpulse:6/50 mixam:4", "mix/20 mixpulse:6/50", [40, 28], [20, 14]),
            ("mix/40 mixpulse:6/50", "mix/40 square:mixpulse:6/70", [40, 28], [40, 28]),
            ("mix/40 mixpulse:6/50 mixam:4", "mix/20 triangle:mixpulse:6/50", [40, 28], [20, 14]),
            ("mix/40 mixpulse:6/50", "mix/40 mixbeat:4/30", [40, 28], [40, 28]), ("mix/40", "mix/40 mixpulse:6/50", [40, 0], [40, 28]),
            ("mix/40 mixam:5 mixpulse:6/50", "mix/40 mixpulse:6/50", [40, 0, 28], [40, 28, 0]),
        ])
    func blending(first: String, second: String, from: [Double], to: [Double]) throws {
        let head = "-m a\ncustom00: 0 1\ncustom01: 1 0.2 0.5\na: \(first)\nb: \(second)\n"
        for arrow in ["", " ->"] {
            for (options, begins) in [("-SE", 0.0), ("-T 0:05 -E", 300), ("-SE -L 0:07", 0)] {
                let patch = try patch("\(options)\n\(head)0:00 a\(arrow)\n0:10 b\n0:20 b\n", .sbagenx)
                for (voice, ends) in zip(from, to).enumerated() {
                    let layers = patch.layers.indices.filter { patch.layers[$0].name.hasPrefix("voice\(voice + 1)") }
                    for position in [60.0, 150, 240] {
                        let sum = try layers.reduce(0) { try $0 + level(patch, $1, position) }
                        let wanted = ends.0 + (ends.1 - ends.0) * (begins + position) / 600
                        #expect(abs(sum - wanted) < 0.02, "voice \(voice + 1), \(options), at \(position): \(sum)")
                    }
                }
            }
        }
    }

    @Test("while two shapes of `mixam` or of `mixpulse` blend, both move at the same rate; another effect keeps its own numbers")
    func blendingRates() throws {
        let patch = try patch("-SE -m a\na: mix/50 mixam:8:f=0.1\nb: mix/50 mixam:4:f=0.6\n0:00 a\n0:10 b\n0:20 b\n")
        #expect(patch.layers.count == 2)
        for layer in patch.layers.indices { #expect(patch.value(of: .amRate, layer: layer, at: 300, edits: []) == 6) }
        let waves = try self.patch(
            "-SE -m a\na: mix/40 mixpulse:6/50\nb: mix/40 square:mixpulse:4/50\n0:00 a\n0:10 b\n0:20 b\n")
        #expect(waves.layers.count == 3)
        for layer in [1, 2] { #expect(waves.value(of: .pulseRate, layer: layer, at: 300, edits: []) == 5) }
        let effects = try self.patch(
            "-SE -m a\na: mix/40 mixpulse:6/50 mixam:8\nb: mix/40 mixspin:300+0.5/50 mixam:4\n0:00 a\n0:10 b\n0:20 b\n")
        #expect(effects.layers.map(\.name) == ["voice1", "voice2-mixpulse-sine", "voice2-mixspin"])
        for position in [10.0, 300, 590] {
            #expect(effects.value(of: .pulseRate, layer: 1, at: position, edits: []) == 6)
            #expect(effects.value(of: .spinRate, layer: 2, at: position, edits: []) == 0.5)
        }
        for layer in effects.layers.indices { #expect(effects.value(of: .amRate, layer: layer, at: 300, edits: []) == 6) }
    }

    /// The factor of `-A` at a minute.
    private func factor(_ m: Double, d: Double, e: Double, k: Double, E: Double, T: Double, U: Double) -> Double {
        if m >= T { return U > 0 ? min(E + (1 - E) * (m - T) / U, 1) : E }
        return (1 - d * exp(-e * pow(m.truncatingRemainder(dividingBy: 2 * k) - k, 2))) * (1 - (1 - E) * m / T)
    }

    @Test(
        "`-A` takes the sound file and its effects along its course, to 0.005 % at every second, and changes nothing else",
        arguments: [
            ("drop t30,10,5 00bs+^/20", 40.0, 5.0), ("drop t30,10,5 00b+/20", 40, 0), ("sigmoid t20,5,3 00as^/20", 20, 3),
            ("slide t25 205+10/20", 25, 0),
        ])
    func mixDips(session: String, fall: Double, wake: Double) throws {
        let words = "-p \(session) mix/30 mixpulse:4/30\n"
        let (plain, moved) = (try patch("-m a\n" + words, .sbagenx), try patch("-m a\n-A d=0.4:e=0.2:k=7:E=0.5\n" + words))
        #expect(moved.layers[0] == plain.layers[0] && moved.layers.map(\.kind) == plain.layers.map(\.kind))
        #expect(moved.chapters.map(\.title) == plain.chapters.map(\.title))
        #expect(moved.duration == plain.duration)
        for second in stride(from: 0.0, through: (fall + wake) * 60, by: 1) {
            let expected = factor(second / 60, d: 0.4, e: 0.2, k: 7, E: 0.5, T: fall, U: wake)
            #expect(abs(try level(moved, 1, second) - 30 * expected) < 0.005, "\(second) s")
            #expect(abs(try level(moved, 2, second) - 21 * expected) < 0.005, "\(second) s")
            #expect(abs(try value(moved, .beat, second) - value(plain, .beat, second)) < 1e-9, "\(second) s")
            #expect(abs(try value(moved, .carrier, second) - value(plain, .carrier, second)) < 1e-9, "\(second) s")
        }
    }

    @Test("`-A` has values of its own, and takes along a file that no voice plays; without a session or a file it has no effect")
    func usualMixCourse() throws {
        let whole = try patch("-m a -A -p drop t30,10,5 00bs/20\n")
        #expect(whole.layers.map(\.kind) == [.binaural, .file])
        // With 20 % of the tone it is scaled by 100/120.
        for minute in [0.0, 10, 11.5, 20, 30] {
            let expected = factor(minute, d: 0.3, e: 0.3, k: 10, E: 0.7, T: 30, U: 0)
            #expect(abs(try level(whole, 1, minute * 60) - 100 / 1.2 * expected) < 0.01, "\(minute) min")
        }
        for text in ["-A\n-p drop 00as/20 mix/30\n", "-m a -A\na: mix/50\nNOW a\n"] {
            let remarks = try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg").remarks
            #expect(remarks.contains { "\($0.fault as? SequenceFault)".contains("optionWithoutEffect(\"A\"") }, "\(remarks)")
        }
        for shape in ["d=2", "d=0.3:d=0.4", "x=1", "e=-1", "k=0", "k=nan", "E=", "=", "d=0.3:", "d=1=1"] {
            #expect(throws: Diagnostics.self, "\(shape)") { try patch("-m a -A \(shape) -p drop 00as/20\n") }
        }
        // Dips that are too many for straight lines; all of the session is equally coarse then, and a message says so.
        func sequence(_ shape: String) throws -> SBaGenSequence {
            try SBaGenSequence.parse(bytes: Array("-m a -A \(shape) -p drop t1380,0,0 00as/20 mix/40\n".utf8), file: "a.sbg")
        }
        func isRough(_ sequence: SBaGenSequence) -> Bool { sequence.remarks.contains { $0.fault as? SequenceFault == .roughMixCourse } }
        #expect(!isRough(try sequence("k=60")))
        let narrow = try sequence("d=1:e=1000:k=0.1:E=0")
        #expect(isRough(narrow))
        let times = narrow.lines.map { $0.time.seconds(now: 0) }
        #expect(times.count <= 3600 && times.count > 1800)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 <= 60 }, "\(zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0)")
    }

    @Test("a plain drop is SBaGen's, unless the dialect is asked for; SBaGen's refuses what it does not know")
    func dialects() throws {
        #expect(try patch("-p drop 00as\n").duration == 1815)
        #expect(try patch("-p drop 00as\n", .sbagenx).duration == 1810)
        for text in [
            "-p drop -00as", "-p drop 00a.5s", "-p drop 00-as", "-p drop 00as@", "-p drop 00a+s", "-p drop 00as:S=8", "-p sigmoid 00as",
            "-i 200M10/1",
        ] {
            #expect(throws: Never.self) { try patch(text + "\n") }
            let error = #expect(throws: Diagnostics.self) { try patch(text + "\n", .sbagen) }
            #expect(error?.all.contains { if case .otherDialect = $0.fault as? SequenceFault { true } else { false } } == true, "\(text)")
        }
        for text in [
            "00", "00m", "00ass", "00ask", "00a.", "00a.s", "00a.123456789", "--00a", "00as:", "00as:S", "00as:S=", "00as:S=0", "00as:x=1",
            "00as:l=1", "00as/101", "00a/", "0a",
        ] {
            #expect(throws: Diagnostics.self, "\(text)") { try patch("-p drop \(text)\n") }
        }
        #expect(
            "\(try #require(#expect(throws: Diagnostics.self) { try patch("-p sigmoid t1,0,0 99ls:h=-1440:l=10\n") }))".contains(
                "does not lead"))
        #expect(
            "\(try #require(#expect(throws: Diagnostics.self) { try patch("-p sigmoid t1380,30,3 00as+\n") }))".contains("at most 23 hours")
        )
        #expect(try patch("-p sigmoid t1380,30,3 00as\n").duration == 1380 * 60 + 10)
        for text in ["00as:l=0", "00as:l=11", "00as:h=-1441", "00as:h=1440:l=10"] {
            #expect(throws: Diagnostics.self, "\(text)") { try patch("-p sigmoid \(text)\n") }
        }
    }
}
