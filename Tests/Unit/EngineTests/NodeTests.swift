import Engine
import Foundation
import Patches
import TestSupport
import Testing

/// Layers of low sines that are added up at nodes, of which there have to be eight.
@Suite("Sums at nodes")
struct NodeTests {
    private static let patch = GoldenPatches.sines

    @Test(
        "The sum differs from its layers one by one by no more than they differ from exact sines", arguments: Kernel.available,
        [8000.0, 44_100, 48_000, 192_000])
    func likeLayers(kernel: Kernel, sampleRate: Double) {
        let count = Int(sampleRate * 0.95)
        let plan = PlanCompiler.compile(Self.patch, sampleRate: sampleRate)
        let level = difference(
            plan,
            from: Self.patch.layers.indices.map { index in
                var alone = Self.patch
                alone.layers = [Self.patch.layers[index]]
                for chapter in alone.chapters.indices {
                    alone.chapters[chapter].settings = Self.patch.chapters[chapter].settings.filter { $0.layer == index }.map {
                        Setting(layer: 0, parameter: $0.parameter, value: $0.value)
                    }
                }
                return PlanCompiler.compile(alone, sampleRate: sampleRate)
            }, count: count, kernel)
        print("figure: \(kernel), \(Int(sampleRate)) Hz: a sum at nodes differs from its layers by \(level) dB")
        #expect(level < -135)
    }

    /// The difference of a plan from the sum of plans with one of its layers each, in dB relative to that sum.
    private func difference(_ plan: Plan, from layers: [Plan], count: Int, _ kernel: Kernel) -> Double {
        #expect(plan.usesNodes && !layers.contains(where: \.usesNodes))
        let whole = render(plan, count: count, blocks: [256], kernel: kernel)
        var (left, right) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
        for layer in layers {
            let samples = render(layer, count: count, blocks: [256], kernel: kernel)
            for frame in 0..<count {
                left[frame] += Double(samples.left[frame])
                right[frame] += Double(samples.right[frame])
            }
        }
        func power(_ samples: some Sequence<Double>) -> Double { samples.reduce(0) { $0 + $1 * $1 } }
        let error = power(zip(whole.left, left).map { Double($0) - $1 }) + power(zip(whole.right, right).map { Double($0) - $1 })
        return 10 * log10(error / (power(left) + power(right)))
    }

    @Test(
        "Carriers, beats and levels that faders move all the time sum up to the layers one by one as well", arguments: Kernel.available,
        [44_100.0, 48_000, 192_000])
    func faders(kernel: Kernel, sampleRate: Double) {
        // So soft that the headroom of all of them together is that of each.
        let layers = (0..<16).map { index in
            let kind = [LayerKind.binaural, .monaural, .tone, .binaural][index % 4]
            var values: [Parameter: Double] = [.carrier: 100 + 50 * Double(index), .gain: -54 + 2 * Double(index)]
            if kind != .tone { values[.beat] = 4 + Double(index) }
            // The last of four is heard in both ears.
            if index % 4 == 3 { values[.width] = 0.5 }
            return Layer(name: "layer\(index)", kind: kind, values: values)
        }
        /// Twelve moves of 50 ms, each of which begins before the last one has ended. The level moves only of layers that have a tone of their
        /// own in each ear, or one tone in one place: the others are rendered frame by frame while it moves.
        func plan(_ layers: [Layer]) -> Plan {
            var plan = PlanCompiler.compile(Patch(layers: layers), sampleRate: sampleRate)
            for move in 0..<12 {
                let isUp = move % 2 == 0
                let settings = layers.enumerated().flatMap { index, layer in
                    layer.values.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { parameter, value -> Setting? in
                        let step: Double? =
                            switch parameter {
                            case .carrier: 20
                            case .beat: 2
                            case .gain: layer.kind == .monaural || layer.values[.width] != nil ? nil : -6
                            default: nil
                            }
                        return step.map { Setting(layer: index, parameter: parameter, value: value + (isUp ? $0 : 0)) }
                    }
                }
                plan = plan.applying(settings, at: Int64(Double(move) * 0.049 * sampleRate) + 17, ramp: 0.05)
            }
            return plan
        }
        let level = difference(plan(layers), from: layers.map { plan([$0]) }, count: Int(sampleRate * 0.6), kernel)
        print("figure: \(kernel), \(Int(sampleRate)) Hz: faders at nodes differ from their layers by \(level) dB")
        #expect(level < -135)
    }

    @Test(
        "Live edits at any frame of a cell are heard like the plan with the edits, in every bit", arguments: Kernel.available,
        [8000.0, 44_100, 48_000, 192_000])
    func edits(kernel: Kernel, sampleRate: Double) throws {
        for seed in 0..<(sampleRate == 48_000 ? 6 : 2) {
            var generator = SeededGenerator(seed: UInt64(seed) &+ 40 &+ UInt64(sampleRate))
            let engine = TestEngine(sampleRate: sampleRate, cycle: [64, 77, 256][seed % 3], kernel: kernel)
            var patch = Self.patch
            patch.duration = nil
            engine.control.start(engine.compile(patch))
            engine.run(3000)
            for _ in 0..<30 {
                let asked = engine.left.count
                for _ in 0..<3 {
                    let frame = EngineFrame(Int64(asked) + Int64.random(in: 400..<1000, using: &generator))
                    if Int.random(in: 0..<8, using: &generator) == 0 {
                        engine.control.mute(Set((0..<12).filter { _ in Int.random(in: 0..<6, using: &generator) == 0 }), atFrame: frame)
                    } else {
                        let setting = Self.setting(of: patch, using: &generator)
                        engine.control.edit([setting], ramp: .random(in: 0...0.05, using: &generator), atFrame: frame)
                    }
                }
                engine.run(1400)
                let plan = try #require(engine.control.currentPlan)
                let count = engine.left.count - asked
                let expected = render(plan, from: Int64(asked), count: count, kernel: kernel)
                let isSame = Array(engine.left[asked...]) == expected.left && Array(engine.right[asked...]) == expected.right
                #expect(isSame, "seed \(seed), after frame \(asked)")
            }
        }
    }

    /// A random value of a random parameter that the layer's kind has.
    private static func setting(of patch: Patch, using generator: inout SeededGenerator) -> Setting {
        let layer = Int.random(in: patch.layers.indices, using: &generator)
        let ranges: [(Parameter, ClosedRange<Double>)] = [
            (.carrier, 20...1200), (.gain, -60...(-20)), (.beat, -30...30), (.width, 0...1), (.pan, -1...1),
        ]
        let possible = ranges.filter { range in patch.layers[layer].kind.possibleParameters.contains { $0.parameter == range.0 } }
        let (parameter, range) = possible.randomElement(using: &generator)!
        return Setting(layer: layer, parameter: parameter, value: .random(in: range, using: &generator))
    }

    @Test("The program has the weights that scripts/make-node-matrix derives")
    func weights() async throws {
        let folder = try TemporaryFolder()
        let made = folder.file("NodeMatrix.swift")
        let run = try await RunningProgram.run(
            requireTool("python3", package: "python3"), [PackageRoot.file("scripts/make-node-matrix"), made])
        #expect(run.exit == .code(0), "\(run.errors)")
        let isSame =
            try String(contentsOfFile: made, encoding: .utf8)
            == String(contentsOfFile: PackageRoot.file("Sources/Engine/Tables/NodeMatrix.swift"), encoding: .utf8)
        #expect(isSame)
    }

    @Test(
        "The samples are the same from any frame on, in any blocks", arguments: Kernel.available, [8000.0, 44_100, 48_000, 192_000])
    func seeks(kernel: Kernel, sampleRate: Double) {
        let plan = PlanCompiler.compile(Self.patch, sampleRate: sampleRate)
        let whole = render(plan, count: 20_000, blocks: [64], kernel: kernel)
        for start in [1, 63, 64, 65, 4790, 4801, 9999] {
            let part = render(plan, from: Int64(start), count: 5000, blocks: [37, 300], kernel: kernel)
            #expect(part.left == Array(whole.left[start..<start + 5000]), "from \(start)")
            #expect(part.right == Array(whole.right[start..<start + 5000]), "from \(start)")
        }
    }
}
