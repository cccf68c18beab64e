// The engine's two ends: a callback on a thread of its own, and every request from another one, while plans cross and come back.
import Engine
import Glibc
import Patches
import Synchronization

@main struct EngineRaces {
    static func main() {
        let control = EngineControl(sampleRate: 48_000, kernel: .best, ceiling: 0) { _, _ throws(SoundFailure) in Ramp() }
        let plans = patches.map { PlanCompiler.compile($0, sampleRate: 48_000) }
        let handle = control.handle
        let isDone = Flag()
        let render = thread {
            var left = [Float](repeating: 0, count: 64)
            var right = left
            while !isDone.isRaised {
                handle.render(left: &left, right: &right, frames: 64, hostTime: 0)
                usleep(20)
            }
        }
        var generator = SplitMix64(state: 11)
        var answers = 0
        var asked = 0
        for _ in 0..<3000 {
            let kind = generator.next() % 12
            let part = Double(generator.next() >> 11) * 0x1p-53
            switch kind {
            case 0:
                control.start(plans[Int(generator.next() % UInt64(plans.count))], at: Int64(part * 1000))
                asked += 1
            case 1:
                control.setNext(plans[Int(generator.next() % UInt64(plans.count))], crossfade: part < 0.5 ? 0 : 0.005)
                asked += 1
            case 2:
                control.stop(includingTails: part < 0.5)
                asked += 1
            case 3:
                control.setMaster(-60 * part)
                asked += 1
            case 4: if control.mute(part < 0.5 ? [0] : []) != nil { asked += 1 }
            case 5:
                control.fadeIn()
                asked += 1
            case 6: _ = control.status
            case 7: _ = control.takePeaks()
            default:
                let setting = Setting(
                    layer: 0, parameter: kind % 2 == 0 ? .carrier : .gain, value: kind % 2 == 0 ? 100 + 300 * part : -60 * part)
                if control.edit([setting], ramp: part / 50) != nil { asked += 1 }
            }
            answers += control.poll().count
            if part < 0.2 { usleep(200) }
        }
        control.stop(includingTails: true)
        while control.status.isSounding {
            answers += control.poll().count
            usleep(100)
        }
        isDone.raise()
        pthread_join(render, nil)
        precondition(answers > 1000, "\(asked) requests, \(answers) answers")
        print("\(asked) requests, \(answers) events")
    }

    /// Every kind of layer, with moves; one ends by itself.
    private static var patches: [Patch] {
        let layers = LayerKind.allCases.map { kind in
            var layer = Layer(name: kind.rawValue, kind: kind, color: .pink)
            layer.path = "/ramp"
            return layer
        }
        let move = Chapter(start: 0.01, over: 0.1, ease: .sineInOut, settings: [Setting(layer: 0, parameter: .gain, value: -30)])
        return [
            Patch(layers: layers, chapters: [move]), Patch(duration: 0.05, layers: [layers[0]]),
            Patch(duration: 2, fade: .init(in: 0.5, out: 0.5), layers: [layers[1], layers.last!]),
        ]
    }
}

/// A recording that needs no file.
final class Ramp: SoundReader {
    func read(from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) throws(SoundFailure) {
        for index in 0..<count {
            left[index] = Float((frame + Int64(index)) % 100) / 100
            right[index] = -left[index]
        }
    }
}

final class Flag: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    func raise() { raised.store(true, ordering: .releasing) }
}

/// Steele, Lea and Flood 2014.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
