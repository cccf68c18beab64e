import Foundation
import Patches
import Testing

@Suite("Faders") struct NormCurveTests {
    static let descriptions = LayerKind.allCases.flatMap(\.parameters)

    @Test("every fader goes from its lowest to its highest value and back to the same place")
    func bothWays() {
        for description in Self.descriptions {
            let curve = description.norm
            var previous = -Double.infinity
            for step in 0...1000 {
                let norm = Double(step) / 1000
                let value = curve.value(atNorm: norm)
                #expect(description.range.contains(description.value(atNorm: norm)))
                #expect(value > previous)
                #expect(abs(curve.norm(of: value) - norm) < 1e-12)
                previous = value
            }
        }
    }

    @Test("a fader is clamped at its ends, and NaN is the lower one")
    func clamping() {
        for description in Self.descriptions {
            let curve = description.norm
            #expect(curve.value(atNorm: -1) == curve.value(atNorm: 0))
            #expect(curve.value(atNorm: .nan) == curve.value(atNorm: 0))
            #expect(curve.value(atNorm: 2) == curve.value(atNorm: 1))
            #expect(curve.value(atNorm: .infinity) == curve.value(atNorm: 1))
            #expect(curve.norm(of: -.infinity) == 0)
            #expect(curve.norm(of: .infinity) == 1)
            #expect(curve.norm(of: .nan) == 0)
        }
    }

    @Test("the carrier's fader moves in equal steps of pitch, the gain's is off at 0")
    func shapes() {
        let carrier = ParameterDescription.carrier.norm
        #expect(abs(carrier.value(atNorm: 0.5) - 200) < 1e-9)
        #expect(carrier.value(atNorm: 0) == 20)
        #expect(carrier.value(atNorm: 1) == 2000)
        let gain = ParameterDescription.gain.norm
        #expect(gain.value(atNorm: 0) == -120)
        #expect(gain.value(atNorm: 0.5) == -30)
        #expect(gain.value(atNorm: 1) == 0)
        #expect(gain.norm(of: -120) == 0)
        #expect(gain.norm(of: -30) == 0.5)
        let time = NormCurve.time(60...86_400)
        #expect(time.value(atNorm: 0) == 0)
        #expect(time.value(atNorm: 1) == 86_400)
        #expect(abs(time.value(atNorm: 0.5) - 2276.8) < 0.1)
        #expect(time.norm(of: 0) == 0)
        #expect(time.norm(of: 30) == 0.001)
        #expect(time.norm(of: 60) == 0.001)
        #expect(abs(time.norm(of: time.value(atNorm: 0.3)) - 0.3) < 1e-12)
    }

    @Test("a value is clamped to its parameter's range, and NaN becomes the default")
    func parameterClamping() {
        #expect(ParameterDescription.carrier.clamped(0) == 1)
        #expect(ParameterDescription.carrier.clamped(1e9) == 20_000)
        #expect(ParameterDescription.gain.clamped(-.infinity) == -120)
        #expect(ParameterDescription.gain.clamped(.nan) == -26)
        #expect(ParameterDescription.pan.clamped(0.25) == 0.25)
    }
}

@Suite("Tuning and notes") struct TuningTests {
    @Test("A4 is 69, C4 is 60, and a name gives its number")
    func names() {
        for (name, number) in [
            ("A4", 69), ("C4", 60), ("A3", 57), ("c#4", 61), ("Db4", 61), ("D♭4", 61), ("C♯4", 61), ("C-1", 0), ("G9", 127), ("B3", 59),
            ("bb2", 46), ("Cb4", 59),
        ] {
            #expect(Note(name: name)?.rawValue == number, "\(name)")
        }
        for number in 0...127 { #expect(Note(name: Note(rawValue: number)!.name)?.rawValue == number) }
    }

    @Test(
        "a name may have cents, of which a hundred are a semitone",
        arguments: [("A3+14", 57, 14), ("C-1-50", 0, -50), ("Bb2+99", 46, 99), ("A4-7", 69, -7)])
    func cents(name: String, key: Int, cents: Int) throws {
        let note = try #require(Note(name: name))
        #expect((note.rawValue, note.cents) == (key, cents))
        #expect(Note(name: note.name) == note)
        #expect(note != Note(rawValue: key))
        let ratio = Tuning().carrier(of: note) / Tuning().frequency(ofNote: Double(key))
        #expect(abs(1200 * log2(ratio) - Double(cents)) < 1e-9 || key == 0)
    }

    @Test(
        "names other than the notes from C-1 to G9 have no number",
        arguments: [
            "", "H4", "A", "4", "A44", "A4 ", "A##4", "G#9", "Cb-1", "A-", "A+4", "a٣", "é4", "B", "A4+", "A4+100", "A4+1.5", "A4 +1",
            "A4++1", "C-1-",
        ])
    func notNames(name: String) {
        #expect(Note(name: name) == nil)
        #expect(Note(rawValue: -1) == nil)
        #expect(Note(rawValue: 128) == nil)
    }

    @Test("frequencies are those of equal temperament to 1e-14, at any A4", arguments: [440, 432, 415.3, 442])
    func frequencies(a4: Double) {
        let tuning = Tuning(a4: a4)
        #expect(tuning.frequency(ofNote: 69) == a4)
        #expect(tuning.frequency(ofNote: 81) == 2 * a4)
        #expect(tuning.frequency(ofNote: 57) == a4 / 2)
        for number in stride(from: 0.0, through: 127, by: 0.25) {
            let expected = a4 * pow(2, (number - 69) / 12)
            #expect(abs(tuning.frequency(ofNote: number) / expected - 1) < 1e-14)
            #expect(abs(tuning.note(ofFrequency: expected) - number) < 1e-12)
        }
    }

    @Test("A4 stays within 200...900 Hz")
    func range() {
        #expect(Tuning(a4: 1).a4 == 200)
        #expect(Tuning(a4: .infinity).a4 == 900)
        #expect(Tuning(a4: .nan).a4 == 440)
    }
}

@Suite("Times as text") struct DurationTextTests {
    @Test(
        "seconds, minutes and hours are read",
        arguments: [
            ("0", 0), ("5", 5), ("0.02", 0.02), ("90", 90), ("1e3", 1000), ("0:05", 5), ("1:30", 90), ("30:00", 1800), ("90:00", 5400),
            ("1:02:03", 3723),
            ("1:02:03.25", 3723.25), ("0:00.1", 0.1), ("8784:00:00", 31_622_400),
        ] as [(String, Double)])
    func reads(text: String, seconds: Double) {
        #expect(DurationText.parse(text) == seconds)
    }

    @Test(
        "an invalid time is refused",
        arguments: [
            "", ":", "1:", ":30", "1:5", "1:60", "1:005", "1:2:3:4", "1:60:00", "-1", "1:-5", "5m", "nan", "inf", "1:30.", "1:30.x", "1e99",
            "8784:00:01", "1 :30", "１:30",
            "99999999999999999999:00",
        ])
    func refuses(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "a time is printed as it is read",
        arguments: [
            (0, "0:00"), (5, "0:05"), (59.5, "0:59.5"), (60, "1:00"), (754.1, "12:34.1"), (3599, "59:59"), (3600, "1:00:00"),
            (3723.5, "1:02:03.5"), (-5, "-0:05"),
            (.infinity, "-:--"), (.nan, "-:--"), (1e-9, "0:00"), (1.5e-5, "0:00"), (-1.5e-5, "-0:00"),
        ] as [(Double, String)])
    func prints(seconds: Double, text: String) {
        #expect(DurationText.string(from: seconds) == text)
    }

    @Test("a printed time reads back as the same number")
    func roundTrip() {
        var seconds = 0.000123
        while seconds < DurationText.maximum {
            #expect(DurationText.parse(DurationText.string(from: seconds)) == seconds)
            seconds *= 1.0137
        }
    }
}

@Suite("Spelling") struct SpellingTests {
    @Test(
        "the nearest word is found if it is near enough",
        arguments: [
            ("baet", "beat"), ("beet", "beat"), ("BEAT", "beat"), ("carier", "carrier"), ("carrer", "carrier"), ("gian", "gain"),
            ("xyzzy", nil), ("", nil), ("q", nil),
        ] as [(String, String?)])
    func finds(word: String, expected: String?) {
        #expect(closest(to: word, among: ["carrier", "beat", "gain", "pan"]) == expected)
    }
}

@Suite("Names") struct NameTests {
    @Test("a JACK client's name may have spaces, but is not only spaces")
    func clientName() {
        for name in ["binaural", "my tones", " b", String(repeating: "x", count: 63)] { #expect(name.isClientName, "\(name)") }
        for name in ["", " ", "   ", "\u{A0}", ".hidden", "a:b", "a/b", "a\nb", String(repeating: "x", count: 64)] {
            #expect(!name.isClientName, "\(name)")
        }
    }
}
