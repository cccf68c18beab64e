import Engine
import Foundation
import PatchFiles
import Patches
import SBaGen
import TestSupport
import Testing

@Suite("The sound of sequences") struct SequenceSoundTests {
    private func patch(_ text: String) throws -> Patch {
        try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg").patch()
    }

    /// The largest sample of each stretch of 4800 frames; of a tone of 200 Hz it is a crest.
    private func peaks(_ samples: [Float]) -> [Double] {
        stride(from: 0, to: samples.count - 4799, by: 4800).map { start in
            Double(samples[start..<start + 4800].reduce(0) { max($0, abs($1)) })
        }
    }

    @Test("a fade is a straight line of amplitude, to the last frame")
    func line() throws {
        // It comes in up to 0:30; 40 % down to nothing from 0:30 to 1:00, seen in the left ear, which has 200 Hz.
        let patch = try patch("-SE\na: 195+10/40\noff: -\n1:00 a\n1:01 off\n1:02 off\n")
        let samples = render(PlanCompiler.compile(patch, sampleRate: 48_000), from: 30 * 48_000, count: 35 * 48_000)
        let full = 0.4 * pow(10, -6.0 / 20)
        for (index, peak) in peaks(samples.left).enumerated() {
            let middle = 30 + 0.1 * Double(index)
            let expected = full * min(max((60 - middle) / 30, 0), 1)
            // The level falls, so the highest crest of each tenth of a second is within a cycle of its beginning.
            #expect(abs(peak - expected) <= full * 0.006 / 30 + 2e-6, "at \(middle) s: \(peak) in place of \(expected)")
        }
    }

    @Test("carrier and beat of a slide are straight lines, and its phase is their integral")
    func slide() throws {
        let patch = try patch("-SE\na: 200+10/50\nb: 300+2/50\nNOW a ->\n+0:02 b\n")
        let plan = PlanCompiler.compile(patch, sampleRate: 48_000)
        for second in [10, 45, 80, 110] {
            let samples = render(plan, from: Int64(second) * 48_000, count: 4800)
            // In the middle of a tenth of a second of the sound.
            let part = (Double(second) + 0.05) / 120
            let (carrier, beat) = (200 + 100 * part, 10 - 8 * part)
            for (channel, frequency) in [(samples.left, carrier + beat / 2), (samples.right, carrier - beat / 2)] {
                let measured = try #require(measureSine(channel.map(Double.init)[...], sampleRate: 48_000, near: frequency))
                #expect(abs(measured.frequency - frequency) < 1e-3)
            }
        }
    }

    @Test("half an hour of playback is bit-identical to what seeks in it give")
    func playedThrough() throws {
        let plan = PlanCompiler.compile(
            try patch("-SE\na: 200+10/20 pink/30\nb: 150+4/30 bell+400/10\nNOW a\n+0:10 == b\n+0:20 a ->\n+0:30 b\n"), sampleRate: 8000)
        let whole = render(plan, count: 1800 * 8000, blocks: [8192])
        for second in [0, 569, 599, 600, 615, 1185, 1200, 1500, 1799] {
            let part = render(plan, from: Int64(second) * 8000, count: 8000)
            let isSame = part.left == Array(whole.left[(second * 8000)..<((second + 1) * 8000)])
            #expect(isSame, "at second \(second)")
        }
    }

    @Test("an imported sequence sounds the same, bit for bit")
    func imported() throws {
        let patch = try patch(
            "-SE\na: 200+10/33 pink/30 wave00:100+2/7\nb: 150.7+4/30 square:90/11\nNOW a\n+0:01 == b\n+0:02 a\n".prependingWave)
        let again = try Patch.parse(patch.yaml, file: "b.yaml")
        let a = render(PlanCompiler.compile(patch, sampleRate: 48_000), from: 25 * 48_000, count: 10 * 48_000)
        let b = render(PlanCompiler.compile(again, sampleRate: 48_000), from: 25 * 48_000, count: 10 * 48_000)
        let isSame = a == b
        #expect(isSame)
    }

    /// The delay in frames of the left ear behind the right one.
    private func lateness(_ samples: Samples) -> Int {
        let middle = 200..<samples.left.count - 200
        func likeness(_ shift: Int) -> Double {
            middle.reduce(0) { $0 + Double(samples.left[$1]) * Double(samples.right[$1 - shift]) }
        }
        return (-100...100).max { likeness($0) < likeness($1) } ?? 0
    }

    @Test("the left ear of a spin is early by W sin(2πBt) and the right one late by as much, as in SBaGen: live, offline, and imported")
    func spin() throws {
        for (voice, sign) in [("spin:1000+0.05/60", 1), ("spin:1000-0.05/60", -1), ("bspin:1000+0.05/60", 1), ("wspin:1000+0.05/60", 1)] {
            let patch = try patch("a: \(voice)\nNOW a\n")
            let imported = try Patch.parse(patch.yaml, file: "a.yaml")
            for plan in [patch, imported].map({ PlanCompiler.compile($0, sampleRate: 48_000) }) {
                for (seconds, part) in [(5.0, 1.0), (10, 0), (15, -1), (10 / 6.0, 0.5)] {
                    let start = Int64(seconds * 48_000) - 1024
                    let samples = render(plan, from: start, count: 2048)
                    #expect(abs(lateness(samples) + Int((96 * part).rounded()) * sign) <= 1, "\(voice) after \(seconds) s")
                    let engine = TestEngine()
                    engine.control.start(plan, at: PlanFrame(start), fade: 0)
                    engine.run(2048)
                    let isSame = engine.left == samples.left && engine.right == samples.right
                    #expect(isSame)
                }
            }
        }
    }

    @Test("a tone that slides into a bell is heard to the end of the slide, falling in a straight line, at which the bell is struck")
    func slideIntoBell() throws {
        let full = 0.4 * pow(10, -6.0 / 20)
        let patch = try patch("-SE\na: 195+10/40\nb: bell+500/20\nNOW a ->\n+0:01 b\n+0:02 b\n")
        for again in [patch, try Patch.parse(patch.yaml, file: "a.yaml")] {
            let samples = render(PlanCompiler.compile(again, sampleRate: 48_000), from: 0, count: 62 * 48_000)
            for (index, peak) in peaks(Array(samples.left[4800...])).enumerated().prefix(597) {
                let middle = 0.1 * Double(index + 1)
                #expect(abs(peak - full * (1 - middle / 60)) <= full * 0.006 / 60 + 2e-6, "at \(middle) s: \(peak)")
            }
            // Only the bell from there on, which rises in 5 ms.
            let bell = measureSine(
                samples.left[(60 * 48_000 + 480)..<(60 * 48_000 + 2880)].map(Double.init)[...], sampleRate: 48_000, near: 500)
            #expect(abs(try #require(bell).frequency - 500) < 1)
            #expect(samples.left[(60 * 48_000)...].contains { abs($0) > Float(full / 2) * 0.9 })
        }
    }

    @Test("100 % is at the ceiling, and so is more than that")
    func ceiling() throws {
        for text in [
            "a: 200/100\nNOW a\n", "a: 200/100 200/100 300+7/40\nNOW a\n", "a: square:200/100\nNOW a\n", "a: 200/60 spin:300+1/40\nNOW a\n",
            "a: pink/100\nNOW a\n", "a: 150+5/50 white/25 brown/25\nNOW a\n",
        ] {
            let plan = PlanCompiler.compile(try patch(text), sampleRate: 48_000)
            let renderer = OfflineRenderer(plan, ceiling: -6)
            var (left, right) = ([Float](repeating: 0, count: 480_000), [Float](repeating: 0, count: 480_000))
            left.withUnsafeMutableBufferPointer { left in
                right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
            }
            #expect(renderer.guardActions.ceiling == 0, "\(text)")
            let peak = (left + right).reduce(0) { max($0, abs($1)) }
            #expect(peak <= 0.50119, "\(text): \(peak)")
        }
    }

    @Test("a manual change also holds in amplitude, and is read back in dB")
    func byHand() throws {
        let plan = PlanCompiler.compile(try patch("a: 200/50\nNOW a\n"), sampleRate: 48_000)
        #expect(abs(try #require(plan.value(of: .gain, layer: 0, at: 0)) + 12.0206) < 1e-4)
        let edited = plan.applying([Setting(layer: 0, parameter: .gain, value: -40)], at: 48_000, ramp: 2, easing: .linear)
        #expect(abs(try #require(edited.value(of: .gain, layer: 0, at: 200_000)) + 40) < 1e-9)
        let middle = pow(10, try #require(edited.value(of: .gain, layer: 0, at: 96_000)) / 20)
        #expect(abs(middle - (pow(10, -12.0206 / 20) + 0.01) / 2) < 1e-6)
    }
}

extension String {
    /// With a custom wave.
    fileprivate var prependingWave: String {
        let end = firstIndex(of: "\n")!
        return self[...end] + "wave00: 0 1 0.5\n" + self[index(after: end)...]
    }
}
