import Engine
import Foundation
import Patches
import TestSupport
import Testing

/// Starts, seeks, pauses, stops, edits, faders, mutes and moves of the master of any sound, and what should be heard of them: the samples of each
/// plan, with what was asked of it, under its fades and the master, those worked out in `Double` here.
struct FadeScript {
    private let engine: TestEngine
    private let kernel: Kernel
    private var generator: SeededGenerator
    private let patch: Patch
    private let plan: Plan
    private var turns: [Turn] = []
    private var master = [(frame: Int64(0), decibels: 0.0)]
    private var muted: Set<Int> = []
    private(set) var words: [String] = []
    /// The largest output sample.
    var peak: Float { engine.left.reduce(0) { max($0, abs($1)) } }
    /// Frames of the short fade.
    private static let fade = 960

    /// A start or a stop, and the requests until the next one.
    private struct Turn {
        let serial: UInt64
        let isStart: Bool
        /// Each at a frame of the engine.
        var changes: [(frame: Int64, change: (Plan, Int64) -> Plan)] = []
    }

    init(seed: UInt64, kernel: Kernel) {
        generator = SeededGenerator(seed: seed &+ 77)
        self.kernel = kernel
        engine = TestEngine(cycle: 64, kernel: kernel)
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
        self.patch = patch
        plan = engine.compile(patch)
    }

    /// The largest difference between actual and expected output, in dB relative to the largest sample.
    mutating func difference() throws -> Double {
        engine.run(500)
        for _ in 0..<8 {
            let position = Int64.random(in: 1000...40_000, using: &generator)
            switch Int.random(in: 0...3, using: &generator) {
            case 0 where !turns.isEmpty:
                words.append("stop")
                turns.append(Turn(serial: engine.control.stop(), isStart: false))
            case 1 where turns.last?.isStart == true:
                // Paused and resumed.
                words.append("pause")
                let stop = engine.control.stop()
                turns.append(Turn(serial: stop, isStart: false))
                engine.run(Int.random(in: 64...1500, using: &generator))
                turns.append(
                    Turn(serial: engine.control.start(plan, at: PlanFrame(engine.landing(of: stop)?.position ?? position)), isStart: true))
            default:
                words.append("start")
                turns.append(Turn(serial: engine.control.start(plan, at: PlanFrame(position)), isStart: true))
            }
            muted = []
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                // A change needs the frame at which its plan was applied.
                engine.run(128)
                act()
            }
            // A fade may still run; more than two of them would make a start wait.
            engine.run(Int.random(in: 500...3000, using: &generator))
        }
        turns.append(Turn(serial: engine.control.stop(), isStart: false))
        engine.run(2000)
        return compare(with: try expected())
    }

    // MARK: Requests

    private mutating func act() {
        let frame = engine.control.status.engineFrame.number + Int64.random(in: 128...500, using: &generator)
        guard turns.last?.isStart == true, Int.random(in: 0...4, using: &generator) > 0 else { return moveMaster() }
        switch Int.random(in: 0...3, using: &generator) {
        case 0:
            words.append("mute")
            muted.formSymmetricDifference([Int.random(in: patch.layers.indices, using: &generator)])
            let muted = muted
            engine.control.mute(muted, atFrame: EngineFrame(frame))
            turns[turns.count - 1].changes.append((frame, { $0.muting(muted, at: $1) }))
            run(to: frame)
        case 1:
            // Each changes the results of the previous ones.
            let setting = randomSetting()
            words.append("fader of \(setting.parameter)")
            let description = patch.layers[setting.layer].description(of: setting.parameter)!
            for step in 0..<6 {
                var setting = setting
                if setting.parameter != .gain { setting.value = .random(in: description.range, using: &generator) }
                edit(setting, ramp: nil, easing: nil, at: frame + Int64(200 * step))
                // Until it has been carried out.
                run(to: frame + Int64(200 * step) - 64)
            }
            run(to: frame + 1200)
        default:
            let setting = randomSetting()
            words.append("\(setting.parameter)")
            edit(
                setting, ramp: Bool.random(using: &generator) ? nil : .random(in: 0...0.1, using: &generator),
                easing: Bool.random(using: &generator) ? nil : Easing.allCases.randomElement(using: &generator)!, at: frame)
            run(to: frame)
        }
    }

    private func run(to frame: Int64) {
        while Int64(engine.left.count) < frame { engine.runCycle() }
    }

    private mutating func randomSetting() -> Setting {
        var setting = patch.randomSetting(using: &generator)
        if setting.parameter == .gain { setting.value = Double.random(in: -80 ... -40, using: &generator) }
        return setting
    }

    private mutating func edit(_ setting: Setting, ramp: Double?, easing: Easing?, at frame: Int64) {
        engine.control.edit([setting], ramp: ramp, easing: easing, atFrame: EngineFrame(frame))
        turns[turns.count - 1].changes.append((frame, { $0.applying([setting], at: $1, ramp: ramp, easing: easing) }))
    }

    /// Never before the last move is over.
    private mutating func moveMaster() {
        words.append("master")
        let frame = max(engine.control.status.engineFrame.number + 200, master.last!.frame + Int64(Self.fade))
        let decibels = Double.random(in: -30...0, using: &generator)
        engine.control.setMaster(decibels, atFrame: EngineFrame(frame))
        master.append((frame, decibels))
        run(to: frame)
    }

    // MARK: Expected sound

    private func expected() throws -> [(left: Double, right: Double)] {
        let count = engine.left.count
        var sum = [(left: Double, right: Double)](repeating: (0, 0), count: count)
        let landings = try turns.map { try #require(engine.landing(of: $0.serial)) }
        for (index, turn) in turns.enumerated() {
            guard turn.isStart, let position = landings[index].position else { continue }
            let begin = Int(landings[index].engineFrame)
            // The next change of any kind ends it.
            let end = index + 1 < turns.count ? Int(landings[index + 1].engineFrame) : count
            let length = min(end + Self.fade, count) - begin
            // A request for a frame at which another item was current has no effect.
            let changed = turn.changes.filter { $0.frame < end }.reduce(plan) { $1.change($0, position + $1.frame - Int64(begin)) }
            let samples = render(changed, from: position, count: length, kernel: kernel)
            for k in 0..<length {
                let gain = Self.smooth(Double(k) / Double(Self.fade)) * Self.smooth(1 - Double(begin + k - end) / Double(Self.fade))
                sum[begin + k].left += gain * Double(samples.left[k])
                sum[begin + k].right += gain * Double(samples.right[k])
            }
        }
        for index in sum.indices {
            let gain = masterGain(at: Int64(index))
            sum[index].left *= gain
            sum[index].right *= gain
        }
        return sum
    }

    /// From one level to the next over 20 ms, the dB by t^3(6t^2-15t+10).
    private func masterGain(at frame: Int64) -> Double {
        let index = master.lastIndex { $0.frame <= frame } ?? 0
        guard index > 0 else { return 1 }
        let t = min(Double(frame - master[index].frame) / Double(Self.fade), 1)
        let (from, to) = (master[index - 1].decibels, master[index].decibels)
        return pow(10, (from + (to - from) * t * t * t * (t * (6 * t - 15) + 10)) / 20)
    }

    private func compare(with expected: [(left: Double, right: Double)]) -> Double {
        let peak = expected.reduce(0) { max($0, abs($1.left), abs($1.right)) }
        guard peak > 1e-6 else { return -.infinity }
        var worst = 0.0
        for (index, frame) in expected.enumerated() {
            worst = max(worst, abs(Double(engine.left[index]) - frame.left), abs(Double(engine.right[index]) - frame.right))
        }
        return decibels(worst / peak)
    }

    /// t^4(35-84t+70t^2-20t^3), limited to 0...1.
    private static func smooth(_ t: Double) -> Double {
        let t = min(max(t, 0), 1)
        return t * t * t * t * (35 + t * (t * (70 - 20 * t) - 84))
    }
}
