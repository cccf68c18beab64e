import Foundation
import Patches
import TestSupport
import Testing

@testable import Engine

/// Their sound is compared with SBaGenX's formulas in ``SBaGenXSoundTests``.
@Suite("Tones that circle the head")
struct OrbitTests {
    private static func layer(_ values: [Parameter: Double] = [:], envelope: DrawnEnvelope? = nil, wave: Waveform = .sine) -> Layer {
        var layer = Layer(name: "one", kind: .isochronic, values: [.carrier: 200, .gain: -12].merging(values) { $1 }, wave: wave)
        layer.effects = [.orbit]
        layer.envelope = envelope
        return layer
    }

    private static let steady = DrawnEnvelope(levels: [1, 1], curve: .linear)
    private static let swell = DrawnEnvelope(levels: [1, 0], curve: .smootherstep)

    private static func sound(_ layer: Layer, from start: Int64 = 0, count: Int, sampleRate: Double = 48_000) -> Samples {
        render(PlanCompiler.compile(Patch(layers: [layer]), sampleRate: sampleRate), from: start, count: count)
    }

    private static func level(_ samples: some Collection<Float>) -> Double {
        10 * log10(2 * samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count))
    }

    @Test(
        "In front both ears hear the same, at the side the nearer one hears it earlier and 14 dB louder; a negative rate begins on the left"
    )
    func places() {
        let rest = Self.sound(Self.layer([.orbitRate: 0], envelope: Self.steady), from: 48_000, count: 48_000)
        #expect(rest.left == rest.right && abs(Self.level(rest.left) + 12) < 0.01)
        for (rate, isRight) in [(0.01, true), (-0.01, false)] {
            // A quarter of the turn.
            let side = Self.sound(Self.layer([.orbitRate: rate], envelope: Self.steady), from: 25 * 48_000 - 2400, count: 4800)
            let (near, far) = isRight ? (side.right, side.left) : (side.left, side.right)
            #expect(abs(Self.level(near) - Self.level(far) - 14) < 0.02)
            let delay = Int((650e-6 * 48_000).rounded())
            let error = (0..<4000).map { abs(far[$0 + delay] * Float(pow(10, 0.7)) - near[$0]) }.max() ?? 1
            #expect(error < 0.01, "\(error)")
        }
    }

    @Test("The power of both ears is the same all around, and depends on the distance")
    func distance() {
        for (distance, loudness) in [(0.25, 1.15), (0.5, 1.1), (1, 1), (2, 1 / 1.18), (10, 1 / 2.62)] {
            let turn = Self.sound(Self.layer([.orbitRate: 0.5, .distance: distance], envelope: Self.steady), from: 48_000, count: 96_000)
            for start in stride(from: 0, to: 96_000, by: 9600) {
                let powers = [turn.left, turn.right].map { pow(10, Self.level($0[start..<start + 9600]) / 10) }
                #expect(abs(10 * log10((powers[0] + powers[1]) / 2) + 12 - 20 * log10(loudness)) < 0.05, "\(distance)")
            }
        }
    }

    @Test("The low-pass has the level and the phase of the filter", arguments: [8000.0, 44_100, 96_000])
    func lowPass(sampleRate: Double) {
        for (carrier, distance) in [(200.0, 1.0), (3000, 1), (3000, 10), (2, 3)] {
            let layer = Self.layer([.carrier: carrier, .orbitRate: 0, .distance: distance], envelope: Self.steady)
            let samples = Self.sound(layer, from: Int64(sampleRate), count: Int(sampleRate), sampleRate: sampleRate)
            let cutoff = 18_000 - 7000 * (distance - 1) / 9
            let part = 1 - exp(-2 * .pi * cutoff / sampleRate)
            let turns = 2 * .pi * carrier / sampleRate
            let (even, odd) = (1 - (1 - part) * cos(turns), (1 - part) * sin(turns))
            let expected = 20 * log10(part / (even * even + odd * odd).squareRoot() / (1 + 0.18 * (distance - 1)))
            #expect(abs(Self.level(samples.left) + 12 - expected) < 0.01, "\(carrier), \(distance)")
            let late = atan2(odd, even) / (2 * .pi * carrier)
            let error = samples.left.indices.map { index in
                let time = 1 + Double(index) / sampleRate - late
                return abs(Double(samples.left[index]) - pow(10, (expected - 12) / 20) * sin(2 * .pi * carrier * time))
            }.max()
            #expect(error ?? 1 < 1e-4)
        }
    }

    private static let layers = [
        layer([.orbitRate: 3, .distance: 0.3, .pulseRate: 7]), layer([.orbitRate: -9, .carrier: 3000, .duty: 0.3], wave: .sawtooth),
        layer([.orbitRate: 0.7, .distance: 8, .pulseRate: 30], envelope: swell),
        layer([.orbitRate: 1, .carrier: 700, .pan: 0.4], envelope: steady, wave: .triangle),
    ]

    @Test(
        "It is a function of the frame: in blocks of any size, after a seek, and at any sample rate", arguments: [8000.0, 44_100, 192_000])
    func frames(sampleRate: Double) {
        for (index, layer) in Self.layers.enumerated() {
            func set(_ parameter: Parameter, _ value: Double) -> Setting { Setting(layer: 0, parameter: parameter, value: value) }
            let chapters = [
                Chapter(start: 0.1, over: 0.1, ease: .elasticOut, settings: [set(.distance, 0.25), set(.orbitRate, -4), set(.duty, 0.9)]),
                Chapter(start: 0.2, over: 0.05, settings: [set(.carrier, 310), set(.distance, 10), set(.pulseRate, 3)]),
            ]
            let plan = PlanCompiler.compile(Patch(layers: [layer], chapters: chapters), sampleRate: sampleRate)
            let count = Int(sampleRate * 0.5)
            let whole = render(plan, count: count)
            let isSame = render(plan, count: count, blocks: [1, 64, 177, 1000]) == whole
            #expect(isSame, "\(index)")
            for start in [count / 5 + 1, count / 2 + 77] {
                let later = render(plan, from: Int64(start), count: 1500, blocks: [300])
                let isThere =
                    later == Samples(left: Array(whole.left[start..<start + 1500]), right: Array(whole.right[start..<start + 1500]))
                #expect(isThere, "\(index), from \(start)")
            }
            #expect(whole.left.contains { abs($0) > 0.01 } && whole.left != whole.right)
        }
    }

    @Test("Its rate follows the pulses of another layer in every bit")
    func follows() {
        func sound(_ change: (inout Layer) -> Void) -> Samples {
            var orbit = Self.layer([.pulseRate: 8])
            change(&orbit)
            let move = Setting(layer: 0, parameter: .pulseRate, value: 20)
            var chapter = Chapter(start: 0.3, over: 1, ease: .linear, settings: [move])
            if orbit.leaders.isEmpty { chapter.settings.append(Setting(layer: 1, parameter: .orbitRate, value: 20)) }
            let bed = Layer(name: "bed", kind: .isochronic, values: [.pulseRate: 8, .gain: Parameter.off])
            let plan = PlanCompiler.compile(Patch(layers: [bed, orbit], chapters: [chapter]), sampleRate: 48_000)
            return render(plan, count: 90_000)
        }
        let led = sound {
            $0.values[.orbitRate] = 8
            $0.leaders[.orbitRate] = RateLeader(layer: "bed", parameter: .pulseRate)
        }
        #expect(led == sound { $0.values[.orbitRate] = 8 })
    }

    @Test("Extreme values that move at once stay finite, and within the level that is counted", arguments: [8000.0, 44_100, 768_000])
    func extremes(sampleRate: Double) {
        var random = SplitMix64(seed: 5)
        for wave in [Waveform.sine, .square] {
            let layer = Self.layer([.carrier: 20_000, .orbitRate: 100, .pulseRate: 100, .gain: 0], wave: wave)
            let chapters = (0..<40).map { index in
                let settings = [Parameter.carrier, .orbitRate, .distance, .pulseRate, .duty, .edge].map { parameter in
                    let range = layer.description(of: parameter)!.range
                    return Setting(
                        layer: 0, parameter: parameter, value: Bool.random(using: &random) ? range.lowerBound : range.upperBound)
                }
                let ease = Easing.allCases.randomElement(using: &random)!
                return Chapter(start: Double(index) * 600 / sampleRate, over: 500 / sampleRate, ease: ease, settings: settings)
            }
            let plan = PlanCompiler.compile(Patch(layers: [layer], chapters: chapters), sampleRate: sampleRate)
            let samples = render(plan, count: 30_000, kernel: .best)
            // Easings may take a gain beyond its end, but none moves here.
            #expect((samples.left + samples.right).allSatisfy { abs($0) <= Float(layer.crest) * 1.01 })
        }
    }

    @Test("In a loop it meets itself if its turns do, unless its distance moves, which delays the tone")
    func loops() {
        let layer = Self.layer([.orbitRate: 0.5, .pulseRate: 5])
        let move = Chapter(start: 1, over: 4, ease: .linear, settings: [Setting(layer: 0, parameter: .distance, value: 5)])
        for (chapters, meeting) in [([], Set([0])), ([move], [])] {
            let plan = PlanCompiler.compile(Patch(layers: [layer], chapters: chapters), sampleRate: 48_000)
            #expect(plan.seam(from: 0, lengths: 96_000...97_000, tail: 4800).meeting == meeting)
        }
    }

    private static let edits: [[(Parameter, Double, Double?)]] = [
        [], [(.distance, 0.25, nil)], [(.distance, 10, nil)], [(.orbitRate, -10, nil)], [(.orbitRate, 10, nil), (.orbitRate, 0, nil)],
        [(.distance, 0.5, 0.3), (.orbitRate, 2, nil)],
    ]

    @Test("Neither the turns nor moves of rate and distance click", arguments: edits)
    private func clicks(edits: [(Parameter, Double, Double?)]) {
        let engine = TestEngine(kernel: .best)
        engine.control.start(engine.compile(Patch(layers: [Self.layer([.orbitRate: 0.8], envelope: Self.steady)])))
        engine.run(100_000)
        for (parameter, value, ramp) in edits {
            engine.control.edit([Setting(layer: 0, parameter: parameter, value: value)], ramp: ramp)
            engine.run(12_345)
        }
        engine.control.stop()
        engine.run(4000)
        let click = peakAbove(3000, in: engine.spectrumInput, sampleRate: 48_000)
        #expect(click < (edits.contains { abs($0.1) > 9 && $0.0 == .orbitRate } ? -70 : -95), "\(click) dB")
    }

    @Test(
        "Nothing is louder than what the sum of the levels counts, as near and as far at the side as can be", arguments: Waveform.allCases)
    func crest(wave: Waveform) {
        guard wave != .table else { return }
        for distance in [0.25, 0.48, 1, 3] {
            let layer = Self.layer([.orbitRate: 1, .distance: distance, .gain: -12], envelope: Self.steady, wave: wave)
            let samples = Self.sound(layer, from: 4800, count: 48_000)
            let peak = (samples.left + samples.right).map(abs).max() ?? 1
            #expect(Double(peak) <= layer.crest * pow(10, -12.0 / 20) * 1.0001, "\(distance)")
            if distance == 0.25, wave == .sine { #expect(Double(peak) > 0.98 * layer.crest * pow(10, -12.0 / 20)) }
        }
    }
}
