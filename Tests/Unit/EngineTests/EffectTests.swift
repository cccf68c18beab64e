import Engine
import Foundation
import Patches
import TestSupport
import Testing

@Suite("Effects on noise, files and inputs")
struct EffectTests {
    private func layer(_ kind: LayerKind, _ values: [Parameter: Double], effects: Set<LayerEffect> = []) -> Layer {
        var layer = Layer(name: "one", kind: kind, values: values.merging([.gain: 0]) { given, _ in given })
        layer.effects = effects
        layer.path = kind == .file ? "/sound" : ""
        return layer
    }

    /// The output of a layer while the input is 0.5 and the file a sum of tones, from one second on.
    private func sound(_ layer: Layer, count: Int = 48_000) -> Samples {
        let engine = TestEngine(cycle: 256, sounds: { _, _ in TonesSound() })
        engine.input = { _ in (0.5, 0.5) }
        engine.control.start(engine.compile(Patch(layers: [layer])))
        engine.run(48_000 + count)
        return Samples(left: Array(engine.left[48_000..<48_000 + count]), right: Array(engine.right[48_000..<48_000 + count]))
    }

    /// The levels of both ears relative to those without effects, in frames that have some level.
    private func levels(_ kind: LayerKind, _ values: [Parameter: Double], _ effects: Set<LayerEffect>, envelope: DrawnEnvelope? = nil)
        -> [(time: Double, left: Double, right: Double)]
    {
        var changed = layer(kind, values, effects: effects)
        changed.envelope = envelope
        let (plain, sound) = (sound(layer(kind, [:])), sound(changed))
        return plain.left.indices.filter { abs(plain.left[$0]) > 0.05 && abs(plain.right[$0]) > 0.05 }.map {
            (
                1 + Double($0) / 48_000, Double(sound.left[$0] / plain.left[$0]), Double(sound.right[$0] / plain.right[$0])
            )
        }
    }

    private static let kinds: [LayerKind] = [.noise, .file, .input]

    @Test("Amplitude modulation swings between 1 and 1 minus its depth, from full level on", arguments: kinds)
    func modulation(kind: LayerKind) {
        let levels = levels(kind, [.amRate: 6.5, .amDepth: 0.7], [.modulation])
        #expect(levels.count > 20_000)
        for level in levels {
            let expected = 1 - 0.7 * (0.5 - 0.5 * cos(2 * .pi * 6.5 * level.time))
            #expect(abs(level.left - expected) < 3e-6 && abs(level.right - expected) < 3e-6)
        }
    }

    @Test(
        "A spin raises one ear's level as it lowers the other's; the right ear comes first, with a negative rate the left one",
        arguments: kinds)
    func spin(kind: LayerKind) {
        for rate in [0.7, -0.7] {
            for level in levels(kind, [.spinRate: rate, .spinDepth: 0.6], [.spin]) {
                let swing = sin(2 * .pi * rate * level.time)
                #expect(abs(level.left - (1 - 0.6 * (0.5 + 0.5 * swing))) < 3e-6)
                #expect(abs(level.right - (1 - 0.6 * (0.5 - 0.5 * swing))) < 3e-6)
            }
        }
    }

    @Test("Between its pulses a layer falls by the depth", arguments: kinds)
    func depth(kind: LayerKind) {
        let levels = levels(kind, [.pulseRate: 3, .duty: 0.4, .edge: 0.02, .pulseDepth: 0.75], [.pulses])
        for level in levels {
            let place = (3 * level.time).truncatingRemainder(dividingBy: 1)
            if place > 0.07, place < 0.33 { #expect(level.left == 1) }
            if place > 0.41 { #expect(abs(level.left - 0.25) < 1e-6) }
            #expect(level.left > 0.2499 && level.left <= 1 && abs(level.left - level.right) < 1e-6)
        }
    }

    @Test("A drawn envelope goes from level to level, and from the last to the first", arguments: DrawnEnvelope.Curve.allCases)
    func envelope(curve: DrawnEnvelope.Curve) {
        let points = [0.1, 1, 0.3, 0.3, 0]
        func expected(_ time: Double) -> Double {
            let place = (2.5 * time).truncatingRemainder(dividingBy: 1) * 5
            let (index, t) = (Int(place), place - floor(place))
            let part =
                switch curve {
                case .linear: t
                case .smoothstep: t * t * (3 - 2 * t)
                case .smootherstep: t * t * t * (10 - 15 * t + 6 * t * t)
                }
            return points[index] + (points[(index + 1) % 5] - points[index]) * part
        }
        let drawn = DrawnEnvelope(levels: points, curve: curve)
        for kind in Self.kinds {
            for level in levels(kind, [.pulseRate: 2.5], [.pulses], envelope: drawn) {
                #expect(abs(level.left - expected(level.time)) < 1e-5, "\(kind) at \(level.time)")
            }
        }
        var tone = Layer(name: "one", kind: .isochronic, values: [.carrier: 300, .pulseRate: 2.5, .gain: 0])
        tone.envelope = drawn
        let (pulsed, plain) = (sound(tone), sound(Layer(name: "one", kind: .tone, values: [.carrier: 300, .gain: 0])))
        for frame in plain.left.indices where abs(plain.left[frame]) > 0.1 {
            #expect(abs(Double(pulsed.left[frame] / plain.left[frame]) - expected(1 + Double(frame) / 48_000)) < 1e-5)
        }
    }

    @Test(
        "A beat moves every tone of a file or an input up in the left ear and down in the right one, with images below -80 dB from 20 Hz on",
        arguments: [LayerKind.file, .input])
    func shift(kind: LayerKind) {
        let shifted = layer(kind, [.beat: 9, .gain: -12], effects: [.shift])
        let engine = TestEngine(cycle: 256, sounds: { _, _ in TonesSound() })
        engine.input = { (TonesSound.sample(Int64($0)), TonesSound.sample(Int64($0))) }
        engine.control.start(engine.compile(Patch(layers: [shifted])))
        engine.run(5 * 48_000)
        let gain = pow(10, -12.0 / 20) * TonesSound.amplitude
        var image = -Double.infinity
        for (samples, sign) in [(engine.left, 1.0), (engine.right, -1)] {
            let part = samples[48_000..<4 * 48_000 + 48_000].map(Double.init)
            for tone in TonesSound.frequencies {
                let there = level(part, tone + sign * 4.5) / gain
                #expect(abs(20 * log10(there)) < 0.01, "\(tone) Hz")
                image = max(image, 20 * log10(level(part, tone - sign * 4.5) / gain))
            }
        }
        print("figure: \(kind): images of a shift at most \(image) dB")
        #expect(image < -80)
    }

    @Test("A beat leaves what the ears do not have in common as it is")
    func width() {
        let engine = TestEngine(cycle: 256)
        engine.input = { frame in
            let sample = TonesSound.sample(Int64(frame))
            return (sample, -sample)
        }
        engine.control.start(engine.compile(Patch(layers: [layer(.input, [.beat: 9, .gain: -12], effects: [.shift])])))
        engine.run(3 * 48_000)
        let part = engine.left[48_000..<3 * 48_000].map(Double.init)
        for tone in TonesSound.frequencies { #expect(abs(20 * log10(level(part, tone) / 0.2512 / TonesSound.amplitude)) < 0.02) }
        #expect(zip(engine.left, engine.right).allSatisfy { abs($0 + $1) < 1e-6 })
    }

    @Test(
        "Noise with a beat is one noise in both ears, shifted apart by it, at the level of noise without one",
        arguments: NoiseColor.allCases)
    func noise(color: NoiseColor) {
        let count = 1 << 18
        var shifted = layer(.noise, [.beat: 12, .gain: -20], effects: [.shift])
        shifted.spectrum = .color(color)
        let samples = render(PlanCompiler.compile(Patch(layers: [shifted]), sampleRate: 48_000), from: 48_000, count: count)
        let (left, right) = (analytic(samples.left), analytic(samples.right))
        let power = left.reduce(0) { $0 + $1.x * $1.x + $1.y * $1.y }
        func likeness(_ beat: Double) -> Double {
            var sum = SIMD2<Double>()
            for index in left.indices {
                let phase = -2 * .pi * beat * Double(index) / 48_000
                let (l, r) = (left[index], right[index])
                let product = SIMD2(l.x * r.x + l.y * r.y, l.y * r.x - l.x * r.y)
                sum += SIMD2(product.x * cos(phase) - product.y * sin(phase), product.x * sin(phase) + product.y * cos(phase))
            }
            return (sum * sum).sum().squareRoot() / power
        }
        // Half of brown noise is below 40 Hz, where a block of it has few lines.
        #expect(likeness(12) > (color == .brown ? 0.98 : 0.99))
        for beat in [-12.0, 0] { #expect(likeness(beat) < (color == .brown ? 0.07 : 0.02)) }
        // Both are real, so an ear has half of the analytic signal's power; brown noise has most of it in few lines.
        #expect(abs(10 * log10(power / 2 / Double(count) / 0.005)) < (color == .brown ? 0.5 : 0.1))
    }

    /// Samples with their Hilbert transform.
    private func analytic(_ samples: [Float]) -> [SIMD2<Double>] {
        var (real, imaginary) = (samples.map(Double.init), [Double](repeating: 0, count: samples.count))
        fourierTransform(real: &real, imaginary: &imaginary)
        for line in samples.count / 2..<samples.count { (real[line], imaginary[line]) = (0, 0) }
        imaginary = imaginary.map { -$0 }
        fourierTransform(real: &real, imaginary: &imaginary)
        let scale = 2 / Double(samples.count)
        return real.indices.map { SIMD2(real[$0] * scale, -imaginary[$0] * scale) }
    }

    @Test(
        "No effect clicks when any of its values is set or ramped, nor where it is confined to a band", arguments: LayerKind.input.effects,
        [[], [100.0...400]])
    func clicks(effect: LayerEffect, bands: [ClosedRange<Double>]) {
        // A tone of 200 Hz as an input, which is the same in both ears.
        let quiet: [Parameter: Double] = [.gain: -12, .pulseRate: 1.5, .edge: 0.1, .pulseDepth: 0.5]
        let engine = TestEngine(kernel: .best)
        engine.input = { frame in
            let sample = Float(sin(2 * .pi * 200 * Double(frame) / 48_000))
            return (sample, sample)
        }
        engine.run(640)
        var input = layer(.input, quiet, effects: [effect])
        input.bands = bands
        engine.control.start(engine.compile(Patch(layers: [input])))
        engine.run(5000)
        let values: [(Parameter, [Double])] =
            switch effect {
            case .pulses: [(.pulseDepth, [1, 0, 0.3]), (.pulseRate, [2, 1]), (.duty, [0.8, 0.4])]
            case .modulation: [(.amDepth, [1, 0, 0.7]), (.amRate, [3, 9])]
            case .spin: [(.spinDepth, [1, 0, 0.7]), (.spinRate, [3, -2])]
            case .orbit: []
            case .spinDelay: [(.spinDelay, [900, 0, 300]), (.spinRate, [3, -2])]
            case .shift: [(.beat, [12, -30, 0, 4])]
            }
        for (parameter, targets) in values {
            for (index, target) in targets.enumerated() {
                engine.control.edit([Setting(layer: 0, parameter: parameter, value: target)], ramp: index == 1 ? 0.2 : nil)
                engine.run(index == 2 ? 700 : 5000)
            }
        }
        engine.control.stop()
        engine.run(4000)
        #expect(peakAbove(2000, in: engine.spectrumInput, sampleRate: 48_000) < -100)
        #expect(engine.left.contains { abs($0) > 0.1 })
    }

    @Test("An effect that easings carry beyond its range stays within it")
    func overshoot() {
        let chapter = Chapter(
            start: 0, over: 1, ease: .elasticOut,
            settings: [Parameter.amDepth, .spinDepth, .pulseDepth].map { Setting(layer: 0, parameter: $0, value: 1) })
        let tone = layer(.file, [.amDepth: 0, .spinDepth: 0, .pulseDepth: 0], effects: [.pulses, .modulation, .spin])
        let plan = PlanCompiler.compile(Patch(layers: [tone], chapters: [chapter]), sampleRate: 48_000)
        let plain = PlanCompiler.compile(Patch(layers: [layer(.file, [:])]), sampleRate: 48_000)
        let (changed, whole) = (render(plan, from: 0, count: 48_000), render(plain, from: 0, count: 48_000))
        #expect(zip(changed.left, whole.left).allSatisfy { abs($0) <= abs($1) + 1e-6 })
    }
}
