import Foundation
import Patches
import TestSupport
import Testing

@testable import Engine

@Suite("Effects that are confined to bands")
struct BandTests {
    private static let kinds: [LayerKind] = [.noise, .file, .input]

    private func layer(
        _ kind: LayerKind, _ values: [Parameter: Double] = [:], effects: Set<LayerEffect> = [], bands: [ClosedRange<Double>] = [200...800]
    ) -> Layer {
        var layer = Layer(name: "one", kind: kind, values: values.merging([.gain: -12]) { given, _ in given }, color: .pink)
        layer.effects = effects
        layer.bands = bands
        layer.path = kind == .file ? "/sound" : ""
        return layer
    }

    /// From one second on, while file and input are a sum of tones.
    private func sound(_ layer: Layer, seconds: Int = 3, kernel: Kernel = .baseline) -> Samples {
        let engine = TestEngine(cycle: 256, kernel: kernel, sounds: { _, _ in TonesSound() })
        engine.input = { (TonesSound.sample(Int64($0)), TonesSound.sample(Int64($0))) }
        engine.control.start(engine.compile(Patch(layers: [layer])))
        engine.run((1 + seconds) * 48_000)
        return Samples(
            left: Array(engine.left[48_000..<(1 + seconds) * 48_000]), right: Array(engine.right[48_000..<(1 + seconds) * 48_000]))
    }

    private func latency(_ layer: Layer) -> Int {
        PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000).layers[0].effects?.latency ?? 0
    }

    @Test("Where the effects change nothing, a layer sounds as without them; only an input is late", arguments: kinds)
    func nothing(kind: LayerKind) {
        for bands in [[200.0...800], [0...300, 1000...4000, 12_000...20_000]] {
            let idle = layer(kind, [.amDepth: 0, .spinDepth: 0], effects: [.modulation, .spin], bands: bands)
            // A noise with bands is not the one without them, since its blocks have another window.
            let whole = kind == .noise ? layer(kind, [.amDepth: 0], effects: [.modulation], bands: [0...20_000]) : layer(kind)
            let (banded, plain) = (sound(idle, seconds: 1), sound(whole, seconds: 1))
            let late = latency(idle)
            #expect(late == (kind == .input ? 1205 : 0))
            var difference: Float = 0
            for frame in late..<48_000 { difference = max(difference, abs(banded.left[frame] - plain.left[frame - late])) }
            #expect(difference < 2e-6 && plain.left.contains { abs($0) > 0.02 })
        }
    }

    @Test(
        "Tones in a band are modulated as the formula says to 0.1 dB, those outside are as they were, with sidebands below -75 dB",
        arguments: [LayerKind.file, .input], Kernel.available)
    func modulation(kind: LayerKind, kernel: Kernel) {
        let modulated = layer(kind, [.amRate: 7, .amDepth: 0.8], effects: [.modulation], bands: [200...800, 10_000...20_000])
        let samples = sound(modulated, kernel: kernel)
        let part = samples.left.map(Double.init)
        let gain = pow(10, -12.0 / 20) * TonesSound.amplitude
        func decibels(_ frequency: Double) -> Double { 20 * log10(level(part, frequency) / gain) }
        var (error, outside) = (0.0, -Double.infinity)
        for tone in TonesSound.frequencies {
            if tone == 440 || tone == 16_000 {
                error = max(error, abs(decibels(tone) - 20 * log10(1 - 0.4)))
                for side in [tone - 7, tone + 7] { error = max(error, abs(decibels(side) - 20 * log10(0.2))) }
            } else {
                error = max(error, abs(decibels(tone)))
                // The tones of 20 and 26 Hz are near each other.
                for side in [tone - 7, tone + 7] where tone > 100 { outside = max(outside, decibels(side)) }
            }
        }
        print("figure: \(kind), \(kernel): modulation in bands off by at most \(error) dB, sidebands outside at most \(outside) dB")
        #expect(error < 0.1)
        #expect(outside < -75)
    }

    @Test(
        "A beat shifts the tones of a band, with images below -80 dB, and leaves the others where they are",
        arguments: [LayerKind.file, .input], Kernel.available)
    func shift(kind: LayerKind, kernel: Kernel) {
        let samples = sound(layer(kind, [.beat: 9], effects: [.shift]), kernel: kernel)
        let gain = pow(10, -12.0 / 20) * TonesSound.amplitude
        var image = -Double.infinity
        for (ear, sign) in [(samples.left, 1.0), (samples.right, -1)] {
            let part = ear.map(Double.init)
            func decibels(_ frequency: Double) -> Double { 20 * log10(level(part, frequency) / gain) }
            for tone in TonesSound.frequencies {
                let moved = tone == 440 ? sign * 4.5 : 0
                #expect(abs(decibels(tone + moved)) < 0.02, "\(tone) Hz")
                if tone > 100 { for other in [-4.5, 0, 4.5] where other != moved { image = max(image, decibels(tone + other)) } }
            }
        }
        print("figure: \(kind), \(kernel): images of a shift in a band at most \(image) dB")
        #expect(image < -80)
    }

    @Test("A shift that begins in the bass has no images there, and delays an input by more", arguments: [LayerKind.file, .input])
    func bass(kind: LayerKind) {
        let shifted = layer(kind, [.beat: 9], effects: [.shift], bands: [0...300])
        #expect(latency(shifted) == (kind == .input ? 3012 : 0))
        let part = sound(shifted).left.map(Double.init)
        let gain = pow(10, -12.0 / 20) * TonesSound.amplitude
        for tone in [20.0, 26, 101] {
            #expect(abs(20 * log10(level(part, tone + 4.5) / gain)) < 0.02, "\(tone) Hz")
            #expect(20 * log10(level(part, tone - 4.5) / gain) < -80, "\(tone) Hz")
        }
    }

    @Test(
        "Between its pulses a noise has nothing in its band, and outside of it all that it had, whatever its spectrum",
        arguments: [NoiseSpectrum.color(.pink), .color(.brown), .slope(-12), .slope(12)])
    func noise(spectrum: NoiseSpectrum) {
        let pulses: [Parameter: Double] = [.pulseRate: 0.2, .duty: 0.4, .edge: 0.01, .pulseDepth: 1]
        func noise(_ effects: Set<LayerEffect>, depth: Double) -> Samples {
            var noise = layer(.noise, pulses.merging([.pulseDepth: depth]) { $1 }, effects: effects)
            noise.spectrum = spectrum
            return sound(noise)
        }
        let (banded, plain) = (noise([.pulses], depth: 1), noise([.pulses], depth: 0))
        // Pulses are at full level from 0 to 2 s, and silent from then on to 5 s.
        let part = 60_000..<60_000 + 65_536
        /// Under a window whose spectrum falls steeply.
        func power(_ samples: [Float]) -> [Double] {
            var real = part.enumerated().map { index, frame in
                let half = sin(.pi * (Double(index) + 0.5) / 65_536)
                return Double(samples[frame]) * sin(.pi / 2 * half * half)
            }
            var imaginary = [Double](repeating: 0, count: part.count)
            fourierTransform(real: &real, imaginary: &imaginary)
            return real.indices.map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
        }
        func level(_ lines: [Double], _ band: ClosedRange<Double>) -> Double {
            10 * log10(lines[Int(band.lowerBound * 65_536 / 48_000)...Int(band.upperBound * 65_536 / 48_000)].reduce(0, +))
        }
        let (left, whole) = (power(banded.left), power(plain.left))
        let rest = level(left, 400...600) - level(whole, 400...600)
        print("figure: \(spectrum): \(rest) dB left in the band of a noise between its pulses")
        #expect(rest < -60)
        for band in [50.0...100, 1600...3000, 5000...15_000] { #expect(abs(level(left, band) - level(whole, band)) < 0.01, "\(band)") }
        let difference = power(zip(banded.left, plain.left).map { $0 - $1 })
        // Rounding is as loud everywhere, even where a noise is very soft.
        let rounding = level(whole, 20...20_000) - 130
        for band in [30.0...100, 1600...3000, 5000...15_000] {
            #expect(level(difference, band) < max(level(whole, band) - 60, rounding), "\(band)")
        }
    }

    @Test("A layer with bands is a function of the frame: in blocks of any size, and after a seek", arguments: [LayerKind.noise, .file])
    func frames(kind: LayerKind) {
        let effects: Set<LayerEffect> = [.pulses, .modulation, .spin, .shift]
        for chosen in [effects, effects.subtracting([.shift])] {
            let values: [Parameter: Double] = [.beat: 5, .amRate: 3, .amDepth: 0.5, .spinRate: 0.4, .pulseRate: 2, .pulseDepth: 0.7]
            let patch = Patch(layers: [layer(kind, values.filter { chosen.contains(.shift) || $0.key != .beat }, effects: chosen)])
            func samples(from start: Int64, _ count: Int, _ blocks: [Int]) -> Samples {
                render(PlanCompiler.compile(patch, sampleRate: 48_000), from: start, count: count, blocks: blocks)
            }
            let whole = samples(from: 0, 60_000, [1024])
            let cut = samples(from: 0, 60_000, [1, 64, 177, 1000])
            #expect(whole.left == cut.left && whole.right == cut.right)
            // A playhead begins with a fade.
            let later = samples(from: 40_001, 19_000, [300])
            #expect(Array(whole.left[42_000..<59_000]) == Array(later.left[1999..<18_999]))
            #expect(Array(whole.right[42_000..<59_000]) == Array(later.right[1999..<18_999]))
        }
    }

    @Test("An input that is silent for a while is heard by its filters, in the band and beside it")
    func mute() {
        let engine = TestEngine(cycle: 64)
        engine.input = { (TonesSound.sample(Int64($0)), TonesSound.sample(Int64($0))) }
        let layer = layer(.input, [.amDepth: 0], effects: [.modulation])
        engine.control.start(engine.compile(Patch(layers: [layer])))
        engine.run(20_000)
        engine.control.mute([0])
        engine.run(20_000)
        engine.control.mute([])
        engine.run(8000)
        let (late, gain) = (latency(layer), Float(pow(10, -12.0 / 20)))
        let error = (44_000..<48_000).map { abs(engine.left[$0] - TonesSound.sample(Int64($0 - late)) * gain) }.max()
        #expect(error ?? 1 < 2e-6)
    }
}
