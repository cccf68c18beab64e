import Engine
import Patches
import Testing

@Suite("Layers that pass on inputs, and pulsed inputs and files")
struct InputTests {
    /// A constant in each ear, independent of the block.
    private func input(_ patch: Patch, cycle: Int, count: Int, left: Float = 0.5, right: Float = -0.25) -> (Samples, TestEngine) {
        let engine = TestEngine(cycle: cycle)
        engine.input = { frame in (left * Float(frame % 7), right * Float(frame % 5)) }
        engine.control.start(engine.compile(patch))
        engine.run(count)
        return (Samples(left: Array(engine.left[..<count]), right: Array(engine.right[..<count])), engine)
    }

    @Test("An input is output in the same frame, at the layer's gain, in cycles of any length", arguments: [1, 64, 100, 4096])
    func passes(cycle: Int) {
        let (samples, _) = input(.single(.input, [.gain: 0]), cycle: cycle, count: 12_000)
        // The patch fades in over 20 ms.
        for frame in 2000..<12_000 {
            #expect(samples.left[frame] == min(0.5 * Float(frame % 7), 1))
            #expect(samples.right[frame] == -0.25 * Float(frame % 5))
        }
        let (quiet, _) = input(.single(.input, [.gain: -20]), cycle: cycle, count: 4000)
        #expect((2000..<4000).allSatisfy { abs(quiet.right[$0] + 0.025 * Float($0 % 5)) < 1e-6 })
    }

    @Test("NaN input is silence, and no guard counts it", arguments: [Float.nan, .infinity, -.infinity])
    func notNumbers(value: Float) {
        let (samples, engine) = input(.single(.input, [.gain: -20]), cycle: 64, count: 8000, left: value)
        #expect(samples.left.allSatisfy { $0 == 0 })
        #expect(engine.control.status.guardActions.nonFinite == 0)
    }

    @Test("An input is silent when rendered offline")
    func offline() {
        let samples = render(PlanCompiler.compile(.single(.input, [.gain: 0]), sampleRate: 48_000), count: 8000)
        #expect(samples.left.allSatisfy { $0 == 0 })
        #expect(samples.right.allSatisfy { $0 == 0 })
    }

    @Test("Pulses of an input or a file are those of an isochronic tone", arguments: [LayerKind.input, .file])
    func pulses(kind: LayerKind) {
        let values: [Parameter: Double] = [.gain: 0, .pulseRate: 7, .duty: 0.4, .edge: 0.01]
        var layer = Layer(name: "one", kind: kind, values: values)
        layer.effects = [.pulses]
        layer.path = "/sound"
        // A tone that stands still: 200 Hz is some way through its wave, the same in each of these frames.
        func level(_ patch: Patch) -> [Float] {
            let engine = TestEngine(cycle: 256)
            engine.input = { _ in (0.5, 0.5) }
            engine.control.start(engine.compile(patch))
            engine.run(50_000)
            return engine.left
        }
        let pulsing = level(Patch(layers: [layer]))
        layer.effects = []
        let steady = level(Patch(layers: [layer]))
        let pulsed = level(.single(.isochronic, values.merging([.carrier: 200]) { $1 }))
        let tone = level(.single(.tone, [.gain: 0, .carrier: 200]))
        for frame in 2000..<48_000 where abs(steady[frame]) > 0.1 && abs(tone[frame]) > 0.1 {
            #expect(abs(pulsing[frame] / steady[frame] - pulsed[frame] / tone[frame]) < 1e-4, "\(frame)")
        }
        #expect(pulsing[2000..<48_000].contains { $0 == 0 })
    }
}
