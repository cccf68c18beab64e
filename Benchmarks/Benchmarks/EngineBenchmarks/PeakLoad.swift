import Engine
import Patches

/// 64 layers of all kinds, and every 50 ms a start of another patch, a seek, a pause, a fader that moves, or a key that is pressed or released.
enum PeakLoad {
    private static let layerCount = 64
    private static let blocksBetweenUses = 37
    /// Five in sixteen are noises and a spin, which cost the most, above all after a seek.
    private static let templates: [Layer] = {
        var layers: [Layer] = [
            .binaural, .tone, .monaural, .isochronic, .bilateral, .phase, .harmonicBox, .bell, .spin, .file, .input, .keys,
        ].map { Layer(name: "", kind: $0) }
        layers += [.pink, .brown, .white, .pink].map { Layer(name: "", kind: .noise, color: $0) }
        layers[9].path = "/sound"
        layers[3].effects = [.orbit]
        layers[15].effects = [.pulses, .shift]
        layers[15].bands = [200...800]
        return layers
    }()

    private static func plan(carrier: Int) -> Plan {
        let layers = (0..<layerCount).map { index in
            var layer = templates[index % templates.count]
            let values: [Parameter: Double] = [.gain: -60, .carrier: Double(carrier + 11 * index), .beat: 6, .pulseRate: 9]
            layer.name = "layer\(index)"
            layer.values = values.filter { layer.description(of: $0.key) != nil }
            layer.seed = UInt64(carrier + index)
            return layer
        }
        return PlanCompiler.compile(Patch(layers: layers), sampleRate: EngineLoad.sampleRate)
    }

    /// CPU time in nanoseconds of each callback of so many seconds, the least of so many times through them: every time each callback does the
    /// same, so that what is the machine's own, which comes now here and now there, is not in it.
    static func leastTimes(seconds: Int, passes: Int) -> [Int] {
        let blocks = seconds * Int(EngineLoad.sampleRate) / EngineLoad.blockSize
        let plans = [plan(carrier: 100), plan(carrier: 137)]
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 3 * EngineLoad.blockSize)
        defer { samples.deallocate() }
        let (right, input) = (samples + EngineLoad.blockSize, samples + 2 * EngineLoad.blockSize)
        input.initialize(repeating: 0.01, count: EngineLoad.blockSize)
        var least = [Int](repeating: .max, count: blocks)
        for _ in 0..<passes {
            let engine = EngineControl(sampleRate: EngineLoad.sampleRate, kernel: .best, sounds: { _, _ in RampSound() })
            var numbers = RepeatedNumbers()
            engine.start(plans[0], at: PlanFrame(0))
            var key = 0
            for block in 0..<blocks {
                let isUse = block % blocksBetweenUses == 0
                if isUse {
                    use(engine, plans, &numbers)
                    if block % 2 == 0 { key = numbers.next(below: 128) }
                }
                flushingDenormals {
                    engine.handle.waitForSounds(frames: EngineLoad.blockSize)
                    let time = threadTime {
                        if isUse { engine.handle.play(block % 2 == 0 ? 0x90 : 0x80, UInt8(key), 100, atFrame: engine.handle.nextFrame) }
                        engine.handle.render(
                            left: samples, right: right, inputLeft: input, inputRight: input, frames: EngineLoad.blockSize, hostTime: 0)
                    }
                    least[block] = min(least[block], time)
                }
            }
        }
        return least
    }

    private static func use(_ engine: EngineControl, _ plans: [Plan], _ numbers: inout RepeatedNumbers) {
        _ = engine.poll()
        let (layer, plan) = (numbers.next(below: layerCount), plans[numbers.next(below: 2)])
        switch numbers.next(below: 8) {
        case 0, 1: engine.start(plan, at: PlanFrame(Int64(numbers.next(below: 500 * Int(EngineLoad.sampleRate)))))
        case 2, 3: engine.start(plan, at: PlanFrame(0))
        case 4: engine.stop()
        case let number:
            let parameter: Parameter = number == 5 || templates[layer % templates.count].description(of: .carrier) == nil ? .gain : .carrier
            let value = parameter == .gain ? -70 + Double(numbers.next(below: 16)) : 100 + Double(numbers.next(below: 800))
            engine.edit([Setting(layer: layer, parameter: parameter, value: value)])
        }
    }
}

/// A recording without a file.
private final class RampSound: SoundReader {
    let frameCount: Int64 = 48_000 * 60

    func read(from frame: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, count: Int) {
        for index in 0..<count { (left[index], right[index]) = (Float(index % 100) / 200, Float(index % 77) / 200) }
    }
}

/// The same numbers in every pass. A linear congruential generator: Knuth, "The Art of Computer Programming", volume 2, 3.3.4.
struct RepeatedNumbers {
    private var state: UInt64 = 1

    mutating func next(below count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }
}
