import Engine
import Foundation
import Patches
import TestSupport
import Testing

/// The figures in docs/figures.md for sines whose frequency was not chosen to suit a transform.
extension PrecisionTests {
    // 64 cycles at least, and no more than a second of computing.
    private static func length(_ frequency: Double, sampleRate: Double) -> Int {
        var length = 1 << 16
        while Double(length) * frequency < 64 * sampleRate { length *= 2 }
        return length
    }

    /// Spur and residual of an ear, the ear's own frequency in Hz.
    private func residue(_ samples: [Float], _ frequency: Double, sampleRate: Double) -> SineResidue {
        SineResidue(of: samples, frequency: frequency / sampleRate)
    }

    @Test(
        "The same holds for random frequencies, phases and levels, which have no common divisor with the sample rate",
        arguments: Kernel.available)
    func anyFrequency(kernel: Kernel) {
        var random = SplitMix64(seed: 12)
        let count = isStress ? 1000 : 25
        var (worstSpur, spurAt, worstRest, restAt, ears) = (-Double.infinity, "", -Double.infinity, "", 0)
        for number in 0..<count {
            // 0.5 Hz to 20 kHz, as many in each octave.
            let frequency = 0.5 * pow(40_000, (Double(number) + .random(in: 0..<1, using: &random)) / Double(count))
            let sampleRate = (frequency < 100 ? [8000.0, 11_025] : [44_100, 48_000, 96_000, 192_000]).randomElement(using: &random)!
            let beat = frequency < 2 ? 0.9 : Double.random(in: -100...100, using: &random) * min(1, frequency / 200)
            let carrier = max(frequency + beat / 2, 1)
            let patch = Patch.single(
                .binaural,
                [
                    .carrier: carrier, .beat: beat, .phase: .random(in: -360...360, using: &random),
                    .gain: .random(in: -30 ... -0.1, using: &random),
                ])
            let plan = PlanCompiler.compile(patch, sampleRate: sampleRate)
            let length = Self.length(min(carrier - beat / 2, carrier + beat / 2), sampleRate: sampleRate)
            let samples = render(plan, from: 10_000 + Int64.random(in: 0..<1 << 40, using: &random), count: length, kernel: kernel)
            for (ear, own) in [(samples.left, carrier + beat / 2), (samples.right, carrier - beat / 2)] where own <= 0.45 * sampleRate {
                ears += 1
                let residue = residue(ear, own, sampleRate: sampleRate)
                let place = "\(own) Hz at \(sampleRate) Hz"
                if residue.spur > worstSpur { (worstSpur, spurAt) = (residue.spur, place) }
                if residue.rest > worstRest { (worstRest, restAt) = (residue.rest, place) }
            }
        }
        print(
            "figure: \(kernel), \(ears) frequencies at random: largest spur \(worstSpur) dBc (\(spurAt)), residual \(worstRest) dBc (\(restAt))"
        )
        #expect(worstSpur < -150, "\(spurAt)")
        #expect(worstRest < -140, "\(restAt)")
    }

    @Test(
        "When a wave repeats after a few samples, all rounding error falls into a few lines: none is above what single precision itself leaves there",
        arguments: Kernel.available)
    func fewSamples(kernel: Kernel) {
        var random = SplitMix64(seed: 13)
        var (worstSpur, spurAt, worstRest, worstRounded) = (-Double.infinity, "", -Double.infinity, -Double.infinity)
        // The longest period at which a line is above -150 dB.
        var longest = 0
        var farthest = -Double.infinity
        for period in 3...64 {
            // The number of cycles in a period, up to 20 kHz.
            let cycles = (1...max(1, period * 5 / 12)).filter { Self.greatestDivisor($0, period) == 1 }
            var (own, rounded) = (-Double.infinity, -Double.infinity)
            for _ in 0..<16 {
                let turns = cycles.randomElement(using: &random)!
                let frequency = 48_000 * Double(turns) / Double(period)
                let patch = Patch.single(
                    .tone,
                    [
                        .carrier: frequency, .phase: .random(in: -360...360, using: &random),
                        .gain: .random(in: -30 ... -0.1, using: &random),
                    ])
                let ear = render(
                    PlanCompiler.compile(patch, sampleRate: 48_000), from: 10_000 + Int64.random(in: 0..<1 << 40, using: &random),
                    count: 1 << 12, kernel: kernel
                ).left
                let residue = residue(ear, frequency, sampleRate: 48_000)
                if residue.spur > worstSpur { (worstSpur, spurAt) = (residue.spur, "\(frequency) Hz") }
                own = max(own, residue.spur)
                worstRest = max(worstRest, residue.rest)
                // An exact sine of the same phase, each sample the nearest one that single precision has.
                let peak = Double(ear.map(abs).max() ?? 0)
                let exact = ear.indices.map { Float(peak * sin(2 * .pi * (residue.phase + Double($0 * turns % period) / Double(period)))) }
                rounded = max(rounded, self.residue(exact, frequency, sampleRate: 48_000).spur)
            }
            if own > -150 { longest = period }
            worstRounded = max(worstRounded, rounded)
            if own > -150 { farthest = max(farthest, own - rounded) }
            #expect(own < max(-150, rounded + 10), "a period of \(period) samples: exact sines rounded have \(rounded)")
        }
        print(
            "figure: \(kernel), periods of 3 to 64 samples: largest spur \(worstSpur) dBc (\(spurAt)), of exact sines rounded \(worstRounded) dBc, at most \(farthest) dB above those of one period, above -150 up to a period of \(longest), residual \(worstRest) dBc"
        )
        #expect(worstRest < -140)
    }

    private static func greatestDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestDivisor(b, a % b) }
}
