import Foundation
import Patches
import Synthesis
import Testing

@testable import Engine

@Suite("Output guards")
struct GuardTests {
    @Test("For any input bits, the output is finite and under the ceiling, and every change is counted")
    func anyBits() {
        var generator = SeededGenerator(seed: 7)
        let ceiling: Float = 0.5
        var samples = [Float](repeating: 0, count: 4096)
        for _ in 0..<50 {
            for index in samples.indices {
                samples[index] = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator))
            }
            let bad = samples.filter { !$0.isFinite }.count
            let loud = samples.filter { $0.isFinite && abs($0) > ceiling }.count
            let fine = samples
            var actions = GuardActions()
            var measure = ChannelMeasure()
            guardOutput(&samples, count: samples.count, ceiling: ceiling, actions: &actions, measure: &measure)
            #expect(actions == GuardActions(nonFinite: UInt64(bad), ceiling: UInt64(loud)))
            let isSafe = samples.allSatisfy { $0.isFinite && abs($0) <= ceiling }
            #expect(isSafe)
            let isUntouched = zip(samples, fine).allSatisfy { !$1.isFinite || abs($1) > ceiling || $0 == $1 }
            #expect(isUntouched)
            #expect(measure.peak == samples.map(abs).max())
        }
    }

    @Test("The ceiling of -6 dBFS clips inputs above full scale, which cannot be known in advance, and changes nothing else")
    func ceiling() {
        let engine = TestEngine(ceiling: -6)
        engine.control.start(engine.compile(.single(.tone, [.gain: -7])))
        engine.run(5000)
        #expect(engine.control.status.guardActions == GuardActions())
        // At its set level, which is softer and under the ceiling.
        engine.control.start(engine.compile(.single(.tone, [.gain: 0])))
        engine.run(5000)
        #expect(engine.control.status.guardActions == GuardActions())
        engine.input = { (2 * sin(Float($0) / 30), 0.1) }
        engine.control.start(engine.compile(.single(.input, [.gain: -6])))
        engine.run(5000)
        let actions = engine.control.status.guardActions
        #expect(actions.ceiling > 0)
        #expect(actions.nonFinite == 0)
        #expect(actions.dc == 0)
        #expect(engine.left.map(abs).max()! <= 0.501188)
    }

    @Test("A rounding error above the ceiling is clipped and not counted")
    func rounding() {
        var samples: [Float] = [0.5, 0.500_000_06, -0.500_004, 0.500_006, -0.51]
        var actions = GuardActions()
        var measure = ChannelMeasure()
        guardOutput(&samples, count: samples.count, ceiling: 0.5, actions: &actions, measure: &measure)
        #expect(samples.allSatisfy { abs($0) == 0.5 })
        #expect(actions == GuardActions(ceiling: 2))
    }

    @Test("A layer that outputs a DC offset is faded out and counted; the others continue unchanged")
    func dcOffset() {
        let layers = [
            Layer(name: "good", kind: .binaural, values: [.carrier: 200, .beat: 10]),
            // Left: 50 - 50 Hz, stopped at a quarter of its cycle.
            Layer(name: "bad", kind: .binaural, values: [.carrier: 50, .beat: -100, .phase: 90, .gain: -30]),
        ]
        let engine = TestEngine(cycle: 256)
        let plan = engine.compile(Patch(layers: layers))
        engine.control.start(plan)
        engine.run(8 * 48_000)
        #expect(engine.control.status.guardActions == GuardActions(dc: 1))
        let good = render(engine.compile(Patch(layers: [layers[0]])), from: 7 * 48_000, count: 4800)
        let isSame = Array(engine.left[(7 * 48_000)..<(7 * 48_000 + 4800)]) == good.left
        #expect(isSame)
        #expect(engine.left[48_000..<52_800].reduce(0, +) / 4800 > 0.03)
        // Both ears of the layer are faded out without a step: neighbours differ by no more than two sines and the DC allow.
        let largestStep = zip(engine.left, engine.left.dropFirst()).map { abs($1 - $0) }.max()!
        #expect(largestStep < (0.0502 * 205 + 0.0317 * 100) * 2 * 3.1416 / 48_000)
    }

    @Test("Sounds that people play are not taken for DC: low tones, slow beats, pulses and brown noise")
    func noFalseAlarm() {
        let layers = [
            Layer(name: "low", kind: .tone, values: [.carrier: 1, .gain: -20]),
            // A window of a second is nearly a cycle, and what is left over nearly the same for some of them.
            Layer(name: "lower than a second", kind: .tone, values: [.carrier: 1.03, .gain: -6]),
            Layer(name: "pulses", kind: .isochronic, values: [.carrier: 100, .pulseRate: 10, .gain: -12]),
            Layer(name: "slow", kind: .binaural, values: [.carrier: 20, .beat: 0.1, .gain: -12]),
            Layer(name: "brown", kind: .noise, values: [.gain: -12], color: .brown),
        ]
        let engine = TestEngine(sampleRate: 8000, cycle: 256)
        engine.control.start(engine.compile(Patch(layers: layers)))
        engine.run(8000 * 30)
        #expect(engine.control.status.guardActions.dc == 0)
    }

    @Test(
        "A loud tone of little more than 1 Hz, of which a window of a second leaves nearly the same each time, is not taken for DC")
    func hardlyFaster() {
        for frequency in [0.98, 1.0177, 1.03, 1.0415, 1.06, 2.03] {
            let renderer = OfflineRenderer(
                PlanCompiler.compile(.single(.binaural, [.carrier: frequency + 0.45, .beat: 0.9, .gain: -0.1]), sampleRate: 11_025),
                ceiling: 0)
            let left = UnsafeMutableBufferPointer<Float>.allocate(capacity: 30 * 11_025)
            let right = UnsafeMutableBufferPointer<Float>.allocate(capacity: 30 * 11_025)
            _ = renderer.render(left: left, right: right)
            #expect(renderer.guardActions.dc == 0, "\(frequency) Hz")
            left.deallocate()
            right.deallocate()
        }
    }
}
