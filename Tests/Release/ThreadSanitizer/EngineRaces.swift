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
        let render = thread { cycles(of: handle, until: isDone) }
        var generator = SplitMix64(state: 11)
        var answers = 0
        var asked = 0
        for _ in 0..<3000 {
            let kind = generator.next() % 18
            let part = Double(generator.next() >> 11) * 0x1p-53
            switch kind {
            case 0:
                control.start(plans[Int(generator.next() % UInt64(plans.count))], at: PlanFrame(Int64(part * 1000)))
                asked += 1
            case 1:
                control.setNext(plans[Int(generator.next() % UInt64(plans.count))], crossfade: part < 0.5 ? 0 : 0.005)
                asked += 1
            case 2:
                control.stop(isPanic: part < 0.5)
                asked += 1
            case 3:
                control.setMaster(-60 * part)
                asked += 1
            case 4: if control.mute(part < 0.5 ? [0] : []) != nil { asked += 1 }
            case 5:
                control.setNext(nil)
                asked += 1
            case 6: _ = control.status
            case 7:
                _ = control.handle.takePeaks()
                _ = control.takeSoundNotices()
            case 8: control.tune(a4: 430 + 20 * part)
            case 9:
                if let course = PlanCompiler.course(of: .gain, layer: 0, in: patches[0], edits: [], held: [], sampleRate: 48_000),
                    control.follow(course) != nil
                {
                    asked += 1
                }
            case 10:
                control.together {
                    control.setMaster(-30 * part)
                    control.setNext(nil)
                }
                asked += 2
            case 11:
                let start = control.earliestFrame()
                control.setMaster(-10, from: start, until: start + 400)
                asked += 1
            default:
                let setting = Setting(
                    layer: 0, parameter: kind % 2 == 0 ? .carrier : .gain, value: kind % 2 == 0 ? 100 + 300 * part : -60 * part)
                if control.edit([setting], ramp: part / 50) != nil { asked += 1 }
            }
            answers += control.poll().count
            if part < 0.2 { usleep(200) }
        }
        control.stop(isPanic: true)
        while control.status.isSounding {
            answers += control.poll().count
            usleep(100)
        }
        isDone.raise()
        pthread_join(render, nil)
        precondition(answers > 1000, "\(asked) requests, \(answers) answers")
        print("\(asked) requests, \(answers) events")
    }

    /// The callback: cycles with sound that comes in, keys that are played and layers by themselves, one in eight without a deadline.
    private static func cycles(of handle: RenderHandle, until isDone: Flag) {
        let channels = (0..<6).map { _ in
            let channel = UnsafeMutablePointer<Float>.allocate(capacity: 64)
            channel.initialize(repeating: 0, count: 64)
            return channel
        }
        let pair = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
        pair.initialize(to: channels[4])
        (pair + 1).initialize(to: channels[5])
        let layers = LayerOutputs(buffers: pair, layerCount: 1)
        var cycle = 0
        while !isDone.isRaised {
            cycle += 1
            if cycle % 50 < 2 { handle.play(cycle % 50 == 0 ? 0x90 : 0x80, UInt8(cycle / 50 % 128), 100, atFrame: handle.nextFrame + 20) }
            if cycle % 8 == 0 { handle.waitForSounds(frames: 64) }
            handle.render(
                left: channels[0], right: channels[1], inputLeft: channels[2], inputRight: channels[3], frames: 64, hostTime: 0,
                layers: cycle % 2 == 0 ? layers : nil)
            usleep(20)
        }
        for channel in channels { channel.deallocate() }
        pair.deallocate()
    }

    /// Patches with every kind of layer and with moves; one ends by itself.
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
    let frameCount: Int64 = 1 << 40

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
