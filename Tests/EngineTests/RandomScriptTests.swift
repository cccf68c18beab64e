import Engine
import Foundation
import Patches
import TestSupport
import Testing

/// Whatever somebody does in whatever order: 1000 random scripts for sines and 200 for other kinds, ten times as many in `make stress`, on each
/// kernel in turn.
@Suite("Nothing clicks in random scripts")
struct RandomScriptTests {
    private static let count = ProcessInfo.processInfo.environment["BINAURAL_STRESS"] != nil ? 10_000 : 1000
    private static let parts = 20

    /// Each in its turn.
    private static func kernel(of number: Int) -> Kernel { Kernel.available[number / parts % Kernel.available.count] }

    // MARK: Sines

    /// dB relative to the peak. A fade worked out in `Float` is itself off by -105 dB at most.
    private static let limit = -100.0

    @Test("Sines of up to 400 Hz: no more than -100 dB above 2 kHz, whatever is done", arguments: 0..<parts)
    func sines(part: Int) {
        var worst = (level: -Double.infinity, script: "")
        for number in stride(from: part, to: Self.count, by: Self.parts) {
            var script = SineScript(seed: UInt64(number), kernel: Self.kernel(of: number))
            script.run()
            let level = peakAbove(2000, left: script.rig.left, right: script.rig.right, sampleRate: 48_000)
            if level > worst.level { worst = (level, "script \(number): \(script.words.joined(separator: ", "))") }
        }
        print("figure: random scripts, part \(part): \(worst.level) dB above 2 kHz in the worst")
        #expect(worst.level < Self.limit, "\(worst.level) dB: \(worst.script)")
    }

    // MARK: Everything else

    @Test("Other kinds of layers: the plan's own samples under the fades that were asked for, within -100 dB", arguments: 0..<parts)
    func others(part: Int) throws {
        for number in stride(from: part, to: Self.count / 5, by: Self.parts) {
            var script = FadeScript(seed: UInt64(number), kernel: Self.kernel(of: number))
            let difference = try script.difference()
            #expect(difference < Self.limit, "script \(number): \(difference) dB")
        }
    }
}

/// Tones whose own spectrum ends far below 2 kHz, and everything that may happen to them.
private struct SineScript {
    let rig: LiveRig
    private(set) var words: [String] = []
    private var generator: SeededGenerator
    private let plans: [Plan]
    private var carriers: [Double] = []
    private var layerCount: Int { carriers.count }

    init(seed: UInt64, kernel: Kernel) {
        generator = SeededGenerator(seed: seed &+ 1000)
        let rig = LiveRig(cycle: 64, kernel: kernel)
        self.rig = rig
        var generator = generator
        let count = Int.random(in: 1...3, using: &generator)
        let kinds: [LayerKind] = (0..<count).map { _ in [.tone, .binaural, .monaural].randomElement(using: &generator)! }
        carriers = kinds.map { _ in .random(in: 60...380, using: &generator) }
        // Two items of the same layers; one has chapters, the other may end by itself.
        plans = (0..<2).map { item in
            let layers = kinds.enumerated().map { index, kind in
                Layer(
                    name: "l\(index)", kind: kind,
                    values: [.carrier: .random(in: 60...380, using: &generator), .gain: .random(in: -30 ... -20, using: &generator)])
            }
            var chapters: [Chapter] = []
            if item == 0 {
                for start in (0..<3).map({ _ in Double.random(in: 0...1, using: &generator) }).sorted() {
                    let layer = Int.random(in: 0..<count, using: &generator)
                    chapters.append(
                        Chapter(
                            start: start, over: Bool.random(using: &generator) ? nil : .random(in: 0.05...0.5, using: &generator),
                            ease: [Easing.linear, .sineInOut, .quadIn, .cubicInOut].randomElement(using: &generator)!,
                            settings: [
                                Setting(layer: layer, parameter: .gain, value: .random(in: -40 ... -20, using: &generator)),
                                Setting(layer: layer, parameter: .beat, value: .random(in: 0...20, using: &generator)),
                            ].filter { $0.parameter == .gain || kinds[layer] != .tone }))
                }
            }
            let duration: Double? = item == 1 && Bool.random(using: &generator) ? .random(in: 0.2...2, using: &generator) : nil
            return rig.compile(Patch(duration: duration, layers: layers, chapters: chapters))
        }
        carriers = (0..<count).map { _ in 200 }
        self.generator = generator
    }

    /// Begins and ends in silence, within 2^16 frames.
    mutating func run() {
        rig.run(640)
        rig.control.start(plans[0])
        rig.run(1500)
        while rig.left.count < 50_000 {
            act()
            // Often before the last change is over.
            rig.run(Int.random(in: 1...(Bool.random(using: &generator) ? 400 : 4000), using: &generator))
        }
        rig.control.stop(includingTails: true)
        rig.run(4000)
        while rig.control.status.isSounding, rig.left.count < 65_000 { rig.runCycle() }
    }

    private mutating func act() {
        let layer = Int.random(in: 0..<layerCount, using: &generator)
        switch Int.random(in: 0...10, using: &generator) {
        case 0:
            words.append("seek")
            rig.control.start(plans.randomElement(using: &generator)!, at: .random(in: 1...90_000, using: &generator))
        case 1:
            words.append("item")
            rig.control.start(plans.randomElement(using: &generator)!)
        case 2:
            words.append("pause, play")
            rig.control.stop()
            rig.run(Int.random(in: 1...3000, using: &generator))
            rig.control.start(plans[0], at: .random(in: 1...90_000, using: &generator))
        case 3:
            words.append("next")
            rig.control.setNext(plans.randomElement(using: &generator)!, crossfade: Bool.random(using: &generator) ? 0 : 0.2)
        case 4:
            words.append("mute")
            rig.control.mute([layer])
            rig.run(Int.random(in: 1...3000, using: &generator))
            rig.control.mute([])
        case 5:
            words.append("master")
            rig.control.setMaster(.random(in: -60...0, using: &generator))
        case 6: jump(layer)
        case 7:
            words.append("level")
            rig.control.edit([Setting(layer: layer, parameter: .gain, value: Bool.random(using: &generator) ? -120 : level())])
        case 8:
            words.append("ramp")
            rig.control.edit(
                [Setting(layer: layer, parameter: .gain, value: level())], ramp: .random(in: 0...2, using: &generator),
                easing: Bool.random(using: &generator) ? nil : .sineInOut)
        default: stream(layer)
        }
    }

    private mutating func level() -> Double { .random(in: -50 ... -20, using: &generator) }

    /// At most 100 Hz from where an edit had it last, and within 400 Hz.
    private mutating func jump(_ layer: Int) {
        words.append("frequency")
        let low = max(60, carriers[layer] - 100)
        carriers[layer] = .random(in: low...min(380, low + 200), using: &generator)
        rig.control.edit([Setting(layer: layer, parameter: .carrier, value: carriers[layer])])
    }

    /// A fader, from ten to a thousand times a second.
    private mutating func stream(_ layer: Int) {
        let interval = [48, 200, 800, 4800].randomElement(using: &generator)!
        words.append("fader each \(interval) frames")
        var gain = level()
        for _ in 0..<Int.random(in: 3...min(40, 9600 / interval + 3), using: &generator) {
            gain = min(max(gain + .random(in: -4...4, using: &generator), -60), -18)
            rig.control.edit([Setting(layer: layer, parameter: .gain, value: gain)])
            rig.run(interval)
        }
    }
}

/// Starts, seeks and stops of any sound, and what should be heard of them: each plan's own samples under its fades.
private struct FadeScript {
    private let rig: LiveRig
    private let kernel: Kernel
    private var generator: SeededGenerator
    private let plan: Plan
    /// Frames of the short fade.
    private static let fade = 960

    init(seed: UInt64, kernel: Kernel) {
        generator = SeededGenerator(seed: seed &+ 77)
        self.kernel = kernel
        rig = LiveRig(cycle: 64, kernel: kernel)
        // One that has no moment of its own at which to begin or to end.
        var patch = Patch.random(using: &generator)
        patch.duration = nil
        patch.fade = nil
        // Even all layers of two plans together stay below the ceiling.
        for index in patch.layers.indices { patch.layers[index].values[.gain] = min(patch.layers[index].values[.gain] ?? -40, -40) }
        for chapter in patch.chapters.indices {
            for setting in patch.chapters[chapter].settings.indices where patch.chapters[chapter].settings[setting].parameter == .gain {
                patch.chapters[chapter].settings[setting].value = min(patch.chapters[chapter].settings[setting].value, -40)
            }
        }
        plan = rig.compile(patch)
    }

    private enum Turn {
        case start(serial: UInt64)
        case stop(serial: UInt64)
    }

    /// The largest difference between what is put out and what should be, in dB relative to the largest sample.
    mutating func difference() throws -> Double {
        rig.run(500)
        var turns: [Turn] = []
        for _ in 0..<8 {
            if turns.isEmpty || Int.random(in: 0...2, using: &generator) > 0 {
                turns.append(.start(serial: rig.control.start(plan, at: .random(in: 1000...40_000, using: &generator))))
            } else {
                turns.append(.stop(serial: rig.control.stop()))
            }
            // A fade may still run; more than two of them would have a start wait.
            rig.run(Int.random(in: 500...3000, using: &generator))
        }
        turns.append(.stop(serial: rig.control.stop()))
        rig.run(2000)
        return compare(with: try expected(turns))
    }

    private func expected(_ turns: [Turn]) throws -> [(left: Double, right: Double)] {
        let count = rig.left.count
        var sum = [(left: Double, right: Double)](repeating: (0, 0), count: count)
        let landings = try turns.map { turn in
            switch turn {
            case .start(let serial), .stop(let serial): try #require(rig.landing(of: serial))
            }
        }
        for (index, turn) in turns.enumerated() {
            guard case .start = turn, let position = landings[index].position else { continue }
            let begin = Int(landings[index].engineFrame)
            // Whatever comes next ends it.
            let end = index + 1 < turns.count ? Int(landings[index + 1].engineFrame) : count
            let length = min(end + Self.fade, count) - begin
            let samples = render(plan, from: position, count: length, kernel: kernel)
            for k in 0..<length {
                let gain = Self.smooth(Double(k) / Double(Self.fade)) * Self.smooth(1 - Double(begin + k - end) / Double(Self.fade))
                sum[begin + k].left += gain * Double(samples.left[k])
                sum[begin + k].right += gain * Double(samples.right[k])
            }
        }
        return sum
    }

    private func compare(with expected: [(left: Double, right: Double)]) -> Double {
        let peak = expected.reduce(0) { max($0, abs($1.left), abs($1.right)) }
        guard peak > 1e-6 else { return -.infinity }
        var worst = 0.0
        for (index, frame) in expected.enumerated() {
            worst = max(worst, abs(Double(rig.left[index]) - frame.left), abs(Double(rig.right[index]) - frame.right))
        }
        return decibels(worst / peak)
    }

    /// t^4(35-84t+70t^2-20t^3), limited to 0...1.
    private static func smooth(_ t: Double) -> Double {
        let t = min(max(t, 0), 1)
        return t * t * t * t * (35 + t * (t * (70 - 20 * t) - 84))
    }
}
