import PatchFiles
import Patches
@testable import SBaGen
import Testing

@Suite("orbitbeat") struct OrbitBeatTests {
    private func sequence(_ voice: String, then other: String? = nil) throws -> SBaGenSequence {
        let text = "custom00: 0 1 0.4\na: \(voice)\nb: \(other ?? voice)\n0:00 a ->\n0:10 b\n0:20 b\n"
        return try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg")
    }

    @Test(
        "It is read with either sign of its pulses and turns, a waveform and a drawn envelope, and a distance within its limits",
        arguments: [
            ("orbitbeat:200+8+0.1/20", SequenceVoice.Kind.orbit(.sine, .cosine), 0.1, 1),
            ("orbitbeat:200-8-0.1/20", .orbit(.sine, .cosine), -0.1, 1),
            ("orbitbeat:200@8+0/20:d=2.5", .orbit(.sine, .standard), 0, 2.5),
            ("orbitbeat:200+8+1/20:distance=0", .orbit(.sine, .cosine), 1, 0.25),
            ("triangle:orbitbeat:200+8+1/20:d=1000", .orbit(.triangle, .cosine), 1, 10),
            ("custom00:square:orbitbeat:200@8-2/20", .orbit(.square, .drawn(0)), -2, 1),
        ])
    func reading(text: String, kind: SequenceVoice.Kind, rate: Double, distance: Double) throws {
        let sequence = try sequence(text)
        #expect(sequence.dialect == .sbagenx)
        let voice = sequence.lines[0].set.voices[0]
        #expect(voice.kind == kind && voice.carrier == 200 && voice.beat == 8 && voice.amplitude == 20)
        #expect(voice.orbit == Orbit(rate: rate, distance: distance))
        let layer = sequence.patch().layers[0]
        #expect(layer.kind == .isochronic && layer.effects == [.orbit] && layer.envelope != nil)
        #expect(layer.value(of: .orbitRate) == rate && layer.value(of: .distance) == distance && layer.value(of: .pulseRate) == 8)
    }

    @Test("In a slide carrier, pulse, orbit, distance and level move in straight lines; another envelope comes through silence")
    func slide() throws {
        let patch = try sequence("orbitbeat:200+8+0.1/20", then: "orbitbeat:300+4-0.2/10:d=3").patch()
        #expect(patch.layers.count == 1)
        let ends: [Parameter: Double] = [.carrier: 300, .pulseRate: 4, .orbitRate: -0.2, .distance: 3]
        for (parameter, end) in ends {
            let moves = patch.chapters.flatMap { chapter in chapter.settings.map { (chapter, $0) } }.filter { $0.1.parameter == parameter }
            #expect(moves.contains { $0.0.ease == .linear && $0.1.value == end && ($0.0.over ?? 0) >= 9.9 }, "\(parameter): \(moves)")
        }
        #expect(try sequence("orbitbeat:200+8+0.1/20", then: "orbitbeat:200@8+0.1/20").patch().layers.count == 2)
    }

    @Test("The level of the louder ear is counted, so that nothing is clipped")
    func level() throws {
        let loud = try sequence("orbitbeat:200+8+0.1/100").patch().layers[0]
        #expect((loud.value(of: .gain) ?? 0) <= -6 - Amplitude.decibels(Layer.orbitCrest) + 1e-3)
        let soft = try sequence("orbitbeat:200+8+0.1/20").patch().layers[0]
        #expect(abs((soft.value(of: .gain) ?? 0) + 6 - Amplitude.decibels(0.2)) < 1e-3)
    }

    @Test(
        "A part that is missing or out of range is a fault at its place",
        arguments: [
            ("orbitbeat:x", "expected a number, such as the 200"), ("orbitbeat:200/20", "expected + or @, and pulses per second"),
            ("orbitbeat:200+/20", "expected + or @, and pulses per second"),
            ("orbitbeat:200+8/20", "expected + or -, and turns per second"),
            ("orbitbeat:200+8+/20", "expected + or -, and turns per second"),
            ("orbitbeat:200+8@1/20", "expected + or -, and turns per second"),
            ("orbitbeat:200+8+1", "expected `/` and an amplitude"), ("orbitbeat:200+8+1/120", "amplitude from 0 to 100"),
            ("orbitbeat:200+8+1/20:d=", "expected a distance from 0.25 to 10"), ("orbitbeat:200+8+1/20:x=2", "expected a space"),
            ("orbitbeat:200+8+1/20:d=2x", "expected a space"), ("orbitbeat:200+0+1/20", "the pulse rate"),
            ("orbitbeat:200+8+100.5/20", "the orbit"), ("orbitbeat:200+8-99999999999999999999/20", "the orbit"),
            ("noise00:orbitbeat:200+8+1/20", "noise00"),
            ("orbitbeat:" + String(repeating: "9", count: 400) + "+8+1/20", "expected a number"),
        ])
    func faults(voice: String, words: String) {
        do throws(Diagnostics) {
            _ = try SBaGenSequence.parse(bytes: Array("a: \(voice)\nNOW a\n".utf8), file: "a.sbg")
            Issue.record("\(voice) is read")
        } catch {
            #expect("\(error)".contains(words) && "\(error)".contains("a.sbg:1:"), "\(error)")
        }
    }
}
