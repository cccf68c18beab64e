import Foundation
import Patches
import Synthesis
import TestSupport
import Testing

@testable import Engine

/// Sound that would exceed the ceiling is played softer, by an amount known in advance.
@Suite("Headroom under the ceiling")
struct HeadroomTests {
    private static let ceiling = pow(10, -6.0 / 20)
    private static let size = 1 << 16

    /// Samples of a plan under a ceiling of -6 dBFS, in blocks whose lengths repeat, and what the guards did.
    private func rendered(
        _ plan: Plan, from start: Int64 = 0, count: Int, blocks: [Int] = [1024], ceiling: Double = -6, kernel: Kernel = .baseline
    ) -> (samples: Samples, actions: GuardActions) {
        let renderer = OfflineRenderer(plan, from: start, kernel: kernel, ceiling: ceiling, sounds: TestSound.open)
        var samples = Samples(left: .init(repeating: .nan, count: count), right: .init(repeating: .nan, count: count))
        var (done, block) = (0, 0)
        samples.left.withUnsafeMutableBufferPointer { left in
            samples.right.withUnsafeMutableBufferPointer { right in
                while done < count {
                    let part = done..<done + min(blocks[block % blocks.count], count - done)
                    _ = renderer.render(left: .init(rebasing: left[part]), right: .init(rebasing: right[part]))
                    (done, block) = (part.upperBound, block + 1)
                }
            }
        }
        return (samples, renderer.guardActions)
    }

    /// Whole numbers of cycles in 2^16 frames at 48 kHz, so that each tone is one line.
    private static func tones(_ lines: [Int], gain: Double) -> Patch {
        Patch(
            layers: lines.enumerated().map {
                Layer(
                    name: "t\($0)", kind: .tone,
                    values: [.carrier: Double($1) * 48_000 / Double(size), .gain: gain, .phase: Double($0) * 37])
            })
    }

    /// All lines but those of the tones, together, relative to the tones, in dB; and the amplitude of each tone.
    private func distortion(_ samples: [Float], lines: [Int]) -> (level: Double, amplitudes: [Double]) {
        var real = samples.map(Double.init)
        var imaginary = [Double](repeating: 0, count: real.count)
        fourierTransform(real: &real, imaginary: &imaginary)
        var powers = (0..<Self.size / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
        let amplitudes = lines.map { powers[$0].squareRoot() * 2 / Double(Self.size) }
        let whole = lines.reduce(0) { $0 + powers[$1] }
        for line in lines { powers[line] = 0 }
        return (10 * log10(powers.reduce(0, +) / whole), amplitudes)
    }

    /// Lines, and the gain of each, in dB.
    private static let manyTones: [([Int], Double)] =
        [-6, -5.9, -5, -4, -3, -1, 0].map { ([273], $0) } + [-12.0206, -6, 0].map { ([273, 359], $0) }
        + [-18.0618, -3].map { (Array(stride(from: 131, to: 1000, by: 113)), $0) }

    @Test(
        "Tones that together exceed the ceiling by up to 20 dB are reduced to exactly the ceiling, at their relative levels, with nothing added above -135 dB",
        arguments: manyTones, Kernel.available)
    func clean(tones: ([Int], Double), kernel: Kernel) {
        let plan = PlanCompiler.compile(Self.tones(tones.0, gain: tones.1), sampleRate: 48_000)
        let (samples, actions) = rendered(plan, from: 4800, count: Self.size, kernel: kernel)
        let found = distortion(samples.left, lines: tones.0)
        #expect(found.level < -135, "\(found.level) dB")
        #expect(actions == GuardActions())
        let wanted = min(pow(10, tones.1 / 20), Self.ceiling / Double(tones.0.count))
        for amplitude in found.amplitudes { #expect(abs(amplitude / wanted - 1) < 1e-5) }
        #expect(samples.left.allSatisfy { Double(abs($0)) <= Self.ceiling * 1.000_001 })
    }

    @Test("A sound at or under the ceiling keeps every bit", arguments: Kernel.available)
    func unchanged(kernel: Kernel) {
        for (name, patch) in GoldenPatches.all + [("at the ceiling", Self.tones([273], gain: -6))] {
            guard ![.input, .keys].contains(patch.layers[0].kind) else { continue }
            let plan = PlanCompiler.compile(patch, sampleRate: 48_000)
            #expect(plan.levelSum.peak <= Self.ceiling * 1.000_001, "\(name)")
            let isSame =
                rendered(plan, count: 48_000, kernel: kernel).samples == rendered(plan, count: 48_000, ceiling: 0, kernel: kernel).samples
            #expect(isSame, "\(name)")
        }
    }

    @Test("For any patch and edits nothing is clipped, and frame n has the same value in any blocks, from any start, and live")
    func anything() {
        var actions: UInt64 = 0
        for seed in 0..<40 {
            var generator = SeededGenerator(seed: UInt64(seed) &+ 900)
            let patch = Patch.random(using: &generator)
            var plan = PlanCompiler.compile(patch, sampleRate: 22_050)
            let engine = TestEngine(sampleRate: 22_050, cycle: 64, ceiling: -6)
            engine.control.start(plan, fade: 0)
            engine.run(640)
            for _ in 0..<4 {
                let frame = Int64(engine.left.count + Int.random(in: 200..<2000, using: &generator))
                let settings = (0...2).map { _ in patch.randomSetting(using: &generator) }
                plan = plan.applying(settings, at: frame)
                engine.control.edit(settings, atFrame: EngineFrame(frame))
                engine.run(3000)
            }
            let count = engine.left.count
            let whole = rendered(plan, count: count)
            actions += whole.actions.ceiling
            #expect(whole.actions.ceiling == 0, "seed \(seed)")
            let isSame = whole.samples.left == engine.left && whole.samples.right == engine.right
            #expect(isSame, "seed \(seed), live")
            let blocks = (0..<30).map { _ in Int.random(in: 1...700, using: &generator) }
            let isSameInBlocks = rendered(plan, count: count, blocks: blocks).samples == whole.samples
            #expect(isSameInBlocks, "seed \(seed)")
            let start = Int.random(in: 1..<count - 1000, using: &generator)
            let isSameFromThere =
                rendered(plan, from: Int64(start), count: 1000).samples.left == Array(whole.samples.left[start..<start + 1000])
            #expect(isSameFromThere, "seed \(seed), from \(start)")
        }
    }

    @Test("An edit does not change any frame before it, and after a seek the level is the same as before")
    func edits() {
        var patch = Self.tones([273, 359], gain: -9)
        patch.duration = 20
        patch.chapters = [
            Chapter(start: 5, over: 1, settings: [Setting(layer: 0, parameter: .gain, value: -20)]),
            Chapter(start: 10, over: 1, settings: [Setting(layer: 1, parameter: .gain, value: -3)]),
        ]
        let plan = PlanCompiler.compile(patch, sampleRate: 48_000)
        // After 11 seconds, -20 dB and -3 dB.
        #expect(abs(plan.levelSum.peak - (pow(10, -1) + pow(10, -3.0 / 20))) < 1e-9)
        for (layer, gain, position) in [(0, 0.0, 2.0), (0, -40, 2), (1, 0, 7), (1, -60, 15), (0, -1, 8), (1, -6, 11)] {
            let setting = Setting(layer: layer, parameter: .gain, value: gain)
            let edited = plan.applying([setting], at: Int64(position * 48_000))
            let recompiled = PlanCompiler.compile(patch, edits: [LiveEdit(setting: setting, position: position)], sampleRate: 48_000)
            #expect(edited.levelSum.peak == recompiled.levelSum.peak, "\(layer) \(gain) at \(position) s")
            let frame = Int64(position * 48_000)
            let isSame =
                rendered(plan, from: frame - 5000, count: 5000).samples == rendered(edited, from: frame - 5000, count: 5000).samples
            #expect(isSame)
            // A tone's phases do not depend on its gain.
            let (a, b) = (rendered(edited, from: frame + 4800, count: 2000), rendered(recompiled, from: frame + 4800, count: 2000))
            #expect(zip(a.samples.left, b.samples.left).allSatisfy { abs($0 - $1) < 1e-6 })
        }
        // After undo it is unchanged.
        let back = plan.applying([Setting(layer: 0, parameter: .gain, value: 0)], at: 100_000)
            .applying([Setting(layer: 0, parameter: .gain, value: -9)], at: 150_000)
        #expect(back.levelSum.peak == plan.levelSum.peak)
        // A touched fader keeps its value through all chapters.
        let course = PlanCompiler.course(
            of: .gain, layer: 1, in: patch, edits: [], held: [Setting(layer: 1, parameter: .gain, value: -9)], sampleRate: 48_000)!
        #expect(abs(plan.following(course, at: 48_000).levelSum.peak - 2 * pow(10, -9.0 / 20)) < 1e-9)
    }

    @Test("A mute does not make anything else louder, nor does a solo")
    func mutes() {
        let patch = Self.tones([273, 359, 501], gain: -4)
        let whole = rendered(PlanCompiler.compile(patch, sampleRate: 48_000), from: 4800, count: Self.size)
        let solo = rendered(PlanCompiler.compile(patch, muted: [0, 2], sampleRate: 48_000), from: 4800, count: Self.size)
        let amplitude = distortion(whole.samples.left, lines: [359]).amplitudes[0]
        #expect(abs(distortion(solo.samples.left, lines: [359]).amplitudes[0] / amplitude - 1) < 1e-6)
        let live = PlanCompiler.compile(patch, sampleRate: 48_000).muting([0], at: 100)
        #expect(live.levelSum.peak == PlanCompiler.compile(patch, sampleRate: 48_000).levelSum.peak)
    }

    @Test("A fader that moves through the limit in steps, long ramps and streams does not click: at most -100 dB above 2 kHz")
    func clicks() {
        var generator = SeededGenerator(seed: 5)
        for round in 0..<6 {
            let patch = Patch(
                layers: [
                    Layer(name: "a", kind: .tone, values: [.carrier: 200, .gain: -9]),
                    Layer(name: "b", kind: .tone, values: [.carrier: 310, .gain: -12]),
                ])
            let engine = TestEngine(cycle: 48, kernel: .best, ceiling: -6)
            engine.run(960)
            engine.control.start(engine.compile(patch))
            engine.run(3000)
            for _ in 0..<40 {
                let ramp: Double? = round < 2 ? nil : .random(in: 0.02...0.3, using: &generator)
                engine.control.edit(
                    [
                        Setting(
                            layer: .random(in: 0...1, using: &generator), parameter: .gain, value: .random(in: -30...0, using: &generator))
                    ], ramp: ramp)
                engine.run(round % 2 == 0 ? 1500 : 240)
            }
            engine.run(16_000)
            engine.control.stop()
            engine.run(4000)
            #expect(peakAbove(2000, in: engine.spectrumInput, sampleRate: 48_000) < -100, "round \(round)")
            #expect(engine.control.status.guardActions.ceiling == 0)
        }
    }

    @Test("Layers on ports of their own add up to the mix under the headroom too")
    func layerOutputs() {
        let control = EngineControl(sampleRate: 48_000, kernel: .baseline, ceiling: -6)
        let patch = Self.tones([273, 359, 501], gain: -3)
        control.start(PlanCompiler.compile(patch, sampleRate: 48_000), at: 1000)
        let buffers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 6)
        for index in 0..<6 { buffers[index] = .allocate(capacity: 300) }
        defer {
            for index in 0..<6 { buffers[index].deallocate() }
            buffers.deallocate()
        }
        var (left, right) = ([Float](repeating: 0, count: 300), [Float](repeating: 0, count: 300))
        var (worst, loudest): (Float, Float) = (0, 0)
        for cycle in 0..<100 {
            if cycle == 50 { control.edit([Setting(layer: 1, parameter: .gain, value: -30)], ramp: 0.1) }
            control.handle.render(
                left: &left, right: &right, frames: 300, hostTime: 0, layers: LayerOutputs(buffers: buffers, layerCount: 3))
            _ = control.poll()
            for frame in 0..<300 {
                worst = max(worst, abs(left[frame] - buffers[0][frame] - buffers[2][frame] - buffers[4][frame]))
                loudest = max(loudest, abs(left[frame]))
            }
        }
        #expect(worst < 1e-6)
        #expect(loudest > 0.45)
    }

    @Test("Two crossfading items at the ceiling, or many seeks at once, stay under it: nothing is clipped and nothing clicks")
    func crossfades() {
        for fade in [0.05, 0.2, 1.5] {
            let engine = TestEngine(kernel: .best, ceiling: -6)
            engine.control.start(engine.compile(.single(.tone, [.carrier: 200, .gain: 0])))
            engine.run(9600)
            engine.control.start(engine.compile(.single(.tone, [.carrier: 260, .gain: -3])), at: 5000, fade: fade)
            engine.run(Int(fade * 48_000) + 9600)
            engine.control.stop()
            engine.run(4000)
            #expect(engine.control.status.guardActions == GuardActions(), "\(fade) s")
            #expect(peakAbove(2000, in: engine.spectrumInput, sampleRate: 48_000) < -100, "\(fade) s")
            #expect(engine.left.map(abs).max()! > 0.49)
        }
        let engine = TestEngine(kernel: .best, ceiling: -6)
        engine.control.start(engine.compile(.single(.tone, [.carrier: 200, .gain: 0])), at: 100)
        engine.run(3000)
        for position in 1...30 {
            engine.control.start(
                engine.compile(.single(.tone, [.carrier: 200 + Double(position), .gain: 0])), at: PlanFrame(Int64(position) * 7001))
            engine.run(position % 7 == 0 ? 640 : 128)
        }
        engine.run(4000)
        #expect(engine.control.status.guardActions == GuardActions())
        // Sounds soft enough for both to fit are unchanged.
        let soft = TestEngine(kernel: .best, ceiling: -6)
        let free = TestEngine(kernel: .best, ceiling: 0)
        for engine in [soft, free] {
            engine.control.start(engine.compile(.single(.tone, [.carrier: 200, .gain: -13])))
            engine.run(4800)
            engine.control.start(engine.compile(.single(.tone, [.carrier: 260, .gain: -13])), at: 5000, fade: 0.2)
            engine.run(12_000)
        }
        let isSame = soft.left == free.left
        #expect(isSame)
    }

    /// Left ear of a layer of keys under a ceiling, with keys that go down and up on their frames.
    private func played(
        _ events: [(frame: Int, down: Bool, key: UInt8)], gain: Double, ceiling: Double, frames: Int, cycle: Int = 64, attack: Double = 0.02
    ) -> (samples: [Float], actions: GuardActions) {
        let control = EngineControl(sampleRate: 48_000, kernel: .baseline, ceiling: ceiling)
        let bed = Layer(name: "bed", kind: .tone, values: [.carrier: 110, .gain: -30])
        let duration = Double(frames - 1000) / 48_000
        let keys = Layer(name: "keys", kind: .keys, values: [.gain: gain, .attack: attack, .release: 0.05])
        control.start(PlanCompiler.compile(Patch(duration: duration, layers: [bed, keys]), sampleRate: 48_000), fade: 0)
        var samples = [Float](repeating: 0, count: frames)
        var right = [Float](repeating: 0, count: cycle)
        for start in stride(from: 0, to: frames, by: cycle) {
            let count = min(cycle, frames - start)
            for event in events where start..<start + count ~= event.frame {
                control.handle.play(event.down ? 0x90 : 0x80, event.key, 127, atFrame: EngineFrame(Int64(event.frame)))
            }
            samples.withUnsafeMutableBufferPointer { left in
                control.handle.render(left: left.baseAddress! + start, right: &right, frames: count, hostTime: 0)
            }
            _ = control.poll()
        }
        return (samples, control.status.guardActions)
    }

    @Test("A chord stays under the ceiling: sounding keys are reduced while another one rises; nothing is clipped and nothing clicks")
    func chords() {
        let keys: [UInt8] = [50, 52, 53, 55, 57, 50 + 12, 45, 48]
        let events =
            keys.enumerated().map { (frame: 2400 + 3001 * $0, down: true, key: $1) }
            + keys.enumerated().map { (frame: 40_000 + 1999 * $0, down: false, key: $1) }
        for (gain, attack) in [(-6.0, 0.02), (0, 0.02), (-9, 0.005), (-15, 0.1)] {
            let (samples, actions) = played(events, gain: gain, ceiling: -6, frames: 65_536, attack: attack)
            #expect(actions == GuardActions(), "\(gain) dB")
            #expect(samples.allSatisfy { Double(abs($0)) <= Self.ceiling * 1.000_001 })
            #expect(samples.contains { abs($0) > 0.3 })
            if attack >= 0.02 {
                // If there is room for only one key, it keeps its level, and the others are reduced from there on.
                let limit = gain >= -6 ? -90.0 : -100
                #expect(peakAbove(2000, in: samples.map(Double.init)[...], sampleRate: 48_000) < limit, "\(gain) dB")
            }
            for cycle in [1, 100, 1024] {
                let isSame =
                    played(events, gain: gain, ceiling: -6, frames: 20_000, cycle: cycle, attack: attack).samples[..<17_000]
                    == samples[..<17_000]
                #expect(isSame, "cycles of \(cycle)")
            }
        }
        // Eight keys of -28 dB fit: every bit is the same.
        let (free, soft) = (played(events, gain: -28, ceiling: 0, frames: 65_536), played(events, gain: -28, ceiling: -6, frames: 65_536))
        let isSame = free.samples == soft.samples
        #expect(isSame)
        // One key alone is as loud as it was, also where there is room for no other.
        let one = Array(events.prefix(1))
        for gain in [-12, -6.6] {
            let isAlone =
                played(one, gain: gain, ceiling: -6, frames: 20_000).samples == played(one, gain: gain, ceiling: 0, frames: 20_000).samples
            #expect(isAlone, "\(gain) dB")
        }
    }

    @Test("Noise stays under the ceiling by its known bound; an input keeps its own level and is clipped where it exceeds it")
    func others() {
        for color in NoiseColor.allCases {
            for kind in [LayerKind.noise, .spin] {
                let plan = PlanCompiler.compile(.single(kind, [.gain: 0], color: color), sampleRate: 48_000)
                let (samples, actions) = rendered(plan, count: 480_000)
                #expect(actions.ceiling == 0, "\(kind) \(color)")
                #expect(samples.left.contains { abs($0) > 0.2 })
            }
        }
        for (level, isCut) in [(Float(0.5), false), (1, true)] {
            let engine = TestEngine(ceiling: -6)
            engine.input = { (level * sin(Float($0) / 40), -level) }
            engine.control.start(engine.compile(.single(.input, [.gain: 0])), fade: 0)
            engine.run(9600)
            #expect((engine.control.status.guardActions.ceiling > 0) == isCut)
            #expect(engine.left.contains { abs($0) > 0.499 })
        }
    }

    @Test("The highest sum is found where moves cross, where easings overshoot, and only up to the end of the patch")
    func sums() {
        func sum(_ chapters: [Chapter], gains: [Double], duration: Double? = nil, fade: Patch.Fade? = nil) -> LevelSum {
            LevelSum(
                of: Patch(
                    duration: duration, fade: fade,
                    layers: gains.enumerated().map { Layer(name: "l\($0)", kind: .tone, values: [.gain: $1]) }, chapters: chapters))
        }
        func move(_ layer: Int, _ gain: Double, _ easing: Easing, at start: Double = 1) -> Chapter {
            Chapter(start: start, over: 2, ease: easing, settings: [Setting(layer: layer, parameter: .gain, value: gain)])
        }
        // One ends late, the other one starts early.
        let crossing = sum([move(0, -60, .quintIn), move(1, -6, .quintOut)], gains: [-6, -60])
        #expect(crossing.peak > 0.8)
        #expect(abs(crossing.position - 2) < 0.2)
        // A straight line in dB sags.
        #expect(abs(sum([move(0, -60, .linear), move(1, -6, .linear)], gains: [-6, -60]).peak - 0.5022) < 1e-4)
        let beyond = sum([move(0, -12, .elasticOut)], gains: [-32]).peak
        #expect(beyond > pow(10, -6.0 / 20))
        #expect(beyond < pow(10, -4.0 / 20))
        #expect(sum([move(0, 0, .linear, at: 60)], gains: [-20], duration: 50).peak < 0.101)
        #expect(sum([], gains: [-120, -120]) == sum([], gains: [-120]))
        #expect(sum([], gains: [-120]).peak == 0)
        // A fade that overshoots.
        let plan = PlanCompiler.compile(
            Patch(fade: .init(in: 1, easeIn: .backOut, out: 1), layers: [Layer(name: "a", kind: .tone, values: [.gain: -6])]),
            sampleRate: 48_000)
        #expect(plan.levelSum.peak > 1.09 * Self.ceiling)
        #expect(plan.levelSum.peak < 1.11 * Self.ceiling)
        #expect(rendered(plan, count: 60_000).actions.ceiling == 0)
        #expect(abs(sum([], gains: [0]).reduction(ceiling: -6) - 6) < 1e-4)
        #expect(sum([], gains: [-6.1]).reduction(ceiling: -6) == 0)
    }

    @Test("No sum of eased, overlapping moves is above the estimate, and the estimate is not above the upper bound", arguments: 0..<40)
    func easedSums(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let layers = (0..<Int.random(in: 1...4, using: &random)).map { index in
            Layer(name: "l\(index)", kind: .tone, values: [.gain: Double.random(in: -60...0, using: &random)])
        }
        let chapters = (0..<Int.random(in: 1...6, using: &random)).map { index in
            Chapter(
                start: Double(index) + .random(in: 0...0.9, using: &random), over: .random(in: 0.1...3, using: &random),
                ease: Easing.allCases[Int.random(in: 0..<Easing.allCases.count, using: &random)],
                settings: layers.indices.filter { _ in Bool.random(using: &random) }.map {
                    Setting(layer: $0, parameter: .gain, value: .random(in: -60...0, using: &random))
                })
        }
        var patch = Patch(layers: layers, chapters: chapters)
        patch.gainLaw = Bool.random(using: &random) ? .amplitude : .decibels
        let courses = LevelCourse.all(of: patch, edits: [], crests: layers.map(\.crest))
        let highest = (0..<50_000).reduce(0.0) { highest, index in
            max(highest, courses.reduce(0) { $0 + $1.level(at: Double(index) / 5000) })
        }
        let found = LevelSum(of: patch).peak
        #expect(found > highest * (1 - 1e-5), "\(found), \(highest)")
        #expect(found < highest * 1.005, "\(found), \(highest)")
    }
}
