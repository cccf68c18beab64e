import Foundation
import Patches
import TestSupport
import Testing

@testable import Engine

@Suite("Spins by delay of noise, files and inputs", .ownThread)
struct SpinDelayTests {
    private func layer(
        _ kind: LayerKind, _ values: [Parameter: Double], effects: Set<LayerEffect> = [.spinDelay], bands: [ClosedRange<Double>] = []
    ) -> Layer {
        var layer = Layer(name: "one", kind: kind, values: values.merging([.gain: -12]) { given, _ in given }, color: .pink)
        layer.effects = effects
        layer.bands = bands
        layer.path = kind == .file ? "/sound" : ""
        return layer
    }

    private static let gain = pow(10, -12.0 / 20)

    private func latency(_ layer: Layer) -> Int {
        Int(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000).inputDelay.upperBound)
    }

    /// The output while file and input are a sum of tones.
    private func sound(_ layer: Layer, frames: Int, kernel: Kernel = .baseline) -> Samples {
        let engine = TestEngine(cycle: 256, kernel: kernel, sounds: { _, _ in TonesSound() })
        engine.input = { (TonesSound.sample(Int64($0)), TonesSound.sample(Int64($0))) }
        engine.control.start(engine.compile(Patch(layers: [layer])))
        engine.run(frames)
        return Samples(left: engine.left, right: engine.right)
    }

    /// The sum of tones at a time in frames, each with a phase in cycles.
    private func tones(_ time: Double, phase: Double = 0) -> Double {
        TonesSound.frequencies.enumerated().reduce(0) {
            $0 + TonesSound.amplitude * sin(2 * .pi * ($1.element * time / 48_000 + phase) + Double($1.offset))
        }
    }

    @Test("The left channel of a file is late by D sin(2πRt) and the right one early by as much", arguments: Kernel.available, [0.7, -0.7])
    func file(kernel: Kernel, rate: Double) {
        let layer = layer(.file, [.spinRate: rate, .spinDelay: 900, .gain: -6])
        let samples = render(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000), count: 150_000, kernel: kernel)
        let increment = 2 * Double.pi * 210 / 48_000
        for frame in 2000..<150_000 {
            let late = 900e-6 * 48_000 * sin(2 * .pi * rate * Double(frame) / 48_000)
            // 1 % of the delay would be an error of 0.006 here.
            #expect(abs(Double(samples.left[frame]) - 0.501187 * sin(increment * (Double(frame) - late))) < 3e-4)
            #expect(abs(Double(samples.right[frame]) - 0.501187 * sin(increment / 2 * (Double(frame) + late))) < 3e-4)
        }
    }

    @Test("A noise is late in one ear by 2D sin(2πRt)", arguments: [0.05, -0.05])
    func noise(rate: Double) throws {
        let layer = layer(.noise, [.spinRate: rate, .spinDelay: 4000, .correlation: 1])
        let plan = PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000)
        for (seconds, part) in [(5.0, 1.0), (10, 0), (15, -1), (10 / 6.0, 0.5)] {
            let samples = render(plan, from: Int64(seconds * 48_000) - 1024, count: 2048)
            let middle = 500..<1548
            func likeness(_ lag: Int) -> Double {
                middle.reduce(0.0) { $0 + Double(samples.left[$1]) * Double(samples.right[$1 - lag]) }
            }
            let lateness = try #require((-450...450).max { likeness($0) < likeness($1) })
            let expected = 2 * 192 * part * (rate < 0 ? -1 : 1)
            #expect(abs(Double(lateness) - expected) <= 0.01 * abs(expected) + 0.5, "after \(seconds) s")
        }
    }

    @Test("An input is spun like a file, as late as reported")
    func input() {
        let layer = layer(.input, [.spinRate: 0.7, .spinDelay: 300])
        let late = latency(layer)
        #expect(late == 256)
        let samples = sound(layer, frames: 96_000)
        for frame in 3000..<96_000 {
            let delay = 300e-6 * 48_000 * sin(2 * .pi * 0.7 * Double(frame) / 48_000)
            let time = Double(frame - late)
            #expect(abs(Double(samples.left[frame]) - Self.gain * tones(time - delay)) < 1e-3)
            #expect(abs(Double(samples.right[frame]) - Self.gain * tones(time + delay)) < 1e-3)
        }
    }

    @Test("While the delay is 0, a file is heard in its own frames and an input as late as reported, with bands or without")
    func still() {
        for bands in [[], [200.0...800]] {
            for kind in [LayerKind.file, .input] {
                let layer = layer(kind, [.spinDelay: 0], bands: bands)
                let late = latency(layer)
                #expect(late == (kind == .file ? 0 : bands.isEmpty ? 256 : 256 + 1205))
                let samples = sound(layer, frames: 48_000)
                let isRight = (4000..<48_000).allSatisfy {
                    let expected = Float(Self.gain) * TonesSound.sample(Int64($0 - late))
                    return abs(samples.left[$0] - expected) < 2e-6 && abs(samples.right[$0] - expected) < 2e-6
                }
                #expect(isRight, "\(kind), \(bands)")
            }
        }
        let still = sound(layer(.noise, [.spinDelay: 0], bands: [200...800]), frames: 48_000)
        let whole = sound(layer(.noise, [.amDepth: 0], effects: [.modulation], bands: [0...20_000]), frames: 49_000)
        #expect((2000..<48_000).allSatisfy { abs(still.left[$0] - whole.left[$0 + 256]) < 2e-6 })
        #expect((2000..<48_000).allSatisfy { abs(still.right[$0] - whole.right[$0 + 256]) < 2e-6 })
    }

    @Test("A click in a file is heard in its own frame, where chunks meet as well", arguments: [0, 255, 256, 8191, 8192, 16_383, 16_384])
    func impulse(frame: Int) {
        let layer = layer(.file, [.spinDelay: 0, .gain: 0])
        let renderer = OfflineRenderer(
            PlanCompiler.compile(Patch(layers: [layer]), sampleRate: 48_000), from: 0, kernel: .baseline, ceiling: 0,
            sounds: { _, _ in ImpulseSound(at: 2000 + frame) })
        var samples = Samples(left: .init(repeating: 0, count: 20_000), right: .init(repeating: 0, count: 20_000))
        samples.left.withUnsafeMutableBufferPointer { left in
            samples.right.withUnsafeMutableBufferPointer { right in _ = renderer.render(left: left, right: right) }
        }
        #expect(samples.left.indices.filter { samples.left[$0] != 0 } == [2000 + frame])
        #expect(samples.right == samples.left)
    }

    @Test("With a beat and a swing of the level, the ears' frequencies, levels and delays are all as they should be")
    func together() {
        let values: [Parameter: Double] = [.spinRate: 0.3, .spinDelay: 600, .spinDepth: 0.5, .beat: 9]
        let samples = sound(layer(.file, values, effects: [.spin, .spinDelay, .shift]), frames: 96_000)
        for frame in 3000..<96_000 {
            let swing = sin(2 * .pi * 0.3 * Double(frame) / 48_000)
            let (delay, turns) = (600e-6 * 48_000 * swing, 4.5 * Double(frame) / 48_000)
            let left = tones(Double(frame) - delay, phase: turns) * (1 - 0.5 * (0.5 + 0.5 * swing))
            let right = tones(Double(frame) + delay, phase: -turns) * (1 - 0.5 * (0.5 - 0.5 * swing))
            #expect(abs(Double(samples.left[frame]) - Self.gain * left) < 1e-3)
            #expect(abs(Double(samples.right[frame]) - Self.gain * right) < 1e-3)
        }
    }

    @Test("Tones outside of the bands stay where they are", arguments: [LayerKind.file, .input])
    func bands(kind: LayerKind) {
        let layer = layer(kind, [.spinRate: 0.3, .spinDelay: 600], bands: [200...800])
        let late = latency(layer)
        let samples = sound(layer, frames: 96_000)
        let phase = Double(TonesSound.frequencies.firstIndex(of: 440) ?? 0)
        for frame in 6000..<96_000 {
            let delay = 600e-6 * 48_000 * sin(2 * .pi * 0.3 * Double(frame) / 48_000)
            func tone(_ time: Double) -> Double { TonesSound.amplitude * sin(2 * .pi * 440 * time / 48_000 + phase) }
            let time = Double(frame - late)
            #expect(abs(Double(samples.left[frame]) - Self.gain * (tones(time) - tone(time) + tone(time - delay))) < 1e-3)
            #expect(abs(Double(samples.right[frame]) - Self.gain * (tones(time) - tone(time) + tone(time + delay))) < 1e-3)
        }
    }

    private static let sets: [Set<LayerEffect>] = [
        [.spinDelay], [.spinDelay, .shift], [.spinDelay, .spin, .pulses], [.spinDelay, .spin, .shift, .modulation],
    ]

    @Test(
        "A noise or a file is a function of the frame: in blocks of any size, after a seek, and at any sample rate",
        arguments: [LayerKind.noise, .file], [8000.0, 44_100, 48_000, 192_000])
    func frames(kind: LayerKind, sampleRate: Double) {
        for (index, effects) in Self.sets.enumerated() {
            for bands in [[], [200.0...800]] {
                var layer = layer(
                    kind,
                    [.spinRate: 3, .spinDelay: 5000, .correlation: 0.3, .pulseRate: 4, .beat: 5].filter { $0.key != .beat || index > 0 },
                    effects: effects, bands: bands)
                if index == 1 { layer.spectrum = .color(.white) }
                if index == 2 { layer.isMono = kind == .file }
                let chapter = Chapter(
                    start: 0.1, over: 0.1, ease: .elasticOut,
                    settings: [.init(layer: 0, parameter: .spinDelay, value: 100), .init(layer: 0, parameter: .spinRate, value: -9)])
                let plan = PlanCompiler.compile(Patch(layers: [layer], chapters: [chapter]), sampleRate: sampleRate)
                let count = Int(sampleRate * 0.5)
                let whole = render(plan, count: count)
                let isSame = render(plan, count: count, blocks: [1, 64, 177, 1000]) == whole
                #expect(isSame, "\(effects), \(bands)")
                for start in [count / 5 + 1, count / 2 + 77] {
                    let later = render(plan, from: Int64(start), count: 1500, blocks: [300])
                    let part = start..<start + 1500
                    let isThere = later == Samples(left: Array(whole.left[part]), right: Array(whole.right[part]))
                    #expect(isThere, "\(effects), \(bands), from \(start)")
                }
                #expect(whole.left.contains { abs($0) > 0.01 } && whole.left != whole.right)
            }
        }
    }

    @Test("Live playback and a seek equal the offline render, with nothing late", arguments: [LayerKind.noise, .file])
    func live(kind: LayerKind) throws {
        let engine = TestEngine(cycle: 256)
        let layer = layer(kind, [.spinRate: 2, .spinDelay: 700, .beat: 4], effects: [.spinDelay, .shift])
        let plan = engine.compile(Patch(layers: [layer]))
        engine.run(1000)
        for position in [0, 100_000, 24_570, 8191] as [Int64] {
            let serial = engine.control.start(plan, at: PlanFrame(position))
            engine.run(20_000)
            let from = Int(try #require(engine.landing(of: serial)).engineFrame) + 960
            let expected = render(plan, from: position + 960, count: 15_000)
            #expect(Array(engine.left[from..<from + 15_000]) == expected.left)
            #expect(Array(engine.right[from..<from + 15_000]) == expected.right)
        }
        #expect(engine.control.takeSoundNotices().isEmpty)
    }

    @Test("A file that is not decoded in time fades out and in again, without a click, and is reported", arguments: [[], [200.0...800]])
    func gap(bands: [ClosedRange<Double>]) throws {
        let log = TestSound.Log()
        let engine = TestEngine(cycle: 64, sounds: TestSound.open(log))
        engine.waits = false
        log.hold(from: 4)
        engine.control.start(engine.compile(Patch(layers: [layer(.file, [.spinDelay: 900, .spinRate: 1], bands: bands)])))
        try #require(eventually { log.asked >= 4 })
        while engine.left.count < 60_000 { engine.runCycle() }
        #expect(engine.control.takeSoundNotices() == [.late(path: "/sound", count: 1)])
        log.hold(from: .max)
        try #require(eventually { log.chunks.last ?? 0 >= 9 })
        engine.waits = true
        engine.run(30_000)
        engine.control.stop()
        engine.run(4000)
        #expect(engine.left[75_000..<85_000].contains { abs($0) > 0.1 } && engine.left[50_000] == 0)
        let click = peakAbove(3000, in: engine.spectrumInput, sampleRate: 48_000)
        #expect(click < -95, "\(click) dB")
    }

    @Test(
        "Moves of delay and rate do not click, from rest or to the largest delay", arguments: [LayerKind.file, .input], [[], [100.0...400]])
    func clicks(kind: LayerKind, bands: [ClosedRange<Double>]) {
        let engine = TestEngine(kernel: .best)
        engine.input = { frame in
            let sample = Float(sin(2 * .pi * 200 * Double(frame) / 48_000))
            return (sample, sample)
        }
        func move(_ start: Double, _ parameter: Parameter, _ value: Double, over: Double?, _ ease: Easing = .sineInOut) -> Chapter {
            Chapter(start: start, over: over, ease: ease, settings: [Setting(layer: 0, parameter: parameter, value: value)])
        }
        let chapters = [
            move(0.3, .spinDelay, 900, over: nil), move(0.6, .spinRate, -2, over: nil), move(0.7, .spinDelay, 0, over: 0.02, .linear),
            move(0.9, .spinDelay, 3000, over: 0.5, .elasticOut), move(1.4, .spinDelay, 5000, over: 0.1), move(1.6, .spinRate, 1, over: 0.1),
            move(1.8, .spinDelay, 0, over: nil),
        ]
        let layer = layer(kind, [.spinDelay: 0, .spinRate: 1, .beat: 4], effects: [.spinDelay, .shift], bands: bands)
        engine.control.start(engine.compile(Patch(layers: [layer], chapters: chapters)))
        engine.run(100_000)
        engine.control.stop()
        engine.run(4000)
        for samples in [engine.left, engine.right] {
            let click = peakAbove(3000, in: samples.map(Double.init)[...], sampleRate: 48_000)
            // Between frames a tone of 200 Hz has images at -84 dB, which a fast move takes beyond 3 kHz; a click has at least -60 dB.
            #expect(click < -82, "\(click) dB")
            #expect(samples.contains { abs($0) > 0.1 })
        }
    }

    @Test("Between its frames a file may be louder: it counts 3 dB more, and white noise as much as other colors")
    func crest() {
        #expect(abs(20 * log10(layer(.file, [:]).crest / layer(.file, [:], effects: [.spin]).crest) - 3.01) < 0.01)
        var white = layer(.noise, [.gain: -20])
        white.spectrum = .color(.white)
        #expect(white.crest == layer(.noise, [:]).crest)
        let samples = render(PlanCompiler.compile(Patch(layers: [white]), sampleRate: 48_000), from: 48_000, count: 1 << 17)
        let power = samples.right.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(1 << 17)
        #expect(abs(10 * log10(2 * power) + 20) < 0.1)
    }

    @Test("An input that is silent for a while is heard meanwhile, so that it comes back with what it was", arguments: [[], [200.0...800]])
    func mute(bands: [ClosedRange<Double>]) {
        let engine = TestEngine(cycle: 64)
        engine.input = { (TonesSound.sample(Int64($0)), TonesSound.sample(Int64($0))) }
        let layer = layer(.input, [.spinDelay: 0], bands: bands)
        engine.control.start(engine.compile(Patch(layers: [layer])))
        engine.run(20_000)
        engine.control.mute([0])
        engine.run(20_000)
        engine.control.mute([])
        engine.run(8000)
        let late = latency(layer)
        let error = (44_000..<48_000).map { abs(engine.left[$0] - TonesSound.sample(Int64($0 - late)) * Float(Self.gain)) }.max()
        #expect(error ?? 1 < 2e-6)
    }
}

/// Silence except for one frame.
private final class ImpulseSound: SoundReader {
    let frameCount = Int64.max

    private let place: Int64

    init(at frame: Int) { place = Int64(frame) }

    func read(
        from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int
    ) throws(SoundFailure) {
        for index in 0..<count {
            left[index] = frame + Int64(index) == place ? 0.5 : 0
            right[index] = left[index]
        }
    }
}
