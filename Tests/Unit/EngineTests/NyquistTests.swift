import Foundation
import Patches
import Synthesis
import TestSupport
import Testing

@testable import Engine

/// Frequencies above half the sample rate would alias, so they fade out below it.
@Suite("Near half the sample rate")
struct NyquistTests {
    private static let rates = [8000.0, 11_025, 22_050, 44_100, 48_000]
    private static let size = 1 << 16

    /// Kinds with tones, each with the offset of its tones from the carrier, left and right, as a multiple of the beat.
    private static let kinds: [(kind: LayerKind, left: [Double], right: [Double])] = [
        (.tone, [0], [0]), (.isochronic, [0], [0]), (.bilateral, [0], [0]), (.bell, [0], [0]), (.binaural, [0.5], [-0.5]),
        (.monaural, [0.5, -0.5], [0.5, -0.5]), (.harmonicBox, [0.5, -2.5], [-0.5, -1.5]),
    ]

    private func plan(
        _ kind: LayerKind, _ values: [Parameter: Double], wave: Waveform = .sine, chapters: [Chapter] = [], _ sampleRate: Double
    )
        -> Plan
    {
        let layer = Layer(name: "one", kind: kind, values: values, wave: wave)
        return PlanCompiler.compile(Patch(layers: [layer], chapters: chapters), sampleRate: sampleRate)
    }

    /// Amplitudes of the lines of 2^16 frames under a window of Blackman and Harris, whose sidelobes are 92 dB down.
    private func lines(_ samples: [Float]) -> [Double] {
        var real = samples.indices.map { index -> Double in
            let x = 2 * Double.pi * Double(index) / Double(samples.count)
            return Double(samples[index]) * (0.35875 - 0.48829 * cos(x) + 0.14128 * cos(2 * x) - 0.01168 * cos(3 * x))
        }
        var imaginary = [Double](repeating: 0, count: real.count)
        fourierTransform(real: &real, imaginary: &imaginary)
        return (0..<samples.count / 2).map { hypot(real[$0], imaginary[$0]) * 2 / 0.35875 / Double(samples.count) }
    }

    /// Cycles per frame to the factor: smootherstep from 0.47 to 0.5.
    private func factor(_ frequency: Double) -> Double {
        let t = min(max((abs(frequency) - 0.47) / 0.03, 0), 1)
        return 1 - t * t * t * (t * (6 * t - 15) + 10)
    }

    @Test("A tone above half the sample rate is silent, for every kind and wave", arguments: rates, Waveform.allCases.dropLast())
    func silent(sampleRate: Double, wave: Waveform) {
        for (kind, left, _) in Self.kinds + [(.phase, [0], [0])] {
            // Far enough above it for all of its tones, and higher: 15 kHz were heard as 7.05 kHz at 22.05 kHz.
            for carrier in [sampleRate / 2 + 30, sampleRate * 0.68, sampleRate, sampleRate * 1.5 + 250, 20_000]
            where carrier <= 20_000 && carrier > sampleRate / 2 + 26 {
                let values: [Parameter: Double] = [.carrier: carrier, .gain: 0].merging(
                    left == [0] && kind != .phase ? [:] : [.beat: 10]
                ) { $1 }
                let plan = plan(kind, values, wave: wave, sampleRate)
                for kernel in Kernel.available {
                    let samples = render(plan, from: 4000, count: 8000, kernel: kernel)
                    #expect(samples.left.allSatisfy { $0 == 0 }, "\(kind), \(carrier) Hz")
                    #expect(samples.right.allSatisfy { $0 == 0 }, "\(kind), \(carrier) Hz")
                }
            }
        }
    }

    @Test(
        "From 0.47 of the sample rate on a tone is reduced as by the formula, each tone by itself, and no other line is above -140 dB",
        arguments: rates)
    func fades(sampleRate: Double) {
        // Pulses and strikes have sidebands; their levels are compared below.
        for (kind, left, right) in Self.kinds where ![.isochronic, .bilateral, .bell].contains(kind) {
            for part in [0.45, 0.4695, 0.475, 0.4801, 0.485, 0.49, 0.497, 0.4999] {
                let carrier = sampleRate * part
                guard carrier <= 20_000 else { continue }
                let beat = left == [0] ? 0 : 37.0
                let plan = plan(kind, [.carrier: carrier, .gain: 0].merging(beat == 0 ? [:] : [.beat: beat]) { $1 }, sampleRate)
                let samples = render(plan, from: 4000, count: Self.size)
                for (ear, multiples) in [(samples.left, left), (samples.right, right)] {
                    var rest = lines(ear)
                    for multiple in multiples {
                        let frequency = (carrier + multiple * beat) / sampleRate
                        guard frequency < 0.5 else { continue }
                        let line = Int((frequency * Double(Self.size)).rounded())
                        let near = max(line - 5, 0)...min(line + 5, rest.count - 1)
                        let wanted = factor(frequency) / Double(multiples.count)
                        // The window loses 0.83 dB at most between two lines.
                        let found = near.map { rest[$0] }.max() ?? 0
                        #expect(found <= wanted * 1.001 + 1e-6, "\(kind) \(part): \(found), not \(wanted)")
                        #expect(found >= wanted * 0.9 - 1e-6, "\(kind) \(part): \(found), not \(wanted)")
                        for index in near { rest[index] = 0 }
                    }
                    // The window's sidelobes beside lines of full level.
                    #expect((rest.max() ?? 1) < 3e-5, "\(kind) \(part) at \(sampleRate): \(rest.max() ?? 1)")
                    // A single line can be subtracted, which leaves the rounding error of a Float.
                    let own = factor((carrier + multiples[0] * beat) / sampleRate)
                    guard multiples.count == 1, own > 0 else { continue }
                    let residue = SineResidue(of: ear, frequency: (carrier + multiples[0] * beat) / sampleRate)
                    #expect(residue.spur + decibels(own) < -140, "\(kind) \(part) at \(sampleRate): \(residue.spur)")
                }
            }
        }
    }

    @Test("Pulses, bells and swaying tones fade by the same factor", arguments: [8000.0, 22_050])
    func pulsed(sampleRate: Double) {
        func level(_ samples: [Float]) -> Double {
            (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
        }
        for kind in [LayerKind.isochronic, .bilateral, .bell] {
            let whole = render(plan(kind, [.carrier: sampleRate * 0.25003, .gain: -6], sampleRate), from: 100, count: Self.size)
            for part in [0.46, 0.4751, 0.4853, 0.4951] {
                let faded = render(plan(kind, [.carrier: sampleRate * part, .gain: -6], sampleRate), from: 100, count: Self.size)
                for (a, b) in [(faded.left, whole.left), (faded.right, whole.right)] {
                    #expect(abs(level(a) / level(b) - factor(part)) < 0.01, "\(kind) \(part)")
                }
            }
        }
        // A swaying tone has eleven sidebands: it fades like its outermost one.
        let whole = render(plan(.phase, [.carrier: sampleRate * 0.25003, .gain: -6, .beat: 20], sampleRate), from: 100, count: Self.size)
        for part in [0.43, 0.4451, 0.4653] {
            let faded = render(plan(.phase, [.carrier: sampleRate * part, .gain: -6, .beat: -20], sampleRate), from: 100, count: Self.size)
            let outermost = part + 11 * 20 / sampleRate
            #expect(abs(level(faded.left) / level(whole.left) - factor(outermost)) < 0.01, "phase \(part)")
        }
    }

    @Test("The sidebands of a swaying wave stay below half the sample rate, including those of its highest harmonics")
    func swayingWave() {
        // So that aliases at half the sample rate fall between the true lines and those mirrored at 0 Hz.
        let (carrier, beat, sampleRate) = (701.37, 97.0, 8000.0)
        for wave in [Waveform.sawtooth, .square] {
            let plan = plan(.phase, [.carrier: carrier, .beat: beat, .depth: 360, .gain: -6], wave: wave, sampleRate)
            let spectrum = lines(render(plan, from: 4000, count: Self.size).left)
            var (worst, count) = (0.0, 0)
            for harmonic in 1...12 {
                for side in -60...60 {
                    let frequency = Double(harmonic) * carrier + Double(side) * beat
                    guard frequency > 4030, frequency < 7900 else { continue }
                    let line = Int(((sampleRate - frequency) / sampleRate * Double(Self.size)).rounded())
                    let offset =
                        (-12...12).map { n in
                            let x = (sampleRate - frequency - Double(n) * carrier).truncatingRemainder(dividingBy: beat)
                            return min(abs(x), beat - abs(x))
                        }.min() ?? 0
                    guard offset > 1.2 else { continue }
                    worst = max(worst, spectrum[line - 1], spectrum[line], spectrum[line + 1])
                    count += 1
                }
            }
            #expect(count > 100)
            #expect(decibels(worst) < -85, "\(wave): \(decibels(worst)) dB")
        }
    }

    /// Samples of a patch of one tone that goes up through half the sample rate and down again, by chapters and by hand, slowly enough that
    /// the sweep itself spreads no further than its ends.
    private func sweep(_ kind: LayerKind, _ wave: Waveform, _ easing: Easing, sampleRate: Double) -> Samples {
        let chapters = [
            Chapter(start: 0.2, over: 0.8, ease: easing, settings: [Setting(layer: 0, parameter: .carrier, value: sampleRate * 0.9)]),
            Chapter(start: 1.2, over: 0.8, ease: easing, settings: [Setting(layer: 0, parameter: .carrier, value: sampleRate * 0.43)]),
        ]
        var patch = Patch(
            duration: 5, fade: Patch.Fade(in: 0.15, easeIn: .sineInOut, out: 0.15, easeOut: .sineInOut),
            layers: [Layer(name: "one", kind: kind, values: [.carrier: sampleRate * 0.43, .gain: -6], wave: wave)],
            chapters: chapters)
        if kind == .binaural { patch.layers[0].values[.beat] = 10 }
        let plan = PlanCompiler.compile(patch, sampleRate: sampleRate)
            .applying([Setting(layer: 0, parameter: .carrier, value: sampleRate * 0.6)], at: Int64(2.2 * sampleRate), ramp: 0.7)
            .applying([Setting(layer: 0, parameter: .carrier, value: sampleRate * 0.44)], at: Int64(3.4 * sampleRate), ramp: 0.8)
        return render(plan, count: Int(5 * sampleRate))
    }

    @Test(
        "A sweep through half the sample rate and back neither aliases nor clicks: nothing is above -100 dB below a third of the sample rate",
        arguments: [8000.0, 11_025, 22_050], [Easing.linear, .sineInOut, .cubicInOut])
    func sweeps(sampleRate: Double, easing: Easing) {
        for (kind, wave) in [
            (LayerKind.tone, Waveform.sine), (.binaural, .sine), (.monaural, .sine), (.tone, .sawtooth), (.phase, .triangle),
        ] {
            let samples = sweep(kind, wave, easing, sampleRate: sampleRate)
            // Inverts the spectrum, so that low frequencies become high ones.
            let turned = samples.left.enumerated().map { Double($1) * ($0 % 2 == 0 ? 1 : -1) }
            let level = peakAbove(sampleRate / 2 - sampleRate / 3.2, in: turned[...], sampleRate: sampleRate)
            #expect(level < -100, "\(kind) \(wave): \(level) dB")
            #expect(samples.left.contains { abs($0) > 0.3 })
        }
    }

    @Test("The pieces of a fade follow the frequency, whatever changes it", arguments: Easing.allCases)
    func pieces(easing: Easing) throws {
        var generator = SeededGenerator(seed: UInt64(easing.rawValue.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
        var worst = 0.0
        for _ in 0..<12 {
            let kind = [LayerKind.tone, .binaural, .harmonicBox, .phase].randomElement(using: &generator)!
            var chapters: [Chapter] = []
            for start in [0.1, 0.3, 0.45, 0.9] {
                var settings = [Setting(layer: 0, parameter: .carrier, value: .random(in: 100...8000, using: &generator))]
                if kind != .tone { settings.append(Setting(layer: 0, parameter: .beat, value: .random(in: -100...100, using: &generator))) }
                chapters.append(
                    Chapter(start: start, over: .random(in: 0.05...0.6, using: &generator), ease: easing, settings: settings))
            }
            let plan = plan(kind, [.carrier: .random(in: 3000...4500, using: &generator)], chapters: chapters, 8000)
                .applying([Setting(layer: 0, parameter: .carrier, value: .random(in: 3600...4200, using: &generator))], at: 9000, ramp: 0.3)
            let layer = plan.layers[0]
            guard let fades = layer.fades else { continue }
            let (carrier, beat) = (try #require(layer.tracks[.carrier]).timeline, layer.tracks[.beat]?.timeline)
            for (index, multiples) in kind.oscillators.enumerated() {
                for frame in stride(from: Int64(0), to: 14_000, by: 3) {
                    let expected = multiples.reduce(1.0) { product, multiple in
                        product * factor((carrier.motion(at: frame).value + multiple * (beat?.motion(at: frame).value ?? 0)) / 8000)
                    }
                    worst = max(worst, abs(Double(fades.track(index).value(at: frame)) - expected))
                }
            }
        }
        // The rounding errors of a polynomial and its frame in Float.
        #expect(worst < 5e-6, "\(worst)")
    }

    @Test(
        "An edit near half the sample rate and back changes no earlier frame, and live playback equals the offline render",
        arguments: Kernel.available)
    func edits(kernel: Kernel) {
        for kind in [LayerKind.tone, .binaural, .harmonicBox, .phase, .isochronic] {
            let patch = Patch.single(kind, [.carrier: 700, .gain: -10])
            let engine = TestEngine(sampleRate: 8000, cycle: 48, kernel: kernel)
            var plan = engine.compile(patch)
            engine.control.start(plan, fade: 0)
            engine.run(480)
            for (number, carrier) in [3990.0, 700, 15_000, 3800, 8000, 200, 3900].enumerated() {
                let frame = Int64(1000 + 700 * number)
                let setting = Setting(layer: 0, parameter: .carrier, value: carrier)
                let before = plan
                plan = plan.applying([setting], at: frame, ramp: number % 2 == 0 ? nil : 0.06, easing: number == 3 ? .elasticOut : nil)
                let isSame = render(before, count: Int(frame), kernel: kernel) == render(plan, count: Int(frame), kernel: kernel)
                #expect(isSame, "\(kind), edit \(number)")
                engine.control.edit(
                    [setting], ramp: number % 2 == 0 ? nil : 0.06, easing: number == 3 ? .elasticOut : nil, atFrame: EngineFrame(frame))
                engine.run(600)
            }
            engine.run(2000)
            for blocks in [[48], [1, 7, 300], [1024]] {
                let offline = render(plan, count: engine.left.count, blocks: blocks, kernel: kernel)
                let isSame = offline.left == engine.left && offline.right == engine.right
                #expect(isSame, "\(kind), \(blocks)")
            }
        }
    }

    @Test("Keys fade according to their bent pitch, each ear by its own", arguments: [8000.0, 11_025])
    func keys(sampleRate: Double) throws {
        // At 8 kHz key 105 is 3520 Hz, 0.44 of the rate, and 108 4186 Hz, which is above half of it.
        let first = sampleRate == 8000 ? UInt8(105) : 110
        for beat in [0.0, 60] {
            let patch = Patch.single(.keys, [.gain: -6, .attack: 0.005, .release: 0.02, .beat: beat])
            let engine = TestEngine(sampleRate: sampleRate, cycle: 100)
            engine.control.start(engine.compile(patch), fade: 0)
            engine.run(1000)
            func level(_ samples: [Float]) -> Double {
                (samples.suffix(2000).reduce(0) { $0 + Double($1) * Double($1) } / 2000).squareRoot() * 2.0.squareRoot()
                    / pow(10, -6.0 / 20)
            }
            for (key, bend, semitones) in [(first, UInt8(64), 0.0), (first, 127, 2), (first + 3, 64, 0), (first + 3, 0, -2), (127, 0, -2)] {
                engine.control.handle.play(0xE0, bend == 127 ? 127 : 0, bend, atFrame: EngineFrame(Int64(engine.left.count)))
                engine.control.handle.play(0x90, key, 127, atFrame: EngineFrame(Int64(engine.left.count)))
                engine.run(3000)
                let pitch = 440 * pow(2, (Double(key) - 69 + semitones) / 12)
                for (ear, frequency) in [(engine.left, pitch + beat / 2), (engine.right, pitch - beat / 2)] {
                    let wanted = factor(frequency / sampleRate)
                    #expect(abs(level(ear) - wanted) < 0.01, "key \(key), \(semitones), \(beat) Hz: \(level(ear)), not \(wanted)")
                    if wanted == 0 { #expect(ear.suffix(2000).allSatisfy { $0 == 0 }) }
                }
                engine.control.handle.play(0x80, key, 0, atFrame: EngineFrame(Int64(engine.left.count)))
                engine.run(500)
            }
        }
    }

    @Test("If no frequency comes near the limit, there is no fade, and at 44.1 kHz and more no carrier fades")
    func nothing() {
        for sampleRate in [44_100.0, 48_000, 96_000] {
            for kind in LayerKind.allCases where kind.description(of: .carrier) != nil {
                let up = Chapter(start: 0.1, over: 1, ease: .backOut, settings: [Setting(layer: 0, parameter: .carrier, value: 12_000)])
                #expect(plan(kind, [.carrier: 20_000], sampleRate).layers[0].fades == nil)
                #expect(plan(kind, [.carrier: 200], chapters: [up], sampleRate).layers[0].fades == nil)
                #expect(plan(kind, [.carrier: 200], sampleRate).fadingLayers.isEmpty)
            }
        }
        // An easing that overshoots reaches it at last.
        let over = Chapter(start: 0.1, over: 1, ease: .elasticOut, settings: [Setting(layer: 0, parameter: .carrier, value: 20_000)])
        #expect(plan(.tone, [.carrier: 200], chapters: [over], 48_000).layers[0].fades != nil)
    }

    @Test("The engine reports which layer fades, from when on, and when it is silent")
    func known() {
        let up = Chapter(start: 2, over: 1, ease: .linear, settings: [Setting(layer: 1, parameter: .carrier, value: 4800)])
        let patch = Patch(
            layers: [
                Layer(name: "low", kind: .tone), Layer(name: "sweep", kind: .binaural, values: [.carrier: 3600]),
                Layer(name: "near", kind: .monaural, values: [.carrier: 3900, .beat: 2]),
                Layer(name: "high", kind: .bell, values: [.carrier: 9000]),
            ], chapters: [up])
        let fading = PlanCompiler.compile(patch, sampleRate: 8000).fadingLayers
        #expect(fading.map(\.layer) == [1, 2, 3])
        #expect(fading[2] == FadingLayer(layer: 3, start: 0, silence: 0))
        #expect(fading[1] == FadingLayer(layer: 2, start: 0, silence: nil))
        // 0.47 of 8 kHz are 3760 Hz, 160 / 1200 of the way; half the rate is a third of it.
        #expect(abs(Double(fading[0].start) / 8000 - 2.145) < 0.02, "\(fading[0])")
        #expect(abs(Double(fading[0].silence ?? 0) / 8000 - 2.33) < 0.02)
        #expect(FadingLayer.firstKey(sampleRate: 48_000) == nil)
        #expect(FadingLayer.firstKey(sampleRate: 44_100, a4: 440) == nil)
        // 3729 Hz are 0.466 of 8 kHz, 3951 Hz are 0.494.
        #expect(FadingLayer.firstKey(sampleRate: 8000) == 107)
    }
}
