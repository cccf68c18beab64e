import Foundation
import Patches
import Synthesis
import TestSupport
import Testing

@testable import Engine

@Suite("Noise")
struct NoiseTests {
    private func noise(_ color: NoiseColor, count: Int, correlation: Double = 0, from: Int64 = 48_000, sampleRate: Double = 48_000)
        -> Samples
    {
        let patch = Patch.single(.noise, [.gain: -20, .correlation: correlation], color: color)
        return render(PlanCompiler.compile(patch, sampleRate: sampleRate), from: from, count: count)
    }

    /// The power of each line, averaged over transforms of 2^14 frames.
    private func spectrum(of samples: [Float]) -> [Double] {
        let length = 1 << 14
        var spectrum = [Double](repeating: 0, count: length / 2)
        for start in stride(from: 0, through: samples.count - length, by: length / 2) {
            var real = (0..<length).map { Double(samples[start + $0]) * (0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length))) }
            var imaginary = [Double](repeating: 0, count: length)
            fourierTransform(real: &real, imaginary: &imaginary)
            for bin in spectrum.indices { spectrum[bin] += real[bin] * real[bin] + imaginary[bin] * imaginary[bin] }
        }
        return spectrum
    }

    /// Power in the third octaves around 31.5 Hz to 16 kHz.
    private func thirdOctaves(_ samples: [Float], sampleRate: Double) -> [(center: Double, power: Double)] {
        let spectrum = spectrum(of: samples)
        return (-15...12).map { third in
            let center = 1000 * pow(2, Double(third) / 3)
            let (low, high) = (center * pow(2, -1.0 / 6), center * pow(2, 1.0 / 6))
            var power = 0.0
            for (bin, value) in spectrum.enumerated() {
                // A bin covers the frequencies half way to its neighbours.
                let width = sampleRate / Double(2 * spectrum.count)
                let overlap = min(high, (Double(bin) + 0.5) * width) - max(low, (Double(bin) - 0.5) * width)
                if overlap > 0 { power += value * overlap / width }
            }
            return (center, power)
        }
    }

    @Test(
        "Pink noise has the same power in every third octave, brown noise 3 dB less in each octave; white, blue and violet 3, 6 and 9 dB more",
        arguments: NoiseColor.allCases)
    func spectrum(color: NoiseColor) {
        let samples = noise(color, count: 1 << 19)
        let thirds = zip(
            thirdOctaves(samples.left, sampleRate: 48_000), thirdOctaves(samples.right, sampleRate: 48_000)
        ).map { (center: $0.center, power: $0.power + $1.power) }
        let slope =
            switch color {
            case .white: 3.0103
            case .pink: 0.0
            case .brown: -3.0103
            case .blue: 6.0206
            case .violet: 9.0309
            }
        let levels = thirds.map { 10 * log10($0.power) - slope * log2($0.center / 1000) }
        let mean = levels.reduce(0, +) / Double(levels.count)
        for (third, level) in zip(thirds, levels) {
            // The statistical error: in the time measured, a third octave of width B has about 2 * 11 s * B independent values.
            let chance = 4.34 / (2 * 10.9 * 0.23 * third.center).squareRoot() * 3.5
            // Brown noise falls off below 20 Hz, which at 31 Hz can be seen.
            let low = color == .brown && third.center < 40 ? 1.5 : 0
            #expect(abs(level - mean) < 0.2 + chance + low, "at \(third.center) Hz")
        }
    }

    @Test("Noise of a slope, or of 32 levels, has its spectrum in every third octave, within 0.4 dB and chance")
    func shapes() {
        let hills = (0..<NoiseSpectrum.bandCount).map { 9 * sin(2 * .pi * Double($0) / 16) }
        let shapes: [(NoiseSpectrum, (Double) -> Double)] = [
            (.slope(-4.5), { -4.5 * log2($0 / 1000) }), (.slope(2), { 2 * log2($0 / 1000) }), (.slope(-9), { -9 * log2($0 / 1000) }),
            (
                .levels(hills),
                { frequency in
                    let place = log(frequency / 20) / log(1000) * 31
                    let index = min(Int(place), 30)
                    return hills[index] + (hills[index + 1] - hills[index]) * (place - Double(index))
                }
            ),
        ]
        for (spectrum, level) in shapes {
            var layer = Layer(name: "one", kind: .noise, values: [.gain: -20])
            layer.spectrum = spectrum
            let samples = render(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000), from: 48_000, count: 1 << 19)
            let thirds = zip(
                thirdOctaves(samples.left, sampleRate: 48_000), thirdOctaves(samples.right, sampleRate: 48_000)
            ).map { (center: $0.center, power: $0.power + $1.power) }.filter { $0.center > 60 }
            // White noise has 3 dB more in each octave.
            let errors = thirds.map { 10 * log10($0.power) - 3.0103 * log2($0.center / 1000) - level($0.center) }
            let mean = errors.reduce(0, +) / Double(errors.count)
            for (third, error) in zip(thirds, errors) {
                let chance = 4.34 / (2 * 10.9 * 0.23 * third.center).squareRoot() * 3.5
                #expect(abs(error - mean) < 0.4 + chance, "\(spectrum) at \(third.center) Hz: \(error - mean)")
            }
        }
    }

    @Test(
        "Noise with a range has the power of its gain there, and 60 dB less from 60 Hz beyond its ends on",
        arguments: [NoiseRange.low(800), .high(3000), .band(4000...8000), .band(100...120), .notch(2000...4000)])
    func range(range: NoiseRange) {
        for color in [NoiseColor.white, .pink] {
            var layer = Layer(name: "one", kind: .noise, values: [.gain: -20], color: color)
            layer.range = range
            let samples = render(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000), from: 48_000, count: 1 << 19)
            let power = samples.left.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.left.count)
            // A narrow band has few independent values.
            #expect(abs(10 * log10(power) + 23.01) < (range == .band(100...120) ? 1.5 : 0.3), "\(color)")
            let lines = spectrum(of: samples.left)
            let width = 48_000 / Double(2 * lines.count)
            /// The mean power of the lines whose frequencies are so far within the range, or if negative, outside it.
            func mean(_ isMeant: (Double) -> Bool) -> Double {
                let meant = lines.indices.filter { $0 > 2 && isMeant(Double($0) * width) }
                return meant.reduce(0) { $0 + lines[$1] } / Double(meant.count)
            }
            let inside = mean { frequency in range.bands.contains { $0.contains(frequency) } }
            let outside = mean { frequency in range.bands.allSatisfy { frequency < $0.lowerBound - 60 || frequency > $0.upperBound + 60 } }
            #expect(10 * log10(outside / inside) < -60, "\(color): \(10 * log10(outside / inside)) dB")
        }
    }

    @Test("Noise whose range is above half the sample rate is silent")
    func rangeAboveNyquist() {
        var layer = Layer(name: "one", kind: .noise, values: [.gain: -20])
        layer.range = .high(15_000)
        let samples = render(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 22_050), from: 0, count: 48_000)
        #expect(samples.left.allSatisfy { $0 == 0 })
    }

    @Test(
        "The ears have the requested correlation, within 0.01, and each has the power of a tone of the same gain",
        arguments: NoiseColor.allCases)
    func correlation(color: NoiseColor) {
        for correlation in [0, 0.7, 1] {
            let samples = noise(color, count: 1 << 19, correlation: correlation)
            var (ll, rr, lr, mean) = (0.0, 0.0, 0.0, 0.0)
            for (l, r) in zip(samples.left, samples.right) {
                ll += Double(l) * Double(l)
                rr += Double(r) * Double(r)
                lr += Double(l) * Double(r)
                mean += Double(l)
            }
            // Brown noise has most of its power in few lines, so that chance weighs more.
            #expect(abs(lr / (ll * rr).squareRoot() - correlation) < (color == .brown ? 0.05 : 0.01))
            #expect(abs(10 * log10(ll / Double(1 << 19) / 0.005)) < (color == .brown ? 0.4 : 0.06))
            #expect(abs(10 * log10(rr / Double(1 << 19) / 0.005)) < (color == .brown ? 0.4 : 0.06))
            #expect(abs(mean) / Double(1 << 19) < 0.0005)
        }
    }

    @Test("Noise does not repeat, differs between seeds, and equal seeds sound alike")
    func seeds() {
        for color in NoiseColor.allCases {
            func rendered(_ seed: UInt64, from: Int64) -> [Float] {
                var layer = Layer(name: "n", kind: .noise, color: color)
                layer.seed = seed
                return render(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000), from: from, count: 16_384).left
            }
            func likeness(_ a: [Float], _ b: [Float]) -> Double {
                let product = zip(a, b).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
                return abs(product) / (a.reduce(0.0) { $0 + Double($1) * Double($1) })
            }
            let first = rendered(1, from: 1_000_000)
            let isSame = first == rendered(1, from: 1_000_000)
            #expect(isSame)
            let limit = color == .white ? 0.05 : color == .pink ? 0.25 : 0.8
            #expect(likeness(first, rendered(2, from: 1_000_000)) < limit)
            // Whole numbers of blocks on, a day on, and where a counter of 32 bits would be at its start again.
            for distance in [4096, 8192, 3 * 4096, 48_000 * 86_400, 1 << 32] {
                #expect(likeness(first, rendered(1, from: 1_000_000 + Int64(distance))) < limit)
            }
        }
    }

    @Test("White noise is the same from any frame on, also where the counter of 32 bits begins again")
    func counter() {
        let whole = noise(.white, count: 300, from: 1 << 32 - 150)
        for cut in [1, 7, 100, 149, 150, 151, 200] {
            let part = noise(.white, count: 300 - cut, from: 1 << 32 - 150 + Int64(cut))
            #expect(Array(whole.left[cut...]) == part.left, "\(cut)")
            #expect(Array(whole.right[cut...]) == part.right, "\(cut)")
        }
    }

    @Test(
        "A playhead that begins only mixes during the fade: its work ahead is done, for as long as the block lasts",
        arguments: [0, 1, 3000, 3136, 3137, 4095])
    func workAhead(offset: Int64) throws {
        let plan = PlanCompiler.compile(.single(.noise, [.gain: -20], color: .pink), sampleRate: 48_000)
        let shape = try #require(plan.layers[0].noises.first?.shape)
        // Noise does not look at it.
        let keyboard = UnsafeMutablePointer<Keyboard>.allocate(capacity: 1)
        defer { keyboard.deallocate() }
        let start = Int64(10 * shape.hop) + offset
        let memory = WorkspaceMemory(
            for: plan, at: PlanFrame(start), feeder: SoundFeeder(nil, sampleRate: 48_000, hasThread: false), keyboard: keyboard,
            kernel: .best)
        let blocks = memory.plain.noise
        func progress() -> [Int] { (0..<3).map { blocks.pointee.progress[$0] } }
        let before = progress()
        var samples = [Float](repeating: 0, count: 960)
        func play(_ count: Int, from frame: Int64) {
            fillColoredNoise(
                &samples, nil, count: count, shape: shape, blocks: blocks, seedKey: plan.layers[0].source.seedKey, frame: frame,
                kernel: .best)
        }
        let fade = min(960, shape.hop - Int(offset))
        play(fade, from: start)
        #expect(progress() == before)
        // Afterwards each frame has its share of the work again.
        play(64, from: start + Int64(fade))
        #expect(progress() != before)
        withExtendedLifetime((plan, memory)) {}
    }

    @Test("The spectrum of pink noise is the same at other sample rates", arguments: [44_100.0, 96_000, 192_000])
    func sampleRates(sampleRate: Double) {
        let samples = noise(.pink, count: 1 << 19, from: 0, sampleRate: sampleRate)
        let thirds = thirdOctaves(Array(samples.left[10_000...]), sampleRate: sampleRate)
        for third in thirds where third.center > 500 {
            let reference = thirds.first { $0.center > 900 }!
            let seconds = Double(1 << 19) / sampleRate
            let chance = 4.34 / (seconds * 0.23 * min(third.center, 1000)).squareRoot() * 4
            #expect(abs(10 * log10(third.power / reference.power)) < 0.2 + chance)
        }
    }
}
