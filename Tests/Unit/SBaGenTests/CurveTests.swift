import Foundation
import PatchFiles
import Patches
import TestSupport
import Testing

@testable import SBaGen

/// SBaGenX's `-p curve` and its formulas, of which the expected values are Foundation's.
@Suite("Sessions by formulas") struct CurveTests {
    private static func value(_ text: String, _ names: [String: Double] = [:]) throws -> Double {
        let order = names.keys.sorted()
        return try CurveFormula(text, names: order).value(order.map { names[$0]! })
    }

    private static let known: [(text: String, value: Double)] = [
        ("2^3^2", 512), ("-2^2", -4), ("2^-1", 0.5), ("(-2)^3", -8), ("7%4+1", 4), ("-7%4", -3), ("2*3+4/8-1", 5.5),
        ("--3", 3),
        ("1e3+1.5e-1", 1000.15), (".5+5.", 5.5), ("abs(-3)", 3), ("acos(0.3)", acos(0.3)), ("asin(-1)", -Double.pi / 2),
        ("atan(2)", atan(2.0)),
        ("atan(-0.1)", atan(-0.1)), ("atan2(-1,-2)", atan2(-1.0, -2.0)), ("atan2(3,0)", Double.pi / 2), ("ceil(1.2)+floor(-1.2)", 0),
        ("cos(1)", cos(1.0)), ("cosh(1.5)", cosh(1.5)), ("e", M_E), ("exp(2.5)", exp(2.5)), ("fac(5)", 120), ("ln(10)", log(10.0)),
        ("log(1000)", 3), ("log10(0.01)", -2), ("ncr(5,2)", 10), ("npr(5,2)", 20), ("pi*2", 2 * Double.pi),
        ("pow(2,0.5)", pow(2.0, 0.5)),
        ("sin(100)", sin(100.0)), ("sinh(-1)", sinh(-1.0)), ("sqrt(2)", 2.0.squareRoot()), ("tan(1)", tan(1.0)),
        ("tanh(0.7)", tanh(0.7)),
        ("ifelse(1,2,3)", 2), ("ifelse(0,2,3)", 3), ("step(0)", 1), ("step(-1)", 0), ("clamp(5,1,3)", 3), ("clamp(0,3,1)", 1),
        ("lerp(2,4,0.25)", 2.5),
        ("ramp(3,2,6)", 0.25), ("ramp(9,2,6)", 1), ("ramp(2,2,2)", 1), ("smoothstep(0,2,1)", 0.5), ("smoothstep(0,4,1)", 0.15625),
        ("smootherstep(0,4,1)", 0.103515625), ("between(2,2,3)", 1), ("pulse(4,2,3)", 0), ("seg(3,2,6,10,20)", 12.5), ("lt(1,2)", 1),
        ("le(2,2)", 1), ("gt(1,2)", 0), ("ge(1,2)", 0), ("eq(2,2)", 1), ("ne(2,2)", 0), ("min2(1,2)", 1), ("max2(1,2)", 2),
        ("m*m+t", 15),
        ("(1+2)*(3)", 9), (" 1 + \t2 ", 3), ("sin(cos(1))", sin(cos(1.0))),
    ]

    @Test("operators and functions have the values of mathematics, from the right for powers, above the sign", arguments: known.indices)
    func values(index: Int) throws {
        let (text, expected) = Self.known[index]
        let found = try Self.value(text, ["m": 3, "t": 6])
        #expect(abs(found - expected) <= 1e-12 * max(1, abs(expected)), "\(text): \(found)")
    }

    @Test("every function is among those that are tested")
    func functions() {
        let tested = Self.known.flatMap { $0.text.split { !$0.isLetter && !$0.isNumber }.map(String.init) }
        #expect(Set(CurveFunction.allCases.map(\.rawValue)).subtracting(tested).isEmpty)
    }

    @Test(
        "a text that is not a formula has a reason",
        arguments: [
            "", "1+", "(1", "1)", "sin", "sin(", "sin()", "sin(1,2)", "x", "1 2", "2..3", "$", "1e999", "atan2(1)",
            String(repeating: "(", count: 70) + "1",
            String(repeating: "-", count: 70) + "1", String(repeating: "1+", count: 1001) + "1", String(repeating: "abs(", count: 70),
            String(repeating: "2^", count: 70) + "2",
        ])
    func failures(text: String) {
        let failure = #expect(throws: CurveFormula.Failure.self) { try Self.value(text) }
        #expect(failure?.sentence.isEmpty == false)
    }

    @Test(
        "what has no value is not finite, and nothing traps",
        arguments: [
            "1/0", "0/0", "ln(-1)", "ln(0)", "sqrt(-1)", "10^10^10", "(-8)^0.5", "0^-1", "fac(171)", "fac(-1)", "fac(1.5)", "fac(1e300)",
            "ncr(2,3)", "npr(1e300,1e299)",
            "asin(2)", "5%0", "1e300%1e-300", "sin(1e300)", "exp(1e9)", "npr(5,-1)",
        ])
    func notFinite(text: String) throws { #expect(try !Self.value(text).isFinite) }

    // MARK: Sessions

    private func patch(_ options: String, _ file: String) throws -> Patch {
        try SBaGenSequence.parse(
            bytes: Array("-p curve \(options)\n".utf8), file: "a.sbg", files: { name, _ in name == "f.sbgf" ? Array(file.utf8) : nil }
        ).patch()
    }

    private func value(_ patch: Patch, _ parameter: Parameter, _ position: Double, layer: Int = 0) throws -> Double {
        try #require(patch.value(of: parameter, layer: layer, at: position, edits: []))
    }

    @Test("a continuous session follows its formulas to 1 mHz at every second")
    func continuous() throws {
        let file = """
            # A sigmoid by hand.
            param l = 0.125   ; per minute
            param late = 90s  // a minute and a half
            solve A, B : A*tanh(l*(0-D/2-late)) + B = b0 ; A*tanh(l*(D/2-late)) + B = b1
            beat = ifelse(lt(m,D), A*tanh(l*(m-D/2-late))+B, b1)
            carrier<10 = c0 - m
            carrier>=10 = c0 - 10 + 2*sin(2*pi*(m-10)/20)
            amp = a0*(1-0.5*ramp(m,0,T))
            """
        let patch = try patch("t40,10,3 f.sbgf 05cs+/40:l=0.2", file)
        #expect(patch.duration == Double(50 * 60 + 10))
        let (slope, late, start, end) = (0.2, 1.5, 10.0, 3.1)
        let (first, last) = (tanh(slope * (-20 - late)), tanh(slope * (20 - late)))
        let height = (end - start) / (last - first)
        for second in stride(from: 0.0, through: 3000, by: 1) {
            let minute = second / 60
            let beat = minute < 40 ? height * tanh(slope * (minute - 20 - late)) + start - height * first : end
            #expect(abs(try value(patch, .beat, second) - beat) < 1e-3, "\(second) s")
            let carrier = minute < 10 ? 195 - minute : 185 + 2 * sin(2 * .pi * (minute - 10) / 20)
            #expect(abs(try value(patch, .carrier, second) - carrier) < 1e-3, "\(second) s")
            let level = 40 * (1 - 0.5 * minute / 50)
            let found = 100 * Amplitude.ratio(try value(patch, .gain, second) + 6)
            #expect(abs(found - level) < 0.002, "\(second) s")
        }
    }

    @Test("steps have the value of their end, and the tone fades out behind them")
    func steps() throws {
        let patch = try patch("t6,0,0 f.sbgf 00ak/40", "beat = 10 - m\n")
        #expect(patch.duration == 370)
        for minute in 0..<6 { #expect(try value(patch, .beat, Double(minute) * 60 + 30) == 9 - Double(minute)) }
        #expect(abs(100 * Amplitude.ratio(try value(patch, .gain, 365) + 6) - 20) < 0.01)
    }

    @Test("the file and its effects move where the session has them")
    func mix() throws {
        let text = "-m a\n-p curve t10,0,0 f.sbgf 00as/20 mix/40 mixpulse:4/30 mixam:beat\n"
        let file = "beat = 8 - m/2\nmixamp = 40 - m\nmixpulse_hz = 4 + m/10\nmixpulse_amp = m0/2\n"
        let patch = try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg", files: { _, _ in Array(file.utf8) }).patch()
        let (mix, pulse) = (1, 2)
        #expect(patch.layers.map(\.kind) == [.binaural, .file, .file])
        for minute in [0.0, 3, 7, 10] {
            let second = minute * 60
            #expect(abs(100 * Amplitude.ratio(try value(patch, .gain, second, layer: mix) + 6) - (40 - minute)) < 0.002)
            #expect(abs(try value(patch, .amRate, second, layer: mix) - (8 - minute / 2)) < 1e-3)
            #expect(abs(try value(patch, .pulseRate, second, layer: pulse) - (4 + minute / 10)) < 1e-3)
            #expect(abs(try value(patch, .pulseDepth, second, layer: pulse) - 0.2) < 1e-9)
        }
    }

    @Test("levels beyond 0 and 100 % are limited, and rates lose their sign, also where that bends a straight formula")
    func limits() throws {
        let text = "-m a\n-p curve t10,0,0 f.sbgf 00as/20 mix/40 mixpulse:4/30\n"
        let file = "beat = 8\nmixamp = 8*(m-5)\nmixpulse_hz = m-5\n"
        let patch = try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg", files: { _, _ in Array(file.utf8) }).patch()
        for second in stride(from: 0.0, through: 600, by: 1) {
            let minute = second / 60
            #expect(
                abs(100 * Amplitude.ratio(try value(patch, .gain, second, layer: 1) + 6) - max(8 * (minute - 5), 0)) < 0.01, "\(second) s")
            #expect(abs(try value(patch, .pulseRate, second, layer: 2) - max(abs(minute - 5), 0.01)) < 0.02, "\(second) s")
        }
    }

    @Test("without `mix`, `-A` moves the file and not what the formulas know of it")
    func mixDips() throws {
        func tone(_ options: String) throws -> [Double] {
            let text = "-m a\n\(options)-p curve t10,0,0 f.sbgf 00as/20\n"
            let patch = try SBaGenSequence.parse(
                bytes: Array(text.utf8), file: "a.sbg", files: { _, _ in Array("beat = 8\namp = m0/8\nmixamp = 1\n".utf8) }
            ).patch()
            #expect(patch.layers.map(\.kind) == [.binaural, .file])
            return [try value(patch, .gain, 0), try value(patch, .gain, 0, layer: 1)]
        }
        let (plain, moved) = (try tone(""), try tone("-A e=1000 "))
        #expect(zip(plain, moved).allSatisfy { abs($0 - $1) < 1e-3 }, "\(plain) \(moved)")
    }

    @Test("the width and the intensity of a spin of the file move the depth of its spin")
    func mixSpin() throws {
        let text = "-m a\n-p curve t10,0,0 f.sbgf 00as/20 mix/20 mixspin:300+0.5/40\n"
        /// The depth of a layer that swings by the share of an ear.
        func expected(_ width: Double, _ intensity: Double) -> Double {
            let share = min(width * 1e-6 * 44_100 * (0.5 + 3.5 * intensity / 100) / 128, 1)
            return 2 * share / (1 + share)
        }
        /// The largest difference at any second from a spin whose width and intensity are given for each minute.
        func worst(_ file: String, _ width: (Double) -> Double, _ intensity: (Double) -> Double) throws -> Double {
            let patch = try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg", files: { _, _ in Array(file.utf8) }).patch()
            return try stride(from: 0.0, through: 600, by: 1).map { second in
                let minute = second / 60
                return abs(
                    try value(patch, .spinDepth, second, layer: 2) - expected(abs(width(minute)), min(max(intensity(minute), 0), 100)))
            }.max() ?? 1
        }
        #expect(try worst("beat = 8\n", { _ in 300 }, { _ in 40 }) < 1e-6)
        #expect(try worst("beat = 8\nmixspin_width = 200 - 20*m\n", { 200 - 20 * $0 }, { _ in 40 }) < 2e-4)
        #expect(try worst("beat = 8\nmixspin_amp = 10*m\n", { _ in 300 }, { 10 * $0 }) < 2e-4)
        // A product, one that arrives at all of an ear, and one that changes its sign.
        #expect(try worst("beat = 8\nmixspin_width = 30*m\nmixspin_amp = 10*m\n", { 30 * $0 }, { 10 * $0 }) < 2e-4)
        #expect(try worst("beat = 8\nmixspin_width = 500*m\n", { 500 * $0 }, { _ in 40 }) < 4e-3)
        #expect(try worst("beat = 8\nmixspin_width = 200 - 60*m\nmixspin_amp = 900\n", { 200 - 60 * $0 }, { _ in 900 }) < 2e-3)
    }

    @Test(
        "a file with a fault is refused with its line, and one that is missing with its name",
        arguments: [
            ("beat = 10 +\n", "line 1: it ends where"), ("# x\ncarrier = 200\n", "there is no `beat"),
            ("beat = q\n", "line 1: unknown name `q`"),
            ("beat = 10\nbeat = 9\n", "line 2: `beat` has a formula already"), ("beat<5 = 1\nbeat = 2\n", "line 2: `beat` has a formula"),
            ("volume = 3\nbeat = 1\n", "line 1: found `volume"), ("\u{1B}[2J = 3\n", "line 1: found `\u{FFFD}[2J"),
            ("beat = \u{1B}\n", "found `\u{FFFD}`"), ("beat = ½\n", "found `½`"), ("beat = 2e6\n", "is beyond"),
            (
                "beat = 1+" + String(repeating: "2^", count: 20) + "2" + String(repeating: "+sin(1)", count: 265) + "\namp = "
                    + String(repeating: "sin(1)+", count: 265) + "1\n", "operations"
            ), ("param beat = 3\nbeat = 1\n", "cannot be the name of a parameter"),
            ("param x = 3\nparam x = 4\nbeat = x\n", "line 2: `x` is defined already"),
            ("beat = 7,5\n", "decimals have a point, as in 7.5"), ("param x = five\nbeat = 1\n", "`five` is not a number"),
            ("solve A : A*0 = 1\nbeat = A\n", "`solve` finds no solution"), ("solve A,B : A = 1\nbeat = A\n", "as many equations"),
            ("solve A : A = 1 = 2\nbeat = A\n", "one `=`"), ("solve t : t = 1\nbeat = 1\n", "name of the session"),
            ("beat = 1/(m-5)\n", "`beat` has no value at 5:00"), ("beat = 10^10^m^9\n", "is beyond"),
            (String(repeating: "param a = 1\n", count: 6000) + "beat = 1\n", "16384 bytes"), ("beat < 3\n", "expected `=`"),
            ("", "there is no `beat"),
            ((0..<40).map { "param p\($0) = 1\n" }.joined() + "beat = 1\n", "more than 32"),
            ((0..<70).map { "beat<\($0) = 1\n" }.joined(), "more than 64"),
        ])
    func faults(file: String, words: String) {
        let error = #expect(throws: Diagnostics.self) { try patch("t10,0,0 f.sbgf 00as/20", file) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(words), "\(error.map { "\($0)" } ?? "")")
    }

    @Test("other faults of the option are reported")
    func options() {
        for (options, words) in [
            ("t10,0,0 g.sbgf 00as/20", "cannot be read"), ("f.sbgf 00as/20:x=1", "there is no parameter `x`"),
            ("f.sbgf 00as/20:x", "found"),
            ("f.sbgf", "expected a file of formulas"), ("f.sbgf 00as:x=fast", "expected a file of formulas"),
            ("f.sbgf 00zs", "found `00zs`"), ("t2000,0,0 f.sbgf 00as", "minutes"),
        ] {
            let error = #expect(throws: Diagnostics.self) { try patch(options, "beat = 5\n") }
            #expect("\(error.map { "\($0)" } ?? "")".contains(words), "\(options): \(error.map { "\($0)" } ?? "")")
        }
    }

    @Test("a wild formula is cut into as many lines as a sequence may have")
    func wild() throws {
        let patch = try patch("t600,0,0 f.sbgf 00as/20", "beat = 5+4*sin(t*t)\ncarrier = 300+100*sin(t)\namp = 20+10*sin(t*1.7)\n")
        #expect(patch.duration == 36_010)
        #expect(patch.chapters.count + patch.cues.count <= 4096)
    }

    @Test(
        "what is fast, or short, is followed too",
        arguments: [
            "10+sin(2*pi*m)", "10+sin(2*pi*m/5)", "10+sin(2*pi*t/30)", "10+5*between(m,3,4)", "ifelse(between(t,301,303),4,10)",
        ])
    func fast(formula: String) throws {
        let patch = try patch("t10,0,0 f.sbgf 00as/20", "beat = \(formula)\n")
        let course = try CurveFormula(formula, names: ["t", "m"])
        for second in stride(from: 0.0, through: 600, by: 1) {
            let expected = course.value([second, second / 60])
            // A jump takes the second before it.
            let found = try value(patch, .beat, second)
            #expect(abs(found - expected) < 1e-3, "\(second) s: \(found), \(expected)")
        }
    }

    @Test("the times of a curve stand behind its file, as in SBaGenX, or before it")
    func orderOfTimes() throws {
        let file = "beat = 5\ncarrier = 200\n"
        let patch = try patch("f.sbgf t20,10,3 05ds+/20", file)
        #expect(patch.duration == Double(30 * 60 + 10))
        #expect(try patch == self.patch("t20,10,3 f.sbgf 05ds+/20", file))
        for options in ["f.sbgf t20 05ds+/20", "t20,10,3 f.sbgf t20,10,3 05ds+/20"] {
            #expect(throws: Diagnostics.self, "\(options)") { try self.patch(options, file) }
        }
    }

    @Test("-F sets the fade behind steps, and a session without a tone stays silent whatever the file says")
    func tones() throws {
        func patch(_ text: String) throws -> Patch {
            try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg", files: { _, _ in Array("beat = 5\namp = 30\n".utf8) }).patch()
        }
        #expect(try patch("-F 4000\n-p curve t6,0,0 tones.sbgf 00ak/40\n").duration == 364)
        let silent = try patch("-m a\n-p curve t6,0,0 f.sbgf Nas mix/50 mixam:beat\n")
        for second in [0.0, 100, 360] { #expect(try value(silent, .gain, second) == Parameter.off) }
    }

    @Test("a formula that is too fast for straight lines, or too long for every second, is reported")
    func rough() throws {
        func remarks(_ file: String, _ options: String) throws -> [String] {
            try SBaGenSequence.parse(bytes: Array("-p curve \(options)\n".utf8), file: "a.sbg", files: { _, _ in Array(file.utf8) })
                .remarks.map(\.warning)
        }
        #expect(try remarks("beat = 10 - m/100\n", "t60,0,0 f.sbgf 00as").allSatisfy { !$0.contains("too fast") })
        #expect(try remarks("beat = 5+4*sin(t*t)\n", "t600,0,0 f.sbgf 00as").contains { $0.contains("too fast") })
    }

    @Test("the longest formulas in the longest session take in proportion to formulas, and to sessions, of a quarter of their length")
    func longest() throws {
        func time(minutes: Int, terms: Int, _ sound: String) throws -> Duration {
            let formula = "sin(t*t)" + String(repeating: "+0*sin(m)", count: terms)
            let begin = processorTime()
            let patch = try patch("t\(minutes),0,0 f.sbgf \(sound)/20", "beat = \(formula)\namp = 20+\(formula)\n")
            let time = processorTime() - begin
            #expect(patch.duration != nil)
            return time
        }
        for sound in ["00as", "00ak"] {
            let longest = try time(minutes: 1380, terms: 130, sound)
            print("figure: the longest formulas in the longest session, \(sound): \(longest)")
            #expect(try longest < time(minutes: 345, terms: 130, sound) * 16)
            #expect(try longest < time(minutes: 1380, terms: 32, sound) * 16)
        }
    }

    @Test("any mutation of a file of formulas is a session or has a reason")
    func mutations() {
        var random = SplitMix64(seed: 11)
        let whole = Array(
            "param l = 0.1\nsolve A : A+l = 1 ; \nbeat<5 = A*tanh(l*(m-D/2))+b1*2^m\nbeat>=5 = seg(m,5,10,3,4)\namp = clamp(a0,0,100)%7\n"
                .utf8)
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(Array("()+-*/^%,<>=;:0919eE.mt\n".utf8).randomElement(using: &random)!, at: place)
                }
            }
            do {
                let session = [0, 0, 30, 0, 30, 0, 10, 4.4, 205, 200, 1, 99.0]
                _ = try CurveFile(bytes, overrides: [:], session: session).value(of: .beat, session)
            } catch { #expect(!error.sentence.isEmpty) }
        }
    }
}
