import Engine
import Foundation
import Patches
import TestSupport
import Testing

@Suite("Sound is a function of the frame")
struct RenderingTests {
    @Test("Blocks of 1, 17, 64, 1024 and 8192 frames, and a start in the middle, give the same samples", arguments: Kernel.available)
    func blocksAndSeeks(kernel: Kernel) {
        var generator = SeededGenerator(seed: 1)
        for sampleRate in [44_100.0, 48_000, 96_000] {
            for _ in 0..<8 {
                var plan = PlanCompiler.compile(.random(using: &generator), sampleRate: sampleRate)
                if plan.layerCount > 2 { plan = plan.muting([1], at: 9_000).muting([], at: 20_000) }
                let count = Int(sampleRate)
                let reference = render(plan, count: count, blocks: [1024], kernel: kernel)
                for blocks in [[1, 17, 64], [8192]] {
                    let isSame = render(plan, count: count, blocks: blocks, kernel: kernel) == reference
                    #expect(isSame, "in blocks of \(blocks)")
                }
                let start = Int.random(in: 1..<count, using: &generator)
                let late = render(plan, from: Int64(start), count: count - start, blocks: [64], kernel: kernel)
                let isSame = late == reference.from(start)
                #expect(isSame, "from \(start)")
            }
        }
    }

    @Test("A level down to -119 dB is what is written", arguments: [-60.0, -100, -110, -119])
    func softLevels(level: Double) throws {
        let patch = Patch.single(.tone, [.carrier: 997, .gain: level])
        let samples = render(PlanCompiler.compile(patch, sampleRate: 48_000), from: 48_000, count: 48_000)
        let measured = try #require(measureSine(samples.left.map(Double.init)[...], sampleRate: 48_000, near: 997))
        #expect(abs(decibels(measured.amplitude) - level) < 1e-4)
    }

    @Test("The two kernels differ by less than -134 dB", .enabled(if: Kernel.avx2.isAvailable, "this processor has no AVX2"))
    func kernels() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<12 {
            let plan = PlanCompiler.compile(.random(using: &generator), sampleRate: 48_000)
            let a = render(plan, count: 48_000, kernel: .baseline)
            let b = render(plan, count: 48_000, kernel: .avx2)
            for (x, y) in [(a.left, b.left), (a.right, b.right)] {
                let difference = zip(x, y).reduce(0.0) { $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1) }
                let power = x.reduce(0.0) { $0 + Double($1) * Double($1) }
                // The rounding of one Float operation is -144 dB or better; a noise has one in each of 13 stages.
                #expect(difference <= power * 4e-14)
            }
        }
    }

    @Test(
        "Left is carrier + beat/2 and right carrier - beat/2, each within 1e-9 Hz and with less than -138 dB of anything else",
        arguments: Kernel.available)
    func exactFrequencies(kernel: Kernel) throws {
        for (carrier, beat) in [(200.0, 10.0), (1000.0 / 3, -7.1), (61.8, 0.01), (9876.54321, 100)] {
            let patch = Patch.single(.binaural, [.carrier: carrier, .beat: beat, .gain: -26])
            let samples = render(PlanCompiler.compile(patch, sampleRate: 48_000), from: 48_000, count: 96_000, kernel: kernel)
            for (channel, frequency) in [(samples.left, carrier + beat / 2), (samples.right, carrier - beat / 2)] {
                let measured = try #require(measureSine(channel.map(Double.init)[...], sampleRate: 48_000, near: frequency + 0.01))
                #expect(abs(measured.frequency - frequency) < 1e-9)
                #expect(measured.residualInDecibels < -138)
                #expect(abs(decibels(measured.amplitude) + 26) < 1e-4)
                // Two seconds of warm-up were not rendered: the phase at frame 48000 is that of the whole second before it.
                let phase = frequency - frequency.rounded(.down)
                #expect(abs(remainder(measured.phase - phase, 1)) < 1e-6)
            }
        }
    }

    @Test("The kind of a layer determines what each ear hears")
    func kinds() {
        func rendered(_ kind: LayerKind, _ values: [Parameter: Double]) -> Samples {
            render(
                PlanCompiler.compile(.single(kind, values.merging([.gain: -20]) { a, _ in a }), sampleRate: 48_000), from: 960, count: 9600)
        }
        func wave(_ frequency: Double, phase: Double = 0) -> (Int) -> Double {
            { 0.1 * sin(2 * Double.pi * (frequency * Double($0 + 960) / 48_000 + phase)) }
        }
        func expect(_ samples: [Float], _ exact: (Int) -> Double, sourceLocation: SourceLocation = #_sourceLocation) {
            let error = samples.indices.map { abs(Double(samples[$0]) - exact($0)) }.max()!
            // Roundings of a Float at 0.1, and of the polynomial.
            #expect(error < 3e-8, sourceLocation: sourceLocation)
        }
        let tone = rendered(.tone, [.carrier: 300, .phase: 90])
        expect(tone.left, wave(300, phase: 0.25))
        let binaural = rendered(.binaural, [.carrier: 300, .beat: 8, .phase: 90])
        expect(binaural.left, wave(304, phase: 0.25))
        expect(binaural.right, wave(296))
        let narrow = rendered(.binaural, [.carrier: 300, .beat: 8, .width: 0])
        expect(narrow.left) { (wave(304)($0) + wave(296)($0)) / 2 }
        let monaural = rendered(.monaural, [.carrier: 300, .beat: 8])
        expect(monaural.left) { (wave(304)($0) + wave(296)($0)) / 2 }
        let isMono = [tone, narrow, monaural].allSatisfy { $0.right == $0.left }
        #expect(isMono)
        let panned = rendered(.binaural, [.carrier: 300, .beat: 8, .pan: 1])
        #expect(panned.left.allSatisfy { $0 == 0 })
        expect(panned.right, wave(296))
    }

    @Test("A pulse of an isochronic tone sounds for its duty cycle and is silent otherwise, with edges of 20 ms")
    func pulses() {
        let patch = Patch.single(.isochronic, [.carrier: 200, .pulseRate: 5, .duty: 0.4, .gain: -20])
        let samples = render(PlanCompiler.compile(patch, sampleRate: 48_000), from: 48_000, count: 9600).left
        func smooth(_ t: Double) -> Double { t <= 0 ? 0 : t >= 1 ? 1 : t * t * t * (t * (6 * t - 15) + 10) }
        let error = samples.enumerated().map { k, sample in
            let x = Double(k) / 9600
            let pulse = smooth(x / 0.1) * smooth((0.4 - x) / 0.1)
            return abs(Double(sample) - 0.1 * pulse * sin(2 * Double.pi * 200 * Double(k) / 48_000))
        }.max()!
        #expect(error < 3e-8)
        // The first of these frames is exactly at the end of the pulse.
        #expect(samples[3841...].allSatisfy { $0 == 0 })
    }

    @Test(
        "Pulses keep their level while an easing takes their rate through 0", arguments: [Easing.backIn, .elasticIn, .elasticInOut])
    func pulsesBackwards(easing: Easing) {
        let chapter = Chapter(start: 0.1, over: 0.8, ease: easing, settings: [Setting(layer: 0, parameter: .pulseRate, value: 40)])
        let patch = Patch.single(.isochronic, [.carrier: 200, .pulseRate: 0.5, .gain: -20], duration: 1, chapters: [chapter])
        let samples = render(PlanCompiler.compile(patch, sampleRate: 48_000), count: 48_000)
        #expect(samples.left.allSatisfy { abs($0) < 0.100001 })
        #expect(peakAbove(2000, in: samples.left.map(Double.init)[...], sampleRate: 48_000) < -60)
    }

    @Test("Pulses keep their level when their rate jumps")
    func pulsesFaster() {
        let plan = PlanCompiler.compile(.single(.isochronic, [.carrier: 400, .pulseRate: 4, .gain: -20]), sampleRate: 48_000)
            .applying([Setting(layer: 0, parameter: .pulseRate, value: 40)], at: 24_000, ramp: 0.02)
        let samples = render(plan, from: 24_000, count: 9600).left
        // A period of 40 Hz is 1200 frames.
        for start in stride(from: 960, to: 8400, by: 120) {
            #expect(samples[start..<start + 1200].reduce(0) { max($0, abs($1)) } > 0.095, "\(start)")
        }
    }

    @Test("A gain of -120 is exact silence, at the start and after a move")
    func off() {
        #expect(render(PlanCompiler.compile(.single(.tone, [.gain: -120]), sampleRate: 48_000), count: 4800).left.allSatisfy { $0 == 0 })
        let chapter = Chapter(start: 0.1, over: 0.3, ease: .linear, settings: [Setting(layer: 0, parameter: .gain, value: -120)])
        let samples = render(PlanCompiler.compile(.single(.tone, chapters: [chapter]), sampleRate: 48_000), count: 48_000).left
        #expect(samples[4800..<9600].contains { abs($0) > 0.001 })
        #expect(samples[19_200...].allSatisfy { $0 == 0 })
    }

    @Test("A slide of 10 Hz/s has no lag: its phase is the integral of its frequency")
    func slide() {
        let chapter = Chapter(start: 1, over: 10, ease: .linear, settings: [Setting(layer: 0, parameter: .carrier, value: 300)])
        let plan = PlanCompiler.compile(.single(.tone, [.carrier: 200, .gain: -6], chapters: [chapter]), sampleRate: 48_000)
        let samples = render(plan, from: 5 * 48_000, count: 4800).left
        // The way in, over 20 ms, is a polynomial that ends on the line with its slope; its integral differs from that of the line by a
        // constant, so the phase is fitted and the course of the frequency is not.
        func phase(_ k: Int) -> Double {
            let t = 4 + Double(k) / 48_000
            return 200 * t + 5 * t * t
        }
        var fit = SineFit()
        for (k, sample) in samples.enumerated() {
            fit.add(Double(sample), sine: sin(2 * Double.pi * phase(k)), cosine: cos(2 * Double.pi * phase(k)))
        }
        let residual = samples.enumerated().reduce(0.0) { sum, element in
            let angle = 2 * Double.pi * phase(element.offset)
            let error = Double(element.element) - fit.sine * sin(angle) - fit.cosine * cos(angle)
            return sum + error * error
        }
        #expect(10 * log10(residual / Double(samples.count) / (0.5 * fit.amplitude * fit.amplitude)) < -130)
    }

    @Test("A patch's fade ends exactly at its duration, and a patch without a fade has a short one")
    func envelope() {
        for fade in [nil, Patch.Fade(in: 0.5, easeIn: .sineInOut, out: 0.25, easeOut: .quadIn), Patch.Fade(in: 0, out: 0)] {
            var patch = Patch.single(.tone, [.carrier: 1000, .gain: -6], duration: 1.5)
            patch.fade = fade
            let plan = PlanCompiler.compile(patch, sampleRate: 48_000)
            #expect(plan.lengthInFrames == 72_000)
            let samples = render(plan, count: 80_000).left
            #expect(samples[0] == 0)
            #expect(samples[72_000...].allSatisfy { $0 == 0 })
            let fadeIn = Int(max(fade?.fadeIn ?? 0, 0.02) * 48_000)
            let fadeOut = Int(max(fade?.fadeOut ?? 0, 0.02) * 48_000)
            #expect(samples[1..<fadeIn].map(abs).max()! > 0.1)
            let full = samples[fadeIn..<(72_000 - fadeOut)].map(abs).max()!
            #expect(abs(full - 0.501187) < 1e-5)
            #expect(samples[(72_000 - 200)..<72_000].map(abs).max()! < 0.03)
        }
    }
}

extension Kernel {
    static var available: [Kernel] { allCases.filter(\.isAvailable) }
}

extension Samples {
    func from(_ start: Int) -> Samples {
        Samples(left: Array(left[start...]), right: Array(right[start...]))
    }
}
