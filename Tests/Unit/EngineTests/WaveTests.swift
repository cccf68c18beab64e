import Foundation
import Patches
import Synthesis
import TestSupport
import Testing

@testable import Engine

@Suite("Waves other than the sine")
struct WaveTests {
    private static let others: [Waveform] = [.triangle, .square, .sawtooth]
    private static let size = 1 << 16

    /// Amplitudes of a whole number of cycles in 2^16 frames, so that each harmonic is one line of the spectrum.
    private func spectrum(_ wave: Waveform, cycles: Int, table: [Double] = [], sampleRate: Double = 48_000, kernel: Kernel = .baseline)
        -> [Double]
    {
        let carrier = Double(cycles) * sampleRate / Double(Self.size)
        let layer = Layer(name: "one", kind: .tone, values: [.carrier: carrier, .gain: -20], wave: wave, table: table)
        let plan = PlanCompiler.compile(Patch(layers: [layer]), sampleRate: sampleRate)
        // After the fade-in; 20 dB down, so that the ceiling does not act.
        var real = render(plan, from: 10_000, count: Self.size, kernel: kernel).left.map { Double($0) * 10 }
        var imaginary = [Double](repeating: 0, count: Self.size)
        fourierTransform(real: &real, imaginary: &imaginary)
        return (0..<Self.size / 2).map { (real[$0] * real[$0] + imaginary[$0] * imaginary[$0]).squareRoot() * 2 / Double(Self.size) }
    }

    private func amplitude(_ wave: Waveform, _ n: Int) -> Double {
        switch wave {
        case .sine, .table: n == 1 ? 1 : 0
        case .sawtooth: 2 / (.pi * Double(n))
        case .square: n % 2 == 1 ? 4 / (.pi * Double(n)) : 0
        case .triangle: n % 2 == 1 ? 8 / (.pi * .pi * Double(n * n)) : 0
        }
    }

    @Test("An ear that hears a wave backwards hears the table from its end to its start, and the other one the table")
    func backwards() {
        let table = [0, 0.9, 0.2, 0.6, -0.3, -1, -0.1, 0.4]
        func samples(_ table: [Double], _ backwards: Ear?) -> Samples {
            var layer = Layer(name: "one", kind: .binaural, values: [.carrier: 180, .beat: 7, .gain: -20], wave: .table, table: table)
            layer.backwards = backwards
            return render(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000), count: 48_000)
        }
        let (forwards, reversed) = (samples(table, nil), samples(table.prefix(1) + table.dropFirst().reversed(), nil))
        let (left, right) = (samples(table, .left), samples(table, .right))
        func difference(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } }
        #expect(left.right == forwards.right && right.left == forwards.left)
        #expect(difference(left.left, reversed.left) < 1e-5 && difference(right.right, reversed.right) < 1e-5)
        #expect(difference(forwards.left, reversed.left) > 0.05)
    }

    // 30 Hz to 17 kHz; the numbers have no common factor with 2^16, so that aliases fall between the harmonics.
    @Test(
        "Each harmonic up to a quarter of the sample rate follows the formula, none is above half of it, and nothing else is above -90 dB",
        arguments: others, [41, 137, 601, 1685, 6827, 12_289, 23_211])
    func harmonics(wave: Waveform, cycles: Int) {
        for kernel in Kernel.available { expectHarmonics(wave, cycles: cycles, sampleRate: 48_000, kernel: kernel) }
    }

    /// Cycles in 2^16 frames, so the frequencies depend on the rate; none above 20 kHz.
    private static let otherRates: [Double: [Int]] = [
        44_100: [59, 1201, 9001], 96_000: [67, 2003, 12_289], 192_000: [71, 997, 6151], 8000: [211, 5003, 23_211],
    ]

    @Test("The same holds at other sample rates, on each kernel", arguments: others)
    func otherRates(wave: Waveform) {
        for (sampleRate, many) in Self.otherRates {
            for cycles in many {
                for kernel in Kernel.available { expectHarmonics(wave, cycles: cycles, sampleRate: sampleRate, kernel: kernel) }
            }
        }
    }

    private func expectHarmonics(_ wave: Waveform, cycles: Int, sampleRate: Double, kernel: Kernel) {
        let spectrum = spectrum(wave, cycles: cycles, sampleRate: sampleRate, kernel: kernel)
        var others = spectrum
        for n in 1...(Self.size / 2 / cycles + 1) where n * cycles < Self.size / 2 {
            let expected = amplitude(wave, n)
            others[n * cycles] = 0
            if n == 1 || n * cycles <= Self.size / 4 {
                #expect(abs(spectrum[n * cycles] - expected) < 2e-5, "harmonic \(n): \(spectrum[n * cycles]), not \(expected)")
            } else {
                #expect(spectrum[n * cycles] < expected + 2e-5, "harmonic \(n)")
            }
        }
        let worst = others.max() ?? 1
        #expect(decibels(worst / amplitude(wave, 1)) < -90, "\(decibels(worst)) dB, \(kernel), \(sampleRate) Hz")
    }

    @Test("There is no step between one set of harmonics and the next", arguments: others)
    func continuity(wave: Waveform) throws {
        let shape = try #require(WaveTables.tables(of: wave)).shape
        func sample(_ phase: UInt64, _ frequency: Double) -> Float {
            var out: Float = 0
            fillWave(&out, count: 1, shape: shape, phase: PhaseDifferences(phase: phase, d1: UInt64(frequency * 0x1p64)))
            return out
        }
        var generator = SeededGenerator(seed: 3)
        for index in 0..<shape.count where shape.bands[index].limit < 0.5 {
            let limit = shape.bands[index].limit
            for _ in 0..<50 {
                let phase: UInt64 = generator.next()
                #expect(abs(sample(phase, limit * (1 - 1e-9)) - sample(phase, limit * (1 + 1e-9))) < 1e-6)
            }
        }
    }

    @Test("No wave is louder than its crest factor says", arguments: others + [.sine])
    func crest(wave: Waveform) {
        // There, almost only one table sounds, and its samples fall on many phases.
        var layer = Layer(name: "one", kind: .tone, values: [.carrier: 62.49, .gain: -20])
        layer.wave = wave
        let plan = PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000)
        let highest = 10 * Double(render(plan, from: 4800, count: 48_000).left.map(abs).max() ?? 0)
        #expect(highest <= layer.crest + 1e-6, "\(highest)")
        #expect(highest > layer.crest - 0.02, "\(highest)")
    }

    @Test("Both ears of a binaural and a monaural layer carry the wave, each at its own frequency")
    func kinds() {
        for kind in [LayerKind.binaural, .monaural, .isochronic] {
            var layer = Layer(name: "one", kind: kind, values: [.carrier: 240, .gain: -20])
            layer.wave = .square
            let waved = render(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000), from: 4800, count: 48_000)
            layer.wave = .sine
            let plain = render(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000), from: 4800, count: 48_000)
            for (waved, plain) in [(waved.left, plain.left), (waved.right, plain.right)] {
                let (waved, plain) = (waved.map(Double.init), plain.map(Double.init))
                #expect(
                    strongestFrequency(waved, sampleRate: 48_000).map {
                        abs($0 - (strongestFrequency(plain, sampleRate: 48_000) ?? 0)) < 0.1
                    } == true)
                #expect(peakAbove(600, in: waved[...], sampleRate: 48_000) > 100 * peakAbove(600, in: plain[...], sampleRate: 48_000))
            }
        }
    }

    // 5 to 1024 harmonics; of an even number of samples the last one is a cosine alone.
    private static let tables: [[Double]] = [
        [0, 1, 0, -1], [1, -1], [0.5, 1, 0.5, 0.7, 0.1, -0.9, -0.2, 0, 0.3, 0.3, -1],
        (0..<200).map { $0 < 100 ? 1 : -1 }, (0..<2048).map { 1 - Double($0) / 1024 },
    ]

    /// Cosine and sine of each harmonic of a table, by the definition.
    private func harmonics(of table: [Double]) -> [Double] {
        (0...table.count / 2).map { n in
            var (c, s) = (0.0, 0.0)
            for (index, sample) in table.enumerated() {
                let angle = 2 * Double.pi * Double(n * index % table.count) / Double(table.count)
                c += sample * cos(angle)
                s += sample * sin(angle)
            }
            return (c * c + s * s).squareRoot() * (2 * n == table.count ? 1 : 2) / Double(table.count)
        }
    }

    @Test(
        "A table sounds with its own harmonics up to half as many as it has samples, without its mean, and nothing else is above -90 dB",
        arguments: tables.indices, [8000.0, 44_100, 48_000, 96_000, 192_000])
    func table(index: Int, sampleRate: Double) {
        let harmonics = harmonics(of: Self.tables[index])
        // None above 20 kHz.
        for cycles in [41, 137, 1685, 6151, 12_289] where Double(cycles) * sampleRate / Double(Self.size) <= 20_000 {
            for kernel in Kernel.available { expectTable(index, harmonics, cycles: cycles, sampleRate: sampleRate, kernel: kernel) }
        }
    }

    private func expectTable(_ index: Int, _ harmonics: [Double], cycles: Int, sampleRate: Double, kernel: Kernel) {
        let table = Self.tables[index]
        let spectrum = spectrum(.table, cycles: cycles, table: table, sampleRate: sampleRate, kernel: kernel)
        var others = spectrum
        for n in 1...(Self.size / 2 / cycles + 1) where n * cycles < Self.size / 2 {
            let expected = n < harmonics.count ? harmonics[n] : 0
            others[n * cycles] = 0
            if n == 1 || n * cycles <= Self.size / 4 {
                #expect(abs(spectrum[n * cycles] - expected) < 3e-5, "harmonic \(n): \(spectrum[n * cycles]), not \(expected)")
            }
        }
        // The first of them is DC.
        let worst = others.max() ?? 1
        #expect(decibels(worst) < -90, "\(decibels(worst)) dB at \(others.firstIndex(of: worst) ?? 0), \(kernel), \(sampleRate) Hz")
    }

    @Test("A table of a sine sounds like the sine, and its samples are heard at their positions")
    func tableInPlace() {
        for (table, samples) in [([0.0, 1, 0, -1], [0.0, 1, 0, -1]), ([0.5, 1, 0, -1, 0, 0.1], [0.4, 0.9, -0.1, -1.1, -0.1, 0])] {
            // A cycle of 480 frames, from its start.
            let layer = Layer(name: "one", kind: .tone, values: [.carrier: 100, .gain: -20], wave: .table, table: table)
            let rendered = render(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000), from: 4800, count: 480).left
            for (index, sample) in samples.enumerated() {
                #expect(abs(Double(rendered[index * 480 / samples.count]) * 10 - sample) < 1e-5)
            }
        }
    }
}
