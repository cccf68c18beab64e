import Engine
import Foundation
import Patches
import SBaGen
import Testing

/// The sound of SBaGenX's own voices against its formulas, written down here a second time.
@Suite("The sound of SBaGenX's voices") struct SBaGenXSoundTests {
    private static let rate = 48_000.0
    private static let count = 2 * 48_000

    private func sound(_ text: String) throws -> Samples {
        let sequence = try SBaGenSequence.parse(bytes: Array(text.utf8), file: "a.sbg")
        #expect(sequence.dialect == .sbagenx)
        let plan = PlanCompiler.compile(sequence.patch(), sampleRate: Self.rate)
        let renderer = OfflineRenderer(
            plan, from: 48_000, kernel: .best, ceiling: 0, sounds: { sound, _ in StereoSound(isMono: sound.path == "mono") })
        var samples = Samples(left: .init(repeating: 0, count: Self.count), right: .init(repeating: 0, count: Self.count))
        samples.left.withUnsafeMutableBufferPointer { left in
            samples.right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
        }
        return samples
    }

    /// The difference from a formula of the time, in dB below it. 1 is 100 % of SBaGenX, and -6 dBFS here.
    private func difference(_ text: String, _ formula: (Double) -> (left: Double, right: Double)) throws -> Double {
        let samples = try sound(text)
        var (error, power) = (0.0, 0.0)
        for index in 0..<Self.count {
            let expected = formula(1 + Double(index) / Self.rate)
            let scale = pow(10, -6.0 / 20)
            for (sample, value) in [(samples.left[index], expected.left), (samples.right[index], expected.right)] {
                error += (Double(sample) - scale * value) * (Double(sample) - scale * value)
                power += scale * value * scale * value
            }
        }
        #expect(power > 1)
        return 10 * log10(error / power)
    }

    private func smoothstep(_ t: Double) -> Double { t * t * (3 - 2 * t) }
    private func smootherstep(_ t: Double) -> Double { t * t * t * (10 - 15 * t + 6 * t * t) }
    private func wave(_ frequency: Double, _ time: Double) -> Double { sin(2 * .pi * frequency * time) }
    private func phase(_ rate: Double, _ time: Double) -> Double { (rate * time).truncatingRemainder(dividingBy: 1) }

    private func drawn(_ values: [Double], _ edge: Int, _ phase: Double) -> Double {
        let place = phase * Double(values.count)
        let (index, t) = (Int(place), place - place.rounded(.down))
        let part = edge == 0 ? 0 : edge == 1 ? t : edge == 2 ? smoothstep(t) : smootherstep(t)
        let highest = values.max()!
        return (values[index] + (values[(index + 1) % values.count] - values[index]) * part) / highest
    }

    private func standard(_ phase: Double, s: Double = 0.048493, d: Double = 0.403014, a: Double = 0.5, r: Double = 0.5, e: Int = 2)
        -> Double
    {
        var q = phase - s
        if q < 0 { q += 1 }
        q /= d
        guard d < 1 else { return 1 }
        guard q > 0, q < 1 else { return 0 }
        func part(_ t: Double) -> Double { e == 1 ? t : e == 2 ? smoothstep(t) : smootherstep(t) }
        return q < a ? part(q / a) : q <= 1 - r ? 1 : part((1 - q) / r)
    }

    @Test("A drawn envelope on isochronic tones", arguments: [0, 1, 2, 3])
    func drawnPulses(edge: Int) throws {
        let values = [0, 3, 1, 2, 0.5]
        let text = "custom07: e=\(edge) 0 3 1 2 0.5\na: custom07:400@2.5/20\nNOW a\n"
        let found = try difference(text) { time in
            let sample = 0.2 * self.drawn(values, edge, self.phase(2.5, time)) * self.wave(400, time)
            return (sample, sample)
        }
        // Steps have edges of a 64th of the cycle.
        #expect(found < (edge == 0 ? -20 : -95))
    }

    @Test("A drawn envelope on binaural tones runs at the beat, the same in both ears")
    func drawnTone() throws {
        let found = try difference("custom00: 0 1 0.4\na: custom00:200+4/40\nb: custom00:300-6/10\nNOW a\n") { time in
            let level = 0.4 * self.drawn([0, 1, 0.4], 1, self.phase(4, time))
            return (level * self.wave(202, time), level * self.wave(198, time))
        }
        #expect(found < -95)
    }

    @Test("Isochronic tones have the standard pulse, or that of -I")
    func standardPulse() throws {
        #expect(
            try difference("a: 300@8/40 200M0/0\nNOW a\n") { time in
                let sample = 0.4 * self.standard(self.phase(8, time)) * self.wave(300, time)
                return (sample, sample)
            } < -79)
        #expect(
            try difference("-I s=0.9:d=0.5:a=0.2:r=0.3:e=3\na: 300@3/40\nNOW a\n") { time in
                let pulse = self.standard(self.phase(3, time), s: 0.9, d: 0.5, a: 0.2, r: 0.3, e: 3)
                return (0.4 * pulse * self.wave(300, time), 0.4 * pulse * self.wave(300, time))
            } < -79)
    }

    @Test("mixpulse is added to the file at 0.7 of its level")
    func mixPulse() throws {
        #expect(
            try difference("-m a\na: mix/40 mixpulse:3/80\nNOW a\n") { time in
                let w = self.wave(3, time)
                let level = 0.4 * (1 + 0.7 * (0.2 + 0.8 * (w > 0.3 ? self.smoothstep((w - 0.3) / 0.7) : 0)))
                return (level * StereoSound.left(time), level * StereoSound.right(time))
            } < -79)
        #expect(
            try difference("-m a\ncustom01: e=3 0 1 1 0\na: mix/40 custom01:mixpulse:2/50\nNOW a\n") { time in
                let level = 0.4 * (1 + 0.7 * (0.5 + 0.5 * self.drawn([0, 1, 1, 0], 3, self.phase(2, time))))
                return (level * StereoSound.left(time), level * StereoSound.right(time))
            } < -100)
    }

    @Test("While a mixpulse changes its waveform, its levels move from those of the one to those of the other")
    func mixPulseBlend() throws {
        #expect(
            try difference("-SE -m a\na: mix/40 mixpulse:3/80\nb: mix/40 triangle:mixpulse:3/80\n0:00 a\n0:00:04 b\n") { time in
                func pulse(_ value: Double) -> Double { 0.2 + 0.8 * (value > 0.3 ? self.smoothstep((value - 0.3) / 0.7) : 0) }
                let p = self.phase(3, time)
                let triangle = p < 0.25 ? 4 * p : p < 0.75 ? 2 - 4 * p : 4 * p - 4
                let level = 0.4 * (1 + 0.7 * (pulse(self.wave(3, time)) * (1 - time / 4) + pulse(triangle) * time / 4))
                return (level * StereoSound.left(time), level * StereoSound.right(time))
            } < -79)
    }

    @Test("mixbeat shifts the middle of the file down in the left ear and up in the right one", arguments: [false, true])
    func mixBeat(isDrawn: Bool) throws {
        let text = isDrawn ? "custom03: 0 1\na: mix/40 custom03:mixbeat:6/75\n" : "a: mix/40 mixbeat:6/75\n"
        let found = try difference("-m a\n" + text + "NOW a\n") { time in
            let i = 0.75 * (isDrawn ? self.drawn([0, 1], 1, self.phase(3, time)) : 1)
            let (l, r) = (StereoSound.left(time), StereoSound.right(time))
            let level = { (direct: Double, shift: Double) in
                0.4 * (direct + 0.7 * (direct * (1 - i) + StereoSound.middle(time, shiftedBy: shift) * i))
            }
            return (level(l, -3), level(r, 3))
        }
        #expect(found < -79)
    }

    @Test(
        "mixam multiplies all that comes from the file, and no tone",
        arguments: ["", ":f=0.2", ":m=pulse:d=0.3:f=0.1", ":s=0.25", ":e=1:a=0.2:r=0.4"])
    func mixAM(parameters: String) throws {
        let found = try difference("-m a\na: mix/40 mixam:5\(parameters) 300@4/0 210/10\nNOW a\n") { time in
            let p = self.phase(5, time)
            let (floor, envelope) =
                switch parameters {
                case "": (0.45, 0.5 + 0.5 * cos(2 * .pi * p))
                case ":f=0.2": (0.2, 0.5 + 0.5 * cos(2 * .pi * p))
                case ":s=0.25": (0.45, 0.5 + 0.5 * cos(2 * .pi * (p + 0.25)))
                case ":e=1:a=0.2:r=0.4": (0.45, self.standard(p, s: 0, d: 0.5, a: 0.2, r: 0.4, e: 1))
                default: (0.1, self.standard(p, s: 0, d: 0.3, a: 0.5, r: 0.5, e: 3))
                }
            let level = 0.4 * (floor + (1 - floor) * envelope)
            let tone = 0.1 * self.wave(210, time)
            return (level * StereoSound.left(time) + tone, level * StereoSound.right(time) + tone)
        }
        #expect(found < -79, "\(parameters)")
    }

    @Test("mixam:beat follows the beat of the first tone, and also modulates the effects")
    func mixAMBeat() throws {
        let found = try difference("-m a\na: 300+4/10 mix/40 mixam:beat mixpulse:2/100\nNOW a\n") { time in
            let w = self.wave(2, time)
            let pulse = w > 0.3 ? self.smoothstep((w - 0.3) / 0.7) : 0
            let level = 0.4 * (1 + 0.7 * pulse) * (0.45 + 0.55 * (0.5 + 0.5 * cos(2 * .pi * 4 * time)))
            return (
                level * StereoSound.left(time) + 0.1 * self.wave(302, time), level * StereoSound.right(time) + 0.1 * self.wave(298, time)
            )
        }
        #expect(found < -79)
    }

    @Test("mixspin moves what both channels have in common from ear to ear as SBaGenX does; to the other side first with a negative rate")
    func mixSpin() throws {
        // The share that moves: 300 us at 44.1 kHz, at an intensity of 60 %.
        let share = 300e-6 * 44_100 * (0.5 + 3.5 * 0.6) / 128
        for (sign, direction) in [("+", 1.0), ("-", -1)] {
            let found = try difference("-m mono\na: mix/40 mixspin:300\(sign)0.5/60\nNOW a\n") { time in
                let q = share * self.wave(0.5, time) * direction
                let sample = StereoSound.middle(time)
                return (0.4 * sample * (1 + 0.7 * (1 - q)), 0.4 * sample * (1 + 0.7 * (1 + q)))
            }
            #expect(found < -79, "\(sign)")
        }
    }

    private struct OrbitCase: CustomTestStringConvertible {
        let voice: String
        let carrier: Double
        let pulse: Double
        let rate: Double
        var distance = 1.0
        var testDescription: String { voice }
    }

    private static let orbits = [
        OrbitCase(voice: "orbitbeat:200+8+0.5/40", carrier: 200, pulse: 8, rate: 0.5),
        OrbitCase(voice: "orbitbeat:220@6-0.7/40", carrier: 220, pulse: 6, rate: -0.7),
        OrbitCase(voice: "orbitbeat:180-9+1.5/30:d=0.5", carrier: 180, pulse: 9, rate: 1.5, distance: 0.5),
        OrbitCase(voice: "orbitbeat:200+10-0.3/40:distance=4", carrier: 200, pulse: 10, rate: -0.3, distance: 4),
        OrbitCase(voice: "orbitbeat:150+4+0.5/20:d=0.01", carrier: 150, pulse: 4, rate: 0.5, distance: 0.25),
        OrbitCase(voice: "orbitbeat:150+4+0/20:d=99", carrier: 150, pulse: 4, rate: 0, distance: 10),
        OrbitCase(voice: "orbitbeat:700+5+0.5/40:d=6", carrier: 700, pulse: 5, rate: 0.5, distance: 6),
        OrbitCase(voice: "custom00:orbitbeat:200+3+1/40", carrier: 200, pulse: 3, rate: 1),
    ]

    /// The place of an orbit at a moment, as the ears hear it.
    private struct OrbitEars {
        let delay, level, cutoff: Double
        let side: Double

        init(_ orbit: OrbitCase, at time: Double) {
            let turns = 2 * .pi * orbit.rate * time
            let closeness = min(max(1 / orbit.distance.squareRoot(), 0.35), 1.45)
            side = sin(turns)
            delay = 650e-6 * closeness * abs(side)
            level = 7 * closeness * side
            let far = min(max((orbit.distance - 1) / 9, 0), 1)
            cutoff = max(18_000 - 8500 * max(0, -cos(turns)) - 7000 * far, 4500)
        }

        func gains(_ distance: Double) -> (left: Double, right: Double) {
            let (left, right) = (pow(10, -level / 20), pow(10, level / 20))
            let loudness = distance < 1 ? 1 + 0.2 * (1 - distance) : 1 / (1 + 0.18 * (distance - 1))
            let scale = loudness / ((left * left + right * right) / 2).squareRoot()
            return (left * scale, right * scale)
        }
    }

    @Test(
        "A tone circles the head with delays, levels and a low-pass as SBaGenX's, whose delay is interpolated in straight lines",
        arguments: orbits, [false, true])
    private func orbit(_ orbit: OrbitCase, interpolates: Bool) throws {
        func tone(_ time: Double) -> Double {
            let pulse = phase(orbit.pulse, time)
            let level =
                orbit.voice.contains("custom")
                ? drawn([0, 1, 0.4], 1, pulse)
                : orbit.voice.contains("@") ? standard(pulse) : 0.5 + 0.5 * cos(2 * .pi * pulse)
            return level * wave(orbit.carrier, time)
        }
        func heard(_ time: Double, late: Double) -> Double {
            guard interpolates else { return tone(time - late) }
            let frames = late * Self.rate
            let part = frames - frames.rounded(.down)
            let time = time - (frames - part) / Self.rate
            return tone(time) * (1 - part) + tone(time - 1 / Self.rate) * part
        }
        let level = try #require(orbit.voice.split(separator: "/").last.flatMap { Double($0.prefix { $0.isNumber }) }) / 100
        var (left, right) = ([Double](), [Double]())
        var (leftLast, rightLast) = (0.0, 0.0)
        for frame in 47_000..<48_000 + Self.count {
            let time = Double(frame) / Self.rate
            let ears = OrbitEars(orbit, at: time)
            let gains = ears.gains(orbit.distance)
            let part = 1 - exp(-2 * .pi * ears.cutoff / Self.rate)
            leftLast += part * (gains.left * heard(time, late: ears.side > 0 ? ears.delay : 0) - leftLast)
            rightLast += part * (gains.right * heard(time, late: ears.side < 0 ? ears.delay : 0) - rightLast)
            if frame >= 48_000 {
                left.append(level * leftLast)
                right.append(level * rightLast)
            }
        }
        let found = try difference("custom00: 0 1 0.4\na: \(orbit.voice) 200M0/0\nNOW a\n") { time in
            let index = Int(((time - 1) * Self.rate).rounded())
            return (left[index], right[index])
        }
        // The straight lines alone are off by -67 dB at 700 Hz.
        #expect(found < (interpolates && orbit.carrier > 500 ? -65 : -79), "\(found)")
    }

    @Test("Noise pulses have the profile of the standard pulse, or of a drawn one, alike in both ears")
    func noisePulse() throws {
        let plain = try sound("a: pink/40 200M0/0\nNOW a\n")
        for (text, level) in [
            ("a: noisepulse:4/40\n", { self.standard(self.phase(4, $0)) }),
            ("custom02: 1 0 0.5\na: custom02:noisepulse:4/40\n", { self.drawn([1, 0, 0.5], 1, self.phase(4, $0)) }),
        ] as [(String, (Double) -> Double)] {
            let pulsed = try sound(text + "NOW a\n")
            for index in stride(from: 0, to: Self.count, by: 7) where abs(plain.left[index]) > 0.003 {
                let expected = level(1 + Double(index) / Self.rate)
                #expect(abs(Double(pulsed.left[index] / plain.left[index]) - expected) < 1e-3)
                #expect(abs(pulsed.left[index] - pulsed.right[index]) < 1e-6)
            }
        }
    }

    @Test(
        "The rest of the dialect's noises and spins is read and played",
        arguments: [
            "noise01: 24 -24 24 -24 24 -24 24 -24 24 -24 24 -24 24 -24 24 -24 24 -24 24 -24 24 -24 24 -24 24 -24 24 -24 24 -24 24 -24\n"
        ])
    func rest(noise: String) throws {
        let all = noise + "spin02: 0 1 0 -1\ncustom03: 0 1\n"
        for voice in [
            "noise01/20", "noise01:spin:300+1/35", "spin02:bspin:300+1/35", "spin02:noise01:spin:300-1/35", "noisebeat:4/30",
            "custom03:noise01:noisebeat:4/30", "custom03:noise01:noisepulse:4/30", "triangle:noisebeat:4/30", "triangle:custom03:200@3/20",
            "mix/40 spin02:mixspin:300+0.5/50", "mix/40 custom03:triangle:spin02:mixspin:300+0.5/50", "mix/40 mixpulse:beat:f=0.1",
        ] {
            let samples = try sound("-m a\n" + all + "a: \(voice)\nNOW a\n")
            #expect(samples.left.contains { abs($0) > 0.01 } && samples.right.contains { abs($0) > 0.01 }, "\(voice)")
        }
    }
}

/// A recording of tones that are partly in both channels.
private final class StereoSound: SoundReader {
    let frameCount: Int64 = 1 << 40
    private let isMono: Bool

    init(isMono: Bool) { self.isMono = isMono }

    private static let both = [(220.0, 0.3), (555, 0.2), (1400, 0.1)]

    static func middle(_ time: Double, shiftedBy shift: Double = 0) -> Double {
        both.reduce(0) { $0 + $1.1 * sin(2 * .pi * ($1.0 + shift) * time) }
    }

    static func left(_ time: Double) -> Double { middle(time) + 0.1 * sin(2 * .pi * 330 * time) }
    static func right(_ time: Double) -> Double { middle(time) - 0.1 * sin(2 * .pi * 330 * time) }

    func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(SoundFailure) {
        for index in 0..<count {
            let time = Double(frame + Int64(index)) / 48_000
            (left[index], right[index]) =
                isMono ? (Float(Self.middle(time)), Float(Self.middle(time))) : (Float(Self.left(time)), Float(Self.right(time)))
        }
    }
}
